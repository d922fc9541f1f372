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

/** Tails end anywhere, and snapshots have all of them: those of the plugin's own form. */
record SealAnywhere(int agePositions) implements SealRule {

    @Override
    public void leaveOut(FrozenTail frozen, SegmentColumns all, BitSet chosen) {
        // Nothing is.
    }

    @Override
    public long staysUntilMillis(List<SegmentEntry> segments, long loadUntilMillis) {
        return loadUntilMillis;
    }

    @Override
    public boolean isForEver(StorageException failure) {
        return false;
    }
}
