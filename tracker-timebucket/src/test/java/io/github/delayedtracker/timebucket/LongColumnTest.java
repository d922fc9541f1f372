/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A column of the tail against a list, and what it weighs. */
class LongColumnTest {

    private static final int RUNS = 400;
    private static final int STEPS = 600;

    @Test
    void itAgreesWithAList() {
        long firstSeed = new Random().nextLong();
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(firstSeed + run);
            try {
                compare(random, run % 7);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + (firstSeed + run) + ", kind " + run % 7, e);
            }
        }
    }

    @Test
    void numbersThatFollowEachOtherTakeNoBytes() {
        LongColumn column = new LongColumn();
        for (int i = 0; i < 10_000; i++) {
            append(column, i, 1_000_000_000_000L + 512L * i);
        }
        assertEquals(LongColumn.OBJECT_BYTES, column.retainedBytes());
        assertEquals(1_000_000_000_000L + 512L * 9_999, column.get(9_999));
    }

    @Test
    void numbersWithin64KUnitsOfEachOtherTakeTwoBytes() {
        LongColumn column = new LongColumn();
        Random random = new Random(3);
        for (int i = 0; i < 10_000; i++) {
            append(column, i, 1_700_000_000_000L + 512L * random.nextInt(65_536));
        }
        column.trim(10_000);
        assertTrue(column.retainedBytes() <= 2 * 16_384 + 64, column.retainedBytes() + " bytes");
    }

    @Test
    @DisplayName("X5: with units of each power of two, and of two and four bytes, no number comes back as another")
    void x5NoNumberComesBackAsAnother() {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        for (int shift = 0; shift < 63; shift++) {
            for (int bits = 1; bits <= 34 && shift + bits <= 63; bits++) {
                for (int low = -1; low <= shift; low++) {
                    keepsUnitsAndWhatLiesBetween(random, shift, bits, low, "-Ddelayed.test.seed=" + seed);
                }
            }
        }
    }

    /** A column of multiples of a unit, then one that differs from such in a lower bit, if there is one. */
    private static void keepsUnitsAndWhatLiesBetween(Random random, int shift, int bits, int low, String seed) {
        LongColumn column = new LongColumn();
        List<Long> list = new ArrayList<>();
        long base = random.nextBoolean() ? 0 : random.nextLong(Long.MAX_VALUE - (((1L << bits) - 1) << shift)) + 1;
        for (int i = 0; i < 4; i++) {
            long units = i == 0 ? 0 : i == 1 ? (1L << bits) - 1 : random.nextLong(1L << bits);
            append(column, list.size(), base + (units << shift));
            list.add(base + (units << shift));
        }
        long between = base + (low < 0 ? 0 : random.nextLong(1L << low) << shift - low);
        int at = random.nextInt(list.size() + 1);
        if (at == list.size()) {
            append(column, at, between);
        } else {
            column.insert(at, list.size(), between);
        }
        list.add(at, between);
        for (int i = 0; i < list.size(); i++) {
            assertEquals(list.get(i), column.get(i), "units of 2^" + shift + " in " + bits + " bits, " + seed);
        }
    }

    private static void compare(Random random, int kind) {
        LongColumn column = new LongColumn();
        List<Long> list = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int choice = random.nextInt(20);
            if (choice < 14 || list.isEmpty()) {
                long number = number(random, kind, step);
                append(column, list.size(), number);
                list.add(number);
            } else if (choice < 17) {
                long number = number(random, kind, step);
                int at = random.nextInt(list.size() + 1);
                long before = column.retainedBytes();
                assertEquals(column.insert(at, list.size(), number), column.retainedBytes() - before);
                list.add(at, number);
            } else if (choice == 17 && random.nextBoolean()) {
                column = removeMarked(column, list, random);
            } else if (choice < 19) {
                int from = random.nextInt(list.size());
                int to = from + random.nextInt(Math.min(list.size() - from, 8) + 1);
                column.remove(from, to, list.size());
                list.subList(from, to).clear();
            } else if (random.nextInt(20) == 0) {
                column.remove(0, list.size(), list.size());
                list.clear();
            } else {
                column.trim(list.size());
            }
            check(column, list);
            if (!list.isEmpty()) {
                checkRows(column, list, random);
            }
        }
    }

    private static void checkRows(LongColumn column, List<Long> list, Random random) {
        int from = random.nextInt(list.size());
        int to = from + 1 + random.nextInt(list.size() - from);
        LongColumn rows = column.rows(from, to);
        check(rows, list.subList(from, to));
        List<Long> more = new ArrayList<>(list.subList(from, to));
        append(rows, more.size(), 9);
        more.add(9L);
        check(rows, more);
        check(column, list);
    }

    @Test
    @DisplayName("X1: the first number that is not smaller than another is found, whatever the form and the other")
    void x1TheCeilingOfANumberIsFound() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(firstSeed + run);
            LongColumn column = new LongColumn();
            List<Long> list = new ArrayList<>();
            int bits = 1 + random.nextInt(63);
            int shift = random.nextInt(bits);
            boolean inStep = random.nextInt(4) == 0;
            long[] sorted = random.longs(1 + random.nextInt(40), 0, 1L << bits - 1).sorted().toArray();
            for (int i = 0; i < sorted.length; i++) {
                long number = inStep ? sorted[0] / 2 + (long) i * bits : sorted[i] & -1L << shift;
                append(column, i, number);
                list.add(number);
            }
            for (int look = 0; look < 100; look++) {
                long near = list.get(random.nextInt(list.size())) + random.nextInt(3) - 1;
                long far = look == 0 ? Long.MAX_VALUE : look == 1 ? -1 : random.nextLong(1L << bits - 1);
                long number = look > 1 && look % 2 == 0 ? near : far;
                int from = random.nextInt(list.size() + 1);
                int to = from + random.nextInt(list.size() - from + 1);
                int expected = from + (int) list.subList(from, to).stream().filter(other -> other < number).count();
                assertEquals(expected, column.ceiling(from, to, number), number + " in " + list);
            }
        }
    }

    private static long number(Random random, int kind, int step) {
        return switch (kind) {
            case 0 -> 7;
            case 1 -> 5_000L + step;
            case 2 -> (1_700_000_000_000L + random.nextInt(600_000)) & -512L;
            case 3 -> random.nextInt(100) == 0 ? Long.MAX_VALUE : random.nextInt(1 << random.nextInt(31));
            case 4 -> random.nextLong(1L << 1 + random.nextInt(62));
            case 5 -> 1_700_000_000_000L + ((long) random.nextInt(3) << 30 + random.nextInt(32)) + random.nextInt(3) * 512L;
            default -> random.nextInt(40) < 39 ? 100L * step : random.nextLong(1L << 40);
        };
    }

    /** Removes about as many as a random share, in a copy; what was copied stays as it was. */
    private static LongColumn removeMarked(LongColumn column, List<Long> list, Random random) {
        int every = 1 + random.nextInt(1 << random.nextInt(8));
        long[] marks = new long[list.size() + 63 >>> 6];
        List<Long> left = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            if (random.nextInt(every) == 0) {
                marks[i >>> 6] |= 1L << i;
            } else {
                left.add(list.get(i));
            }
        }
        assertEquals(left.stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE),
                column.leastUnmarked(list.size(), marks));
        LongColumn copy = column.copy(list.size());
        copy.removeMarked(marks, list.size(), left.size());
        check(column, list);
        list.clear();
        list.addAll(left);
        return copy;
    }

    private static void append(LongColumn column, int count, long number) {
        if (!column.append(count, number)) {
            column.insert(count, count, number);
        }
    }

    private static void check(LongColumn column, List<Long> list) {
        long[] copy = new long[list.size() + 1];
        column.copyTo(copy, 1, list.size());
        for (int i = 0; i < list.size(); i++) {
            assertEquals(list.get(i), column.get(i), "index " + i);
            assertEquals(list.get(i), copy[i + 1], "copy, index " + i);
        }
        if (!list.isEmpty()) {
            long limit = list.get(list.size() / 2) + list.size() % 3 - 1;
            assertMarkedUpTo(limit, column, list);
            assertMarkedUpTo(Long.MAX_VALUE, column, list);
            assertEquals(list.stream().mapToLong(Long::longValue).min().orElseThrow(), column.least(list.size()));
        }
    }

    private static void assertMarkedUpTo(long limit, LongColumn column, List<Long> list) {
        long[] marks = new long[list.size() + 63 >>> 6];
        int marked = column.markUpTo(limit, list.size(), marks);
        for (int i = 0; i < list.size(); i++) {
            boolean expected = list.get(i) <= limit;
            assertEquals(expected, (marks[i >>> 6] >>> i & 1) == 1, "up to " + limit + ", index " + i);
            marked -= expected ? 1 : 0;
        }
        assertEquals(0, marked);
    }
}
