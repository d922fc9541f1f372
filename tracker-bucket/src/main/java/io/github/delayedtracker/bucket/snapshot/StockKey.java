/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of the cursor property that names a stock snapshot's ledger. It holds the range of the topic's ledgers with positions.
 *
 * @param firstLedgerId the least ledger id
 * @param lastLedgerId the greatest
 */
public record StockKey(long firstLedgerId, long lastLedgerId) {

    /** The prefix of the name of such a property. */
    public static final String PREFIX = "#pulsar.internal.delayed.bucket_";

    private static final Pattern RANGE = Pattern.compile("([0-9]{1,19})_([0-9]{1,19})");

    /** Reads a name without the prefix; empty if stock would not have written it. */
    public static Optional<StockKey> parse(String name) {
        Matcher range = RANGE.matcher(name);
        if (!range.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new StockKey(Long.parseLong(range.group(1)), Long.parseLong(range.group(2))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The name without the prefix. */
    public String name() {
        return firstLedgerId + "_" + lastLedgerId;
    }

    /** The whole name. */
    public String property() {
        return PREFIX + name();
    }
}
