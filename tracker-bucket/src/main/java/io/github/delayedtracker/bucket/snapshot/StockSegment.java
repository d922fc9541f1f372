/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

/**
 * What the metadata of a stock snapshot says about one of its segments.
 *
 * @param firstDueMillis the earliest time in it, epoch milliseconds
 * @param lastDueMillis the latest
 * @param positions how many positions it holds
 */
public record StockSegment(long firstDueMillis, long lastDueMillis, long positions) {
}
