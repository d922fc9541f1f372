/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.List;

/**
 * How far the ledgers have been looked at.
 *
 * @param afterLedgerId all ledgers up to this one have been looked at in this round; -1 between rounds
 * @param sinceMillis when the round began, or between rounds when the last one ended; broker wall time, epoch milliseconds
 * @param by a random name of the sweep that has come so far, which makes its texts its own
 */
record SweepPlace(long afterLedgerId, long sinceMillis, String by) {

    /** The name of the value that the brokers of the cluster share. */
    static final String NAME = "sweep-place";
    static final long BEFORE_THE_FIRST = -1;

    private static final String WHAT = "the place of the sweep";
    private static final int WORDS = 3;

    boolean isBetweenRounds() {
        return afterLedgerId == BEFORE_THE_FIRST;
    }

    String encode() {
        return SharedText.of(Long.toString(afterLedgerId), Long.toString(sinceMillis), by);
    }

    /** Fails with NEWER_VERSION or CORRUPT. */
    static SweepPlace decode(String text) throws StorageException {
        List<String> words = SharedText.words(WHAT, text);
        if (words.size() != WORDS) {
            throw SharedText.corrupt(WHAT, text);
        }
        long afterLedgerId = SharedText.number(WHAT, words.get(0));
        if (afterLedgerId < BEFORE_THE_FIRST) {
            throw SharedText.corrupt(WHAT, text);
        }
        return new SweepPlace(afterLedgerId, SharedText.number(WHAT, words.get(1)), words.get(2));
    }
}
