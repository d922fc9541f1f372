/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.index.FrozenTail;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.BitSet;
import java.util.List;

/** When a tail is sealed that has not as many positions as a seal, and what of it its snapshot may have. Thread safe. */
interface SealRule {

    /** A tail of so many positions is sealed once it is old, and one of a part of them early where memory is short. */
    int agePositions();

    /** Takes those of the positions chosen out that may not be in a snapshot. */
    void leaveOut(FrozenTail frozen, SegmentColumns all, BitSet chosen);

    /**
     * Until when that is due stays in memory which is sealed.
     *
     * @param segments those of the new snapshot, the earliest first
     * @param loadUntilMillis what is due by then stays whatever the form
     */
    long staysUntilMillis(List<SegmentEntry> segments, long loadUntilMillis);

    /** Whether a tail that was not written for this reason never will be. */
    boolean isForEver(StorageException failure);
}
