/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.index.PositionSet;
import java.util.List;

/**
 * A sealed ledger that no record names yet.
 *
 * @param ledgerId the ledger
 * @param segments by first due time
 * @param positions all positions in it; handed over, the step keeps no reference
 * @param bytes of all its entries
 */
public record WrittenSnapshot(long ledgerId, List<SegmentEntry> segments, PositionSet positions, long bytes) {
}
