/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.backend.StoredRuns;
import io.github.delayedtracker.bucket.index.SegmentLoading.AsleepSegment;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.index.DueRun;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A look at positions that are in storage only: it reads their segments and keeps nothing of them.
 *
 * <p>Policy. Segments are read in the order of their first due times, {@value #MOST_READS} at most, and all that begin where the
 * look does: there are as many as buckets. Each read comes after what is under way with its ledger, and goes beside loads. The
 * look has {@value #MOST_SECONDS} s.
 */
final class StoredLook implements StoredRuns {

    static final int MOST_READS = 16;
    private static final long MOST_SECONDS = 20;

    /** Where nothing is stored. */
    static final StoredRuns NOTHING = () -> CompletableFuture.completedFuture(new Read(List.of(), Long.MAX_VALUE));
    /** Where it is not known yet what is stored. */
    static final StoredRuns UNKNOWN = () -> CompletableFuture.failedFuture(new UnreadException(
            "the stored part of the schedule is not read back yet; try again", null));

    private final ChoreTasks tasks;
    private final LoadChore.Read reads;
    private final List<AsleepSegment> asleep;
    private final long fromMillis;
    private final long untilMillis;

    StoredLook(ChoreTasks tasks, LoadChore.Read reads, List<AsleepSegment> asleep, long fromMillis, long untilMillis) {
        this.tasks = tasks;
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
        List<AsleepSegment> chosen = inOrder.subList(0, Math.min(most, inOrder.size()));
        long completeUntilMillis = most < inOrder.size() ? inOrder.get(most).entry().firstDueMillis() - 1 : Long.MAX_VALUE;
        List<CompletableFuture<DueRun>> begun = chosen.stream().map(this::read).toList();
        return CompletableFuture.allOf(begun.toArray(CompletableFuture[]::new)).orTimeout(MOST_SECONDS, TimeUnit.SECONDS)
                .thenApply(done -> new Read(begun.stream().map(CompletableFuture::join).toList(), completeUntilMillis))
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(new UnreadException(
                        "a stored part of the schedule cannot be read now; try again: " + Futures.cause(failure), failure)));
    }

    private CompletableFuture<DueRun> read(AsleepSegment segment) {
        long ledgerId = segment.ref().ledgerId();
        CompletableFuture<SegmentColumns> columns = tasks.ofLedger(ledgerId, () -> reads.segment(ledgerId,
                Collections.nCopies(segment.segments(), segment.entry()), segment.ref().number()));
        return columns.thenApply(read -> AsleepSegment.run(read, fromMillis, untilMillis));
    }
}
