/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;

/**
 * What it takes to write snapshots as the stock bucket tracker does.
 *
 * @param ledgers where ledgers with the stock label are made
 * @param owner the subscription, as the label names it
 * @param ranges told of each snapshot before it is named anywhere
 */
public record StockWriting(StockLedgers ledgers, StockOwner owner, StockRanges ranges) {
}
