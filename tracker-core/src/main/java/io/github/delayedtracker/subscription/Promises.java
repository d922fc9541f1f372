/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.PositionSet;

/**
 * The positions that were offered or asked for while a purge asks the cursor about some. They stay, whatever the cursor has said:
 * it may have been moved back over them in between, and a reader may have been told to skip them. Guarded by the subscription's
 * lock.
 */
final class Promises {

    private PositionSet promised;

    /** Begins to note positions, and drops the ones noted before. */
    void begin() {
        promised = new PositionSet();
    }

    void end() {
        promised = null;
    }

    /** Notes a position that was offered or asked for, whatever the answer. */
    void note(long ledgerId, long entryId) {
        if (promised != null) {
            promised.add(ledgerId, entryId);
        }
    }

    boolean has(long ledgerId, long entryId) {
        return promised != null && promised.contains(ledgerId, entryId);
    }
}
