/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

/** The other place to seal: where a ledger of the topic ends, as the stock bucket tracker does. */
public final class LedgerSeals {

    private LedgerSeals() {
    }

    /**
     * From now on a tail with as many positions as a seal is frozen when the first position of a later ledger comes, and in no
     * other place: {@link BucketIndex#sealAgain} gives it then, {@link BucketIndex#freeze} gives none. Before the first add.
     */
    public static void begin(BucketIndex index) {
        index.sealing.sealAtLedgers();
    }

    /** Whether a tail has ended and waits for its seal. */
    public static boolean isWanted(BucketIndex index) {
        return index.sealing.waits();
    }
}
