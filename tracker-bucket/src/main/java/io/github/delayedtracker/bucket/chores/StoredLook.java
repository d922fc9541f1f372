/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.StoredRuns;
import io.github.delayedtracker.bucket.index.SegmentLoading.AsleepSegment;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.index.DueRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * A look at positions that are in storage only: it reads their segments and keeps nothing of them.
 *
 * <p>Policy. Segments are read in the order of their first due times, {@value #MOST_READS} at most, and all that begin no later
 * than the look: there are as many as buckets, and more where many positions are due at one time. Beyond {@value #MOST_AT_ONCE}
 * the look fails. {@value #READS_AT_A_TIME} reads are under way at a time, beside the loads; the look has
 * {@value #MOST_SECONDS} s, after which none is begun.
 */
final class StoredLook implements StoredRuns {

    static final int MOST_READS = 16;
    static final int MOST_AT_ONCE = 256;
    private static final int READS_AT_A_TIME = 4;
    private static final long MOST_SECONDS = 20;

    /** Where nothing is stored. */
    static final StoredRuns NOTHING = () -> CompletableFuture.completedFuture(new Read(List.of(), Long.MAX_VALUE));
    /** Where it is not known yet what is stored. */
    static final StoredRuns UNKNOWN = () -> CompletableFuture.failedFuture(new UnreadException(
            "the stored part of the schedule is not read back yet; try again", null));

    private final LoadChore.Read reads;
    private final List<AsleepSegment> asleep;
    private final long fromMillis;
    private final long untilMillis;

    StoredLook(LoadChore.Read reads, List<AsleepSegment> asleep, long fromMillis, long untilMillis) {
        this.reads = reads;
        this.asleep = asleep;
        this.fromMillis = fromMillis;
        this.untilMillis = untilMillis;
    }

    @Override
    public CompletableFuture<Read> read() {
        List<AsleepSegment> inOrder = new ArrayList<>(asleep);
        inOrder.sort(Comparator.comparingLong(each -> each.entry().firstDueMillis()));
        int most = MOST_READS;
        while (most < inOrder.size() && inOrder.get(most).entry().firstDueMillis() <= fromMillis) {
            most++;
        }
        if (most > MOST_AT_ONCE) {
            return CompletableFuture.failedFuture(new UnreadException("at most " + MOST_AT_ONCE + " stored parts of the schedule"
                    + " are read for one answer, here there are more than that at one time", null));
        }
        List<AsleepSegment> chosen = inOrder.subList(0, Math.min(most, inOrder.size()));
        long completeUntilMillis = most < inOrder.size() ? inOrder.get(most).entry().firstDueMillis() - 1 : Long.MAX_VALUE;
        AtomicReferenceArray<DueRun> runs = new AtomicReferenceArray<>(chosen.size());
        AtomicInteger next = new AtomicInteger();
        List<CompletableFuture<Void>> lanes = new ArrayList<>();
        for (int i = 0; i < Math.min(READS_AT_A_TIME, chosen.size()); i++) {
            lanes.add(Futures.whileTrue(() -> readNext(chosen, next, runs)));
        }
        return CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new)).orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                .whenComplete((done, failure) -> next.set(chosen.size()))
                .thenApply(done -> new Read(IntStream.range(0, chosen.size()).mapToObj(runs::get).toList(), completeUntilMillis))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(new UnreadException(
                        "a stored part of the schedule cannot be read now; try again: " + Futures.cause(failure), failure)));
    }

    private CompletableFuture<Boolean> readNext(List<AsleepSegment> chosen, AtomicInteger next,
            AtomicReferenceArray<DueRun> runs) {
        int at = next.getAndIncrement();
        if (at >= chosen.size()) {
            return Futures.NO_MORE;
        }
        AsleepSegment segment = chosen.get(at);
        return Futures.begun(() -> reads.segment(segment.ref().ledgerId(),
                Collections.nCopies(segment.segments(), segment.entry()), segment.ref().number())).thenApply(read -> {
                    runs.set(at, AsleepSegment.run(read, fromMillis, untilMillis));
                    return true;
                });
    }
}
