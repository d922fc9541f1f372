/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.index.PositionSink;

/** The mark-delete position of a subscription as it was when asked for; before every other one while it is unknown. */
final class MarkDelete implements PositionSink {

    private long ledgerId = -1;
    private long entryId = -1;

    private MarkDelete() {
    }

    static MarkDelete of(IndexHost host) {
        MarkDelete now = new MarkDelete();
        host.markDelete(now);
        return now;
    }

    @Override
    public void accept(long ledger, long entry) {
        ledgerId = ledger;
        entryId = entry;
    }

    long ledgerId() {
        return ledgerId;
    }

    long entryId() {
        return entryId;
    }

    /** Whether a position is acknowledged with everything before it. */
    boolean covers(long ledger, long entry) {
        return ledger < ledgerId || ledger == ledgerId && entry <= entryId;
    }
}
