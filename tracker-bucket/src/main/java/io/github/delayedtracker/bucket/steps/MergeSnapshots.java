/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.LedgerWriting.AppendWindow;
import io.github.delayedtracker.bucket.steps.MergePass.SegmentBuilder;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.steps.StockForm.StockHead;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.timebucket.SealedSegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The merge of snapshots into a new one, streaming. The first pass decides which positions are kept. It makes their set and the
 * table of segments, whose lengths are known by encoding them. The second pass streams the same positions again and appends them.
 * A position that several sources hold is kept once, at its earliest time. Sources are not changed and stay readable.
 *
 * <p>In memory: two decoded segments of each source, the one being put together, the appends under way; and for the whole merge
 * the set of the kept positions and, where a segment is kept in part, a bit for each of its positions.
 */
record MergeSnapshots(SnapshotWriting writing) {

    /**
     * Merges; the sources' handles are closed when it answers.
     *
     * @return the new snapshot; empty, and no ledger made, if nothing is kept
     */
    CompletableFuture<Optional<WrittenSnapshot>> merge(List<? extends SegmentSource> sources, SnapshotSteps.Keep keep,
            SnapshotSteps.Pause pause) {
        String what = "merging ledgers " + sources.stream().map(SegmentSource::ledgerId).toList();
        return Futures.step(what, () -> new Merge(sources, keep, pause).run(what));
    }

    /** One merge under way. */
    private final class Merge {
        private final List<MergeSource> sources;
        private final SnapshotSteps.Keep keep;
        private final SnapshotSteps.Pause pause;
        private final SegmentBuilder builder;
        private final PositionSet merged = new PositionSet();
        private final List<SegmentEntry> table = new ArrayList<>();
        private final SnapshotWriting.Merged result;
        /** Whether the second pass has failed for another reason than writing: a new ledger does not help then. */
        private boolean hopeless;

        Merge(List<? extends SegmentSource> sources, SnapshotSteps.Keep keep, SnapshotSteps.Pause pause) {
            this.sources = sources.stream().map(MergeSource::new).toList();
            this.keep = keep;
            this.pause = pause;
            this.result = writing.merged(sources.stream().map(SegmentSource::ledgerId).toList());
            this.builder = new SegmentBuilder(writing.rule(sources.stream().mapToLong(SegmentSource::positions).sum()));
        }

        CompletableFuture<Optional<WrittenSnapshot>> run(String what) {
            return new MergePass(sources, builder, new Choosing()).run().thenCompose(chosen -> table.isEmpty()
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : result.write(what, table, merged, this::copy, failure -> !hopeless).thenApply(Optional::of));
        }

        private CompletableFuture<Void> copy(AppendWindow window) {
            Copying copying = new Copying(window);
            return new MergePass(sources, builder, copying).run()
                    .whenComplete((copied, failure) -> hopeless = failure != null && !copying.appendFailed);
        }

        /** The first pass. */
        private final class Choosing implements MergePass.Use {

            @Override
            public MergeSource.Choice choice(int source) {
                return columns -> keep.keep(source, columns);
            }

            @Override
            public boolean takes(long ledgerId, long entryId) {
                return merged.add(ledgerId, entryId);
            }

            @Override
            public CompletableFuture<Void> sealed(SealedSegment segment) {
                table.add(writing.entryOf(segment));
                return result.describe(segment, merged.size());
            }

            @Override
            public CompletableFuture<Void> read(int bytes) {
                return pause.pause(bytes);
            }
        }

        /** The second pass. */
        private final class Copying implements MergePass.Use {
            private final AppendWindow window;
            private int written;
            private boolean appendFailed;

            Copying(AppendWindow window) {
                this.window = window;
            }

            @Override
            public MergeSource.Choice choice(int source) {
                return columns -> CompletableFuture.completedFuture(sources.get(source).chosenOfCurrent(columns));
            }

            @Override
            public boolean takes(long ledgerId, long entryId) {
                return true;
            }

            @Override
            public CompletableFuture<Void> sealed(SealedSegment segment) {
                SegmentEntry entry = writing.entryOf(segment);
                if (written == table.size() || !table.get(written).equals(entry)) {
                    return CompletableFuture.failedFuture(new IllegalStateException("segment " + written
                            + " of a merge differs in the second pass: " + entry));
                }
                written++;
                return window.append(() -> writing.bytesOf(segment))
                        .whenComplete((room, failure) -> appendFailed = failure != null)
                        .thenCompose(room -> pause.pause(segment.bytes()));
            }

            @Override
            public CompletableFuture<Void> read(int bytes) {
                return pause.pause(bytes);
            }
        }
    }

    /**
     * The import of a snapshot of the stock bucket tracker as one of this plugin's, streaming as a merge does. The stock ledger
     * is not changed. Its owner is asked before it is opened. The {@link StorageException#consequence} of a failure says what to
     * do about it.
     *
     * <p>In memory as for a merge of one source; a segment has as many positions as fit into an entry of the storage.
     *
     * @param storage a storage that counts the subscription's stock ledgers as its own
     */
    record ImportSnapshot(SnapshotStorage storage, SnapshotOwner owner, Retries retries, MergeSnapshots merges) {

        /**
         * Imports one snapshot; nothing is left open.
         *
         * @param keep decides which positions are kept of the snapshot, the only source
         * @return the new snapshot; empty, and no ledger made, if nothing is kept
         */
        CompletableFuture<Optional<WrittenSnapshot>> run(long ledgerId, SnapshotSteps.Keep keep, SnapshotSteps.Pause pause) {
            return Futures.step("importing ledger " + ledgerId,
                    () -> open(ledgerId).thenCompose(source -> merges.merge(List.of(source), keep, pause)
                            .whenComplete((done, failure) -> source.close())));
        }

        /** Opens a stock snapshot and reads its metadata. The caller closes it. */
        CompletableFuture<SegmentSource> open(long ledgerId) {
            String what = "reading the metadata of stock ledger " + ledgerId;
            return Futures.step(what, () -> retries.repeat(what, () -> attempt(ledgerId), StorageException::isRetryable));
        }

        private CompletableFuture<SegmentSource> attempt(long ledgerId) {
            return retries.once("asking whose ledger " + ledgerId + " is", () -> storage.ownerOf(ledgerId))
                    .thenCompose(found -> found.filter(owner::isSameSubscription).isPresent()
                            ? retries.once("opening ledger " + ledgerId, () -> storage.open(ledgerId))
                            : StorageException.<SnapshotReader>foreign(ledgerId, found, owner))
                    .thenCompose(reader -> Futures.begun(() -> source(reader)).whenComplete((source, failure) -> {
                        if (failure != null) {
                            Futures.close(reader);
                        }
                    }));
        }

        private CompletableFuture<SegmentSource> source(SnapshotReader reader) {
            return StockHead.read(retries, reader, (ledger, entry) -> { }).thenApply(table -> {
                SnapshotSegments segments = new SnapshotSegments(storage, retries, reader.ledgerId(),
                        new StockForm(table, reader.lengthBytes()));
                segments.adopt(reader);
                return segments;
            });
        }
    }
}
