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
 * What of a recorded snapshot is still asleep.
 *
 * @param ledgerId its ledger
 * @param segments by first due time
 * @param sleeping the positions that wait in its segments: no past ones, none that mark-delete has passed. Handed over, the step
 *     keeps no reference
 * @param pastMillis segments wholly due by then hold nothing of the set
 */
public record RecoveredSnapshot(long ledgerId, List<SegmentEntry> segments, PositionSet sleeping, long pastMillis) {
}
