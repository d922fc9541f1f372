/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.command;

/**
 * The name of a message as its producer knows it: the id that {@code send} has returned.
 *
 * @param partition of the topic, or {@link #NONE} if the name does not tell
 * @param batchIndex of a message within its entry, or {@link #NONE} if it names the entry
 */
public record MessageName(long ledgerId, long entryId, int partition, int batchIndex) {

    /** No partition, or no batch index. */
    public static final int NONE = -1;

    private static final int LONGEST = 64;

    /**
     * Reads {@code ledger:entry}, {@code ledger:entry:partition} or {@code ledger:entry:partition:batch}, as
     * {@code MessageId.toString()} writes it. A partition or batch index of -1 tells none.
     *
     * @throws IllegalArgumentException with a message that names the text and the rule
     */
    public static MessageName parse(String text) {
        String[] parts = text.length() > LONGEST ? new String[0] : text.split(":", -1);
        if (parts.length < 2 || parts.length > 4) {
            throw bad(text);
        }
        long[] numbers = {0, 0, NONE, NONE};
        for (int i = 0; i < parts.length; i++) {
            try {
                numbers[i] = Long.parseLong(parts[i]);
            } catch (NumberFormatException e) {
                throw bad(text);
            }
            if (numbers[i] < (i < 2 ? 0 : NONE) || i >= 2 && numbers[i] > Integer.MAX_VALUE) {
                throw bad(text);
            }
        }
        return new MessageName(numbers[0], numbers[1], (int) numbers[2], (int) numbers[3]);
    }

    private static IllegalArgumentException bad(String text) {
        String shown = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        return new IllegalArgumentException("a message id is ledger:entry, ledger:entry:partition or"
                + " ledger:entry:partition:batch, in numbers from 0 on; this is '" + printable(shown) + "'");
    }

    /** The text with all that is no printable ASCII replaced, so that it can be shown and logged. */
    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }

    @Override
    public String toString() {
        return ledgerId + ":" + entryId + (partition == NONE && batchIndex == NONE ? "" : ":" + partition)
                + (batchIndex == NONE ? "" : ":" + batchIndex);
    }
}
