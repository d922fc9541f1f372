/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Segments are written anew outside the calls of the index, while positions go on to leave. */
class RewriteTest {

    private static final int SEGMENT = 1_024;
    private static final long FIRST_MILLIS = 1_700_000_000_000L;

    private final TimeBucketIndex index = new TimeBucketIndex(SEGMENT);
    private final Set<Long> left = new HashSet<>();

    /** Full segments, of which three in four positions are gone. */
    private void thinOut(int segments) {
        for (long entry = 0; entry < (long) segments * SEGMENT; entry++) {
            assertTrue(index.add(FIRST_MILLIS + entry * 7_919 % 600_000, 5, entry));
            index.takeWork().ifPresent(Runnable::run);
            left.add(entry);
        }
        index.takeDue(0, 1, (ledgerId, entryId) -> { });
        LongStream.range(0, (long) segments * SEGMENT).filter(entry -> entry % 4 != 0).forEach(this::forget);
    }

    private void forget(long entry) {
        assertEquals(left.remove(entry), index.forget(5, entry));
    }

    /** Tidies until a rewrite is passed on. */
    private Runnable begun() {
        Optional<Runnable> work = Optional.empty();
        for (int calls = 0; work.isEmpty(); calls++) {
            assertTrue(calls < 100, "nothing is written anew");
            assertTrue(index.tidy(64));
            work = index.takeWork();
        }
        return work.get();
    }

    private void drain() {
        List<Long> taken = new ArrayList<>();
        while (index.size() > 0) {
            index.takeDue(Long.MAX_VALUE, 100, (ledgerId, entryId) -> taken.add(entryId));
        }
        assertEquals(left, new HashSet<>(taken));
        assertEquals(left.size(), taken.size());
    }

    @Test
    @DisplayName("X4: a call does not wait for what is written anew, nor does it itself")
    void x4ACallLeavesTheWorkToWhoeverHasTakenIt() {
        thinOut(4);
        Runnable work = begun();
        long bytes = index.retainedBytes();
        for (int calls = 0; calls < 1_000; calls++) {
            assertTrue(index.tidy(64));
            assertTrue(index.takeWork().isEmpty(), "each piece is passed on once");
        }
        assertEquals(bytes, index.retainedBytes());
        work.run();
        index.tidy(64);
        assertTrue(index.retainedBytes() < bytes, index.retainedBytes() + " bytes after " + bytes);
        index.validate();
        drain();
    }

    @Test
    void whatLeavesMeanwhileDoesNotComeBack() {
        thinOut(16);
        Random random = new Random(3);
        for (int round = 0; round < 3; round++) {
            Runnable work = begun();
            boolean early = random.nextBoolean();
            if (early) {
                work.run();
            }
            new ArrayList<>(left).stream().limit(20).forEach(this::forget);
            index.takeDue(Long.MAX_VALUE, 10, (ledgerId, entryId) -> left.remove(entryId));
            if (random.nextInt(8) == 0) {
                long upTo = left.stream().mapToLong(Long::longValue).min().orElseThrow() + 200;
                left.removeIf(entry -> entry <= upTo);
                index.forgetUpTo(5, upTo);
            }
            if (!early) {
                work.run();
            }
            index.tidy(64);
            index.validate();
            assertEquals(left.size(), index.size());
            List<Long> ascending = left.stream().sorted().toList();
            IntStream.range(0, ascending.size()).filter(i -> i % 8 != 0).forEach(i -> forget(ascending.get(i)));
        }
        drain();
    }

    @Test
    @DisplayName("X4: what has left meanwhile leaves the new segment over several calls")
    void x4WhatHasLeftMeanwhileIsLookedUpInSlices() {
        thinOut(16);
        Runnable work = begun();
        work.run();
        left.stream().sorted().limit(450).toList().forEach(this::forget);
        int calls = 0;
        while (index.takeWork().isEmpty()) {
            assertTrue(index.tidy(64));
            index.validate();
            assertEquals(left.size(), index.size());
            calls++;
            assertTrue(calls < 100, "nothing is written anew after it");
        }
        assertTrue(calls > 2, "all at once, in " + calls + " calls");
        drain();
    }

    @Test
    void aSegmentThatIsGoneMeanwhileStaysGone() {
        thinOut(2);
        Runnable work = begun();
        work.run();
        left.clear();
        index.forgetUpTo(5, Long.MAX_VALUE);
        while (index.tidy(64)) {
            index.validate();
        }
        assertEquals(0, index.size());
        assertFalse(index.contains(5, 4));
    }

    @Test
    void workThatWasDroppedIsDoneInTheEnd() {
        thinOut(4);
        long bytes = index.retainedBytes();
        begun();
        int calls = 0;
        while (index.retainedBytes() >= bytes) {
            index.tidy(64);
            calls++;
            assertTrue(calls < 20_000, "the work is not done");
        }
        drain();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void workOnAnotherThreadSeesNothingOfWhatLeavesMeanwhile() throws InterruptedException {
        thinOut(4);
        for (int round = 0; round < 50 && left.size() > 300; round++) {
            index.tidy(64);
            Optional<Runnable> work = index.takeWork();
            Thread thread = new Thread(work.orElse(() -> { }));
            thread.start();
            new ArrayList<>(left).stream().limit(15).forEach(this::forget);
            index.takeDue(Long.MAX_VALUE, 15, (ledgerId, entryId) -> left.remove(entryId));
            thread.join();
            index.tidy(64);
            index.validate();
            assertEquals(left.size(), index.size());
        }
        drain();
    }
}
