/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A table of all pairs has them all, in few rows. */
class PairwiseTest {

    private static Map<String, List<String>> table(int keys, int values) {
        Map<String, List<String>> table = new LinkedHashMap<>();
        for (int key = 0; key < keys; key++) {
            int number = key;
            table.put("key" + key, IntStream.range(0, key == 0 ? values + 2 : values).mapToObj(value ->
                    number + "/" + value).toList());
        }
        return table;
    }

    private static Set<String> pairs(List<Map<String, String>> rows) {
        Set<String> pairs = new HashSet<>();
        for (Map<String, String> row : rows) {
            row.values().forEach(one -> row.values().forEach(other -> pairs.add(one + " " + other)));
        }
        return pairs;
    }

    @Test
    void anyTwoValuesOfTwoKeysAreInARow() {
        for (long seed = 1; seed <= 5; seed++) {
            Map<String, List<String>> table = table(12, 3);
            Set<String> found = pairs(Pairwise.rows(table, seed));
            table.forEach((key, values) -> table.forEach((otherKey, others) -> values.forEach(one -> others.forEach(other ->
                    assertTrue(key.equals(otherKey) || found.contains(one + " " + other), one + " and " + other)))));
        }
    }

    @Test
    void everyRowHasAValueOfEveryKeyInTheOrderOfTheTable() {
        Map<String, List<String>> table = table(9, 2);
        for (Map<String, String> row : Pairwise.rows(table, 3)) {
            assertEquals(List.copyOf(table.keySet()), List.copyOf(row.keySet()));
            row.forEach((key, value) -> assertTrue(table.get(key).contains(value), key + " " + value));
        }
    }

    @Test
    void seventyKeysOfTwoValuesNeedFewRows() {
        int rows = Pairwise.rows(table(70, 2), 1).size();
        assertTrue(rows >= 8 && rows <= 20, "rows: " + rows);
    }

    @Test
    void theSameSeedMakesTheSameTable() {
        assertEquals(Pairwise.rows(table(10, 3), 9), Pairwise.rows(table(10, 3), 9));
    }

    @Test
    void aTableWithoutPairsIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Pairwise.rows(Map.of("one", List.of("1")), 1));
        assertThrows(IllegalArgumentException.class, () -> Pairwise.rows(Map.of("one", List.of("1"), "two", List.of()), 1));
    }
}
