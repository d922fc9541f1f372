/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * A program for a JVM of a small heap: an index meets a full heap with some adds, and must have afterwards what it had before,
 * each position once. {@code FullHeap sheet} fails while what is noted grows, {@code FullHeap late} while a full late part goes
 * to be sealed. It prints what it held and found, and ends with 1 if that differs.
 */
final class FullHeap {

    private static final long DUE_MILLIS = 1_700_000_000_000L;
    private static final int LATE_BY = 4_000;
    private static final int MOST_ADDS = 2_000_000;
    private static final int ENOUGH_ADDS = 100_000;
    private static final int ADDS_AFTER = 20_000;
    private static final int LARGEST = 1 << 20;
    private static final int SMALLEST = 1 << 10;
    /** Small arrays fit. */
    private static final int LEFT = 20 << 10;
    private static final int TIMES = 8;

    private final TimeBucketIndex index = new TimeBucketIndex();
    private final BitSet held = new BitSet();
    private final Random random = new Random(1);
    private int adds;

    /** Adds one ledger each, half of them late. */
    private void add() {
        adds++;
        int ledger = random.nextBoolean() ? Math.max(0, adds - random.nextInt(LATE_BY)) : adds;
        if (index.add(DUE_MILLIS + 512L * random.nextInt(1 << 20), ledger, 0)) {
            held.set(ledger);
        }
        index.takeWork().ifPresent(Runnable::run);
    }

    private void addUntil(BooleanSupplier ready) {
        while (!ready.getAsBoolean()) {
            if (adds > MOST_ADDS) {
                throw new IllegalStateException("the state that is tested did not come in " + adds + " adds");
            }
            add();
        }
    }

    private void toAFullSheet() {
        addUntil(() -> adds > ENOUGH_ADDS && index.recent != null && index.recent.isFull());
    }

    /** A late part one short of full, of which some is in order and some is not. */
    private void toAFullLatePart() {
        int full = PartSizes.late(PartSizes.SEGMENT);
        addUntil(() -> adds > ENOUGH_ADDS && index.notesAdds() && index.late != null && index.late.count() == full / 8 * 5);
        // Puts all so far in order.
        index.late.countDueBy(new long[0], new long[0]);
        addUntil(() -> index.late.count() == full - 1);
    }

    /** Adds a late one with no room left in the heap; answers whether that failed. */
    private boolean addToAFullHeap() {
        int ledger = held.nextClearBit(adds - LATE_BY / 2);
        List<byte[]> ballast = new ArrayList<>(1 << 16);
        try {
            for (int size = LARGEST; size >= SMALLEST; size /= 8) {
                fill(ballast, size);
            }
            for (int left = 0; left < LEFT; left += SMALLEST) {
                ballast.remove(ballast.size() - 1);
            }
            index.add(DUE_MILLIS, ledger, 0);
            ballast.clear();
            held.set(ledger);
            return false;
        } catch (OutOfMemoryError e) {
            ballast.clear();
            held.set(ledger, index.contains(ledger, 0));
            return true;
        }
    }

    @SuppressWarnings("EmptyCatch")
    private static void fill(List<byte[]> ballast, int size) {
        try {
            while (true) {
                ballast.add(new byte[size]);
            }
        } catch (OutOfMemoryError full) {
            // As it should be: the next size is tried.
        }
    }

    private long lost() {
        return held.stream().filter(ledger -> !index.contains(ledger, 0)).count();
    }

    private boolean isWhole() {
        for (int i = 0; i < ADDS_AFTER; i++) {
            add();
        }
        long lost = lost();
        long twice = held.stream().filter(ledger -> index.add(DUE_MILLIS, ledger, 0)).count();
        BitSet out = new BitSet();
        long[] outTwice = new long[1];
        long size = index.size();
        while (index.takeDue(Long.MAX_VALUE, ADDS_AFTER, (ledgerId, entryId) -> {
            outTwice[0] += out.get((int) ledgerId) ? 1 : 0;
            out.set((int) ledgerId);
        }) > 0) { }
        System.out.printf("held %d, size %d, lost %d, added twice %d, handed out %d, twice %d%n", held.cardinality(), size, lost,
                twice, out.cardinality(), outTwice[0]);
        return size == held.cardinality() && lost + twice + outTwice[0] == 0 && out.equals(held);
    }

    public static void main(String[] arguments) {
        FullHeap test = new FullHeap();
        int failed = 0;
        for (int i = 0; i < TIMES; i++) {
            if (arguments[0].equals("sheet")) {
                test.toAFullSheet();
            } else {
                test.toAFullLatePart();
            }
            failed += test.addToAFullHeap() ? 1 : 0;
            if (test.lost() > 0) {
                System.out.printf("time %d: lost %d of %d%n", i, test.lost(), test.held.cardinality());
                System.exit(1);
            }
            test.add();
        }
        System.out.println(failed + " adds of " + TIMES + " have failed");
        System.exit(failed > 0 && test.isWhole() ? 0 : 1);
    }
}
