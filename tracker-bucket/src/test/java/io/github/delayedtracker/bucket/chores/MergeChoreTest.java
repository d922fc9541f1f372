/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.index.BucketState;
import io.github.delayedtracker.bucket.index.MergeTiers;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.SegmentSource;
import io.github.delayedtracker.bucket.steps.SnapshotSteps;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A merge by itself: four buckets of a size become one, or stay as they were. */
class MergeChoreTest {

    private static final int SOURCES = MergeTiers.FAN_IN;

    private ChoreRig rig;
    private MergeGate gate;
    private MergeChore merges;
    private Runnable whileWriting = () -> { };
    private int over;

    @BeforeEach
    void seal() throws Exception {
        rig = new ChoreRig();
        gate = new MergeGate(1, 1 << 20, rig.time, rig.time);
        merges = new MergeChore(rig.index, rig.tasks, rig.record, new MergeChore.Steps(Source::new, this::merge),
                rig.report.form().merges(), gate, rig.holds, rig.leftovers, rig.deletes(), rig.clock, rig.report, () -> over++);
        rig.seal(SOURCES, ChoreRig.FAR_MILLIS);
    }

    /** A snapshot of the rig as a source of a merge. */
    private final class Source implements SegmentSource {
        private final long ledgerId;
        private final List<SegmentEntry> table;

        Source(long ledgerId, List<SegmentEntry> table) {
            this.ledgerId = ledgerId;
            this.table = table;
        }

        @Override
        public long ledgerId() {
            return ledgerId;
        }

        @Override
        public int segments() {
            return table.size();
        }

        @Override
        public long positions() {
            return rig.snapshots.get(ledgerId).count();
        }

        @Override
        public int bytes(int number) {
            return table.get(number).bytes();
        }

        @Override
        public CompletableFuture<SegmentColumns> read(int number) {
            return rig.load(ledgerId, table, number);
        }

        @Override
        public Optional<StorageException> failure() {
            return Optional.ofNullable(rig.fails).map(kind -> new StorageException(kind, "on purpose"));
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private CompletableFuture<Optional<WrittenSnapshot>> merge(List<SegmentSource> sources, SnapshotSteps.Keep keep,
            SnapshotSteps.Pause pause) {
        if (rig.fails != null) {
            return rig.failed();
        }
        List<SegmentColumns> kept = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
            SegmentColumns all = sources.get(i).read(0).join();
            kept.add(all.selected(keep.keep(i, all).join()));
        }
        whileWriting.run();
        SegmentColumns all = SegmentColumns.joined(kept);
        return CompletableFuture.completedFuture(all.count() == 0 ? Optional.empty() : Optional.of(rig.written(all)));
    }

    @Test
    void fourBucketsBecomeOneInTheRecordAndInTheIndex() {
        List<Long> sources = rig.live();
        rig.run(merges.run());
        assertEquals(1, rig.live().size());
        assertEquals(BucketState.SEALED, rig.buckets.state(rig.live().get(0)));
        assertEquals(SOURCES * ChoreRig.SEAL, rig.buckets.sleepingPositions());
        assertTrue(rig.keeper.doomed().containsAll(sources));
        assertEquals(1, rig.figure(Figure.MERGES_TOTAL));
        assertTrue(merges.isIdle());
        assertEquals(1, over);
    }

    @Test
    void whatIsForgottenWhileItIsWrittenDoesNotSleepInTheNewBucket() {
        whileWriting = () -> rig.buckets.forget(ChoreRig.LEDGER, 5);
        rig.run(merges.run());
        assertEquals(SOURCES * ChoreRig.SEAL - 1, rig.buckets.sleepingPositions());
    }

    @Test
    void aMergeThatFailsLeavesItsSourcesGivesItsPermitBackAndRests() {
        List<Long> sources = rig.live();
        rig.fails = Kind.UNAVAILABLE;
        rig.run(merges.run());
        assertEquals(sources, rig.live());
        assertEquals(1, rig.figure(Figure.MERGE_FAILURES_TOTAL));
        assertEquals(0, gate.samples().get("bucket_merges_under_way"), "the place at the gate is free");
        assertTrue(merges.nextMillis() >= ChoreRig.PAUSE_MILLIS / 2, () -> "next " + merges.nextMillis());
        rig.fails = null;
        rig.runFor(ChoreRig.PAUSE_MILLIS);
        rig.run(merges.run());
        assertEquals(1, rig.live().size());
    }

    @Test
    void aSourceThatIsGoneIsLost() {
        rig.fails = Kind.NO_SUCH_LEDGER;
        rig.run(merges.run());
        assertEquals(SOURCES, rig.figure(Figure.LOST_BUCKETS_TOTAL));
    }

    @Test
    void aMergeWaitsForRoomInTheGate() {
        List<MergeGate.Place> places = new ArrayList<>();
        gate.ask(new MergeGate.Guest() {
            @Override
            public void entered(MergeGate.Place place) {
                places.add(place);
            }

            @Override
            public void refused() {
                throw new AssertionError();
            }
        });
        rig.run(merges.run());
        assertEquals(SOURCES, rig.live().size());
        assertEquals(Long.MAX_VALUE, merges.nextMillis(), "it is told");
        places.get(0).leave();
        rig.runFor(0);
        assertEquals(1, rig.live().size());
    }

    @Test
    void theNewLedgerIsUnwantedWhereASourceWasDeletedMeanwhile() {
        long source = rig.live().get(0);
        whileWriting = () -> rig.run(rig.record.settled(rig.record.update(before -> before.dropped(List.of(source)))));
        rig.run(merges.run());
        assertEquals(List.of(104L), rig.leftovers.unwanted());
        assertFalse(rig.live().contains(104L));
        assertEquals(0, rig.figure(Figure.MERGES_TOTAL));
    }
}
