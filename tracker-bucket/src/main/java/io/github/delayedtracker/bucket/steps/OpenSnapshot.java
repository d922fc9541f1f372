/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SnapshotHead;

/**
 * A snapshot whose head was read and is this subscription's.
 *
 * @param head what its head says; its set of positions is handed over
 * @param firstSegmentEntry the number of the entry in which the first segment stands
 * @param segments to read on; holds a handle open until it is closed
 */
record OpenSnapshot(SnapshotHead head, long firstSegmentEntry, SegmentSource segments) {

    /** The ledger of the snapshot. */
    public long ledgerId() {
        return segments.ledgerId();
    }

    /** Lets the handle go. Idempotent. */
    public void close() {
        segments.close();
    }
}
