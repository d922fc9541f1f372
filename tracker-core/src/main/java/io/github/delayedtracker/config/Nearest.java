/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.Locale;
import java.util.Optional;

/**
 * The search for the word that a mistyped word was most likely meant to be: the word with the smallest edit distance, case aside;
 * the first of equals. A character inserted or deleted costs 1, a character replaced 2, so that a word cut short stays nearer to
 * its whole than to another word of its length.
 */
final class Nearest {

    private static final int LONGEST_COMPARED = 100;

    private Nearest() {
    }

    /** The nearest candidate; empty only if there are none. Compares the first 100 characters, so the cost is bounded. */
    static Optional<String> to(String word, Iterable<String> candidates) {
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = distance(comparable(word), comparable(candidate));
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 2);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    private static String comparable(String text) {
        return text.substring(0, Math.min(text.length(), LONGEST_COMPARED)).toLowerCase(Locale.ROOT);
    }
}
