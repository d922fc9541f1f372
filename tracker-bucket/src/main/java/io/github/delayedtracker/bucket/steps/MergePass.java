/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One pass over the sources of a merge in (time, ledger, entry) order. In memory are two decoded segments of each source, the
 * second one read ahead, and the one being put together. The pass goes on segment by segment, so no thread is held for longer
 * than one segment takes.
 */
final class MergePass {

    /** The purpose of a pass. */
    interface Use {

        /** The choice of positions from a source's next segment. */
        MergeSource.Choice choice(int source);

        /** Whether a position is taken; asked in order. */
        boolean takes(long ledgerId, long entryId);

        /** Takes a full segment. Answers when the pass may go on. */
        CompletableFuture<Void> sealed(SealedSegment segment);

        /** Takes note of the bytes of a segment that was read. Answers when the pass may go on. */
        CompletableFuture<Void> read(int bytes);
    }

    private final List<MergeSource> sources;
    private final SegmentBuilder builder;
    private final Use use;
    /** Whether the storage has answered once. Until then it is asked for one segment alone. */
    private boolean hasRead;

    MergePass(List<MergeSource> sources, SegmentBuilder builder, Use use) {
        this.sources = sources;
        this.builder = builder;
        this.use = use;
    }

    /** Runs from the start to the end; when it answers, nothing is being read and the sources' handles are closed. */
    CompletableFuture<Void> run() {
        sources.forEach(MergeSource::rewind);
        builder.clear();
        return Futures.either(Futures.whileTrue(this::turn), done -> closed(),
                failure -> closed().thenCompose(closed -> CompletableFuture.failedFuture(failure)));
    }

    private CompletableFuture<Void> closed() {
        return CompletableFuture.allOf(sources.stream().map(MergeSource::close).toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<Boolean> turn() {
        sources.forEach(hasRead ? MergeSource::readAhead : MergeSource::passOver);
        for (int i = 0; i < sources.size(); i++) {
            MergeSource source = sources.get(i);
            if (source.wantsSegment()) {
                int bytes = source.nextBytes();
                return source.readNext(use.choice(i)).thenCompose(done -> use.read(bytes)).thenApply(done -> hasRead = true);
            }
        }
        return emit();
    }

    /** Takes positions until a segment has to be read or is full. */
    private CompletableFuture<Boolean> emit() {
        while (true) {
            MergeSource least = null;
            for (MergeSource source : sources) {
                if (source.wantsSegment()) {
                    return Futures.MORE;
                }
                if (source.hasHead() && (least == null || source.isBefore(least))) {
                    least = source;
                }
            }
            if (least == null) {
                return builder.isEmpty() ? Futures.NO_MORE : use.sealed(builder.seal()).thenApply(done -> false);
            }
            if (!builder.takes(least.dueMillis())) {
                return use.sealed(builder.seal()).thenApply(done -> true);
            }
            boolean taken = use.takes(least.ledgerId(), least.entryId());
            if (taken) {
                builder.add(least.dueMillis(), least.ledgerId(), least.entryId());
            }
            CompletableFuture<Void> advanced = least.advance(!taken);
            if (advanced.isCompletedExceptionally()) {
                return advanced.thenApply(done -> false);
            }
        }
    }

    /** A collector of positions in the order of their times, until their segment ends by its rule. */
    static final class SegmentBuilder {

        private final CutRule rule;
        private final long[] dueMillis;
        private final long[] ledgerIds;
        private final long[] entryIds;
        private int count;

        SegmentBuilder(CutRule rule) {
            this.rule = rule;
            dueMillis = new long[rule.mostPositions()];
            ledgerIds = new long[rule.mostPositions()];
            entryIds = new long[rule.mostPositions()];
        }

        boolean isEmpty() {
            return count == 0;
        }

        /** Whether a position due then still belongs to the segment. */
        boolean takes(long due) {
            return count == 0 || !rule.endsBefore(count, due - dueMillis[0]);
        }

        void add(long due, long ledgerId, long entryId) {
            dueMillis[count] = due;
            ledgerIds[count] = ledgerId;
            entryIds[count] = entryId;
            count++;
        }

        /** Seals the segment and begins the next one. */
        SealedSegment seal() {
            SegmentColumns columns = new SegmentColumns(count, dueMillis, ledgerIds, entryIds).ascending();
            count = 0;
            return columns.cut(rule).get(0);
        }

        void clear() {
            count = 0;
        }
    }
}
