/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

/**
 * A key of the executor: a subscription or one of its ledgers. Tasks with the same key run one at a time. Loads have the key of
 * their ledger, so that a slow one delays its bucket alone. Everything that writes has the key of the subscription.
 *
 * @param topic name of the managed ledger
 * @param cursor name of the cursor
 * @param ledgerId the ledger, or {@link #WHOLE} for the subscription
 */
public record BucketKey(String topic, String cursor, long ledgerId) {

    /** The ledger id that stands for the subscription as a whole. */
    public static final long WHOLE = -1;
    /** The ledger id that stands for the merges of the subscription. */
    static final long MERGES = -2;

    BucketKey of(long oneLedgerId) {
        return new BucketKey(topic, cursor, oneLedgerId);
    }

    @Override
    public String toString() {
        return topic + " / " + cursor + (ledgerId < 0 ? "" : " / ledger " + ledgerId);
    }
}
