/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

/**
 * A journal as statistics show it.
 *
 * @param positions that are durable in it
 * @param bytes of all its entries
 * @param writtenMillis when it was last appended to, epoch milliseconds
 * @param counts whether a record is written that names it, or the one that it replaces
 */
public record JournalFigures(long positions, long bytes, long writtenMillis, boolean counts) {
}
