/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.SplittableRandom;

/**
 * The positions of the delayed messages.
 *
 * @param delayedShare the share of the entries of the topic that is delayed; below 1 they are chosen at random
 * @param entriesPerLedger entries in a ledger
 * @param ledgerGap 0 for entries one after the other; else every message is in a ledger of its own, at a random entry, and this
 *     is the mean distance of their ledger ids
 */
record Layout(double delayedShare, int entriesPerLedger, int ledgerGap) {

    static final int USUAL_ENTRIES_PER_LEDGER = 50_000;

    /** Every entry of the topic is delayed. */
    static final Layout DENSE = new Layout(1, USUAL_ENTRIES_PER_LEDGER, 0);

    private static final long FIRST_LEDGER_ID = 1_000;

    static Layout share(double delayedShare) {
        return new Layout(delayedShare, USUAL_ENTRIES_PER_LEDGER, 0);
    }

    static Layout onePerLedger(int meanGap) {
        return new Layout(1, USUAL_ENTRIES_PER_LEDGER, meanGap);
    }

    /** Positions in ascending order. */
    final class Positions {
        private final SplittableRandom random;
        private long serial = -1;
        private long ledgerId = FIRST_LEDGER_ID;
        private long entryId;

        Positions(SplittableRandom random) {
            this.random = random;
        }

        void next() {
            if (ledgerGap > 0) {
                serial++;
                ledgerId += geometric(1.0 / ledgerGap);
                entryId = random.nextLong(entriesPerLedger);
            } else {
                serial += delayedShare < 1 ? geometric(delayedShare) : 1;
                ledgerId = FIRST_LEDGER_ID + serial / entriesPerLedger;
                entryId = serial % entriesPerLedger;
            }
        }

        long ledgerId() {
            return ledgerId;
        }

        long entryId() {
            return entryId;
        }

        /** The number of delayed messages up to here if they were spread evenly. */
        double published() {
            return ledgerGap > 0 ? serial : serial * delayedShare;
        }

        private long geometric(double probability) {
            return 1 + (long) (Math.log(1 - random.nextDouble()) / Math.log1p(-probability));
        }
    }
}
