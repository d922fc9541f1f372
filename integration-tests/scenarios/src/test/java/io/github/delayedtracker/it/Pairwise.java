/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A table of all pairs: whatever two values of two keys, some row has both. Rows are made one by one; of several candidates, each
 * grown from a pair that no row has yet, the one with the most new pairs is taken. The same seed makes the same table. Pure; work
 * grows with the square of the number of all values, a second for some 160.
 */
final class Pairwise {

    private static final int CANDIDATES = 20;

    private final List<String> keys;
    private final List<List<String>> values;
    /** Number of the first value of each key, in one count over all keys. */
    private final int[] offsets;
    /** The values that a value has not met yet, by number. */
    private final BitSet[] missing;
    private final Random random;

    private Pairwise(Map<String, List<String>> table, long seed) {
        keys = List.copyOf(table.keySet());
        values = List.copyOf(table.values());
        random = new Random(seed);
        offsets = new int[keys.size() + 1];
        for (int key = 0; key < keys.size(); key++) {
            offsets[key + 1] = offsets[key] + values.get(key).size();
        }
        int all = offsets[keys.size()];
        missing = new BitSet[all];
        for (int key = 0; key < keys.size(); key++) {
            for (int value = offsets[key]; value < offsets[key + 1]; value++) {
                missing[value] = new BitSet(all);
                missing[value].set(0, all);
                missing[value].clear(offsets[key], offsets[key + 1]);
            }
        }
    }

    /** The rows, each with a value of every key. A table needs two keys at least, and a value of each. */
    static List<Map<String, String>> rows(Map<String, List<String>> table, long seed) {
        if (table.size() < 2 || table.values().stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException("a table of pairs needs two keys and a value of each, got " + table);
        }
        Pairwise pairs = new Pairwise(table, seed);
        List<Map<String, String>> rows = new ArrayList<>();
        for (int[] row = pairs.next(); row.length > 0; row = pairs.next()) {
            rows.add(pairs.named(row));
        }
        return rows;
    }

    /** The numbers of the values of the next row; none if no pair is missing. */
    private int[] next() {
        int[] best = {};
        int mostNew = 0;
        for (int i = 0; i < CANDIDATES; i++) {
            int[] candidate = candidate();
            int fresh = newPairs(candidate);
            if (fresh > mostNew) {
                best = candidate;
                mostNew = fresh;
            }
        }
        for (int one : best) {
            for (int other : best) {
                missing[one].clear(other);
            }
        }
        return best;
    }

    /** A row that is begun with a missing pair, if there is one, and goes on with the values that bring the most. */
    private int[] candidate() {
        int[] row = new int[keys.size()];
        BitSet chosen = new BitSet(missing.length);
        List<Integer> open = new ArrayList<>();
        for (int key = 0; key < row.length; key++) {
            open.add(key);
        }
        Collections.shuffle(open, random);
        List<Integer> needy = new ArrayList<>();
        for (int value = 0; value < missing.length; value++) {
            if (!missing[value].isEmpty()) {
                needy.add(value);
            }
        }
        if (!needy.isEmpty()) {
            int one = needy.get(random.nextInt(needy.size()));
            choose(row, chosen, open, one);
            choose(row, chosen, open, missing[one].nextSetBit(0));
        }
        for (int key : List.copyOf(open)) {
            choose(row, chosen, open, mostWanted(key, chosen));
        }
        return row;
    }

    private void choose(int[] row, BitSet chosen, List<Integer> open, int value) {
        int key = 0;
        while (offsets[key + 1] <= value) {
            key++;
        }
        row[key] = value;
        chosen.set(value);
        open.remove(Integer.valueOf(key));
    }

    private int mostWanted(int key, BitSet chosen) {
        int count = offsets[key + 1] - offsets[key];
        int start = random.nextInt(count);
        int best = -1;
        int mostNew = -1;
        for (int i = 0; i < count; i++) {
            int value = offsets[key] + (start + i) % count;
            BitSet fresh = (BitSet) missing[value].clone();
            fresh.and(chosen);
            if (fresh.cardinality() > mostNew) {
                best = value;
                mostNew = fresh.cardinality();
            }
        }
        return best;
    }

    private int newPairs(int[] row) {
        int fresh = 0;
        for (int one : row) {
            for (int other : row) {
                fresh += missing[one].get(other) ? 1 : 0;
            }
        }
        return fresh / 2;
    }

    private Map<String, String> named(int[] row) {
        Map<String, String> named = new LinkedHashMap<>();
        for (int key = 0; key < row.length; key++) {
            named.put(keys.get(key), values.get(key).get(row[key] - offsets[key]));
        }
        return named;
    }
}
