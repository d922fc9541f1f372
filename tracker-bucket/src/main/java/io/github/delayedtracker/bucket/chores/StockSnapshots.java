/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;

/**
 * What the stock bucket tracker may have left for one subscription, and is to find there again.
 *
 * @param ledgers tells whose a ledger is by the stock label
 * @param owner the subscription, as the label names it
 * @param properties of the cursor, by name without the stock prefix
 * @param kept whether they are kept as they are and new ones are written in their form; else they are imported
 */
public record StockSnapshots(StockLedgers ledgers, StockOwner owner, CatalogueStore properties, boolean kept) {
}
