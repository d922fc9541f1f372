/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import io.github.delayedtracker.acks.World.Life;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * A cursor of the broker as one broker has it in memory, and what it writes: acknowledgements cut off at a limit, mark-delete and
 * the stamp that belongs to it. As the real ones it writes the record of a reset with the acknowledgements of before, and an
 * acknowledgement that was held up puts back a stamp that it has read before a reset. A record that its ledger does not take goes
 * to the metadata store, as ranges. A reset that meets another record while the ledger is made has no effect, or none that lasts
 * (H3).
 */
final class ModelCursor implements JournalCursor, ScenarioCursor {

    static final int ENTRIES = 24;
    static final int LEDGERS = 4;
    private static final double LEDGER_FAILS = 0.02;

    /** A place in the topic: ledger id and entry id. */
    record Place(long ledgerId, long entryId) implements Comparable<Place> {

        static Place at(int index) {
            return new Place(1 + index / ENTRIES, index % ENTRIES);
        }

        int index() {
            return (int) ((ledgerId - 1) * ENTRIES + entryId);
        }

        @Override
        public int compareTo(Place other) {
            return Integer.compare(index(), other.index());
        }
    }

    /** A record of the cursor: the index of the last place that is gone, -1 for none, after how many resets, and the rest. */
    record Written(int markDelete, NavigableSet<Integer> acked, Optional<Stamp> stamp, int resets) {
    }

    /** The last record, and the owner that may write the next. */
    static final class Durable {
        Written record = new Written(-1, new TreeSet<>(), Optional.empty(), 0);
        /** After how many the last was answered. */
        int answeredResets;
        Life owner;
        Form form;

        /** How many ranges the record has. */
        int ranges() {
            return (int) record.acked().stream().filter(index -> !record.acked().contains(index - 1)).count();
        }

        Form lastForm(Form first) {
            return form == null ? first : form;
        }
    }

    /** The form of the record: its limit, ranges or entries of bitmaps, and the rule of the broker's line for these. */
    record Form(int most, boolean asBitmaps, boolean keepsFirstLedger) {
    }

    private final World world;
    private final Life life;
    private final Durable durable;
    private final Form form;
    private final boolean hasAnotherLimit;
    private final boolean hasLostSeek;
    private int resets;
    private final double recordsWritten;
    private int markDelete;
    private TreeSet<Integer> acked;
    private Optional<Stamp> stamp;
    private boolean resetting;
    /** It is made by the first record after a load. */
    private boolean hasLedger;
    private boolean makesLedger;
    /** Whether the reset under way, or the last one, has met another record while the ledger was made. */
    private boolean resetIsLost;
    /** Whether the last stamp has chosen ranges, which the plugin looks at anew with the next. */
    private boolean writesRanges;
    private boolean hasConsumer = true;
    private IntConsumer whenRestored = index -> { };

    /**
     * Loaded from the last record.
     *
     * @param recordsWritten the share of acknowledgements that are written at once, with a record each: the broker limits them
     */
    ModelCursor(World world, Life life, Durable durable, Form form, double recordsWritten) {
        this.world = world;
        this.life = life;
        this.durable = durable;
        this.form = form;
        durable.owner = life;
        hasAnotherLimit = durable.form != null && durable.form.most() != form.most();
        durable.form = form;
        this.recordsWritten = recordsWritten;
        markDelete = durable.record.markDelete();
        acked = new TreeSet<>(durable.record.acked().tailSet(markDelete, false));
        stamp = durable.record.stamp();
        resets = durable.record.resets();
        hasLostSeek = resets < durable.answeredResets;
        durable.answeredResets = resets;
    }

    @Override
    public JournalCursor journalCursor() {
        return this;
    }

    @Override
    public boolean hasAnotherLimit() {
        return hasAnotherLimit;
    }

    @Override
    public boolean hasLostSeek() {
        return hasLostSeek;
    }

    @Override
    public void consumer(boolean connected) {
        hasConsumer = connected;
    }

    @Override
    public boolean hasConsumer() {
        return hasConsumer;
    }

    @Override
    public void whenRestored(IntConsumer restored) {
        whenRestored = restored;
    }

    @Override
    public boolean isAcked(int index) {
        return index <= markDelete || acked.contains(index);
    }

    @Override
    public int markDelete() {
        return markDelete;
    }

    @Override
    public void acknowledge(int index) {
        if (index > markDelete) {
            acked.add(index);
        }
        advance();
        maybeWrite(recordsWritten);
    }

    /** Mark-delete moves over what is acknowledged without a gap; its stamp stays. */
    private void advance() {
        while (acked.remove(markDelete + 1)) {
            markDelete++;
        }
    }

    @Override
    public void cumulative(int index) {
        if (index > markDelete) {
            markDelete = index;
            acked.headSet(index, true).clear();
            advance();
            stamp = Optional.empty();
            maybeWrite(0.5);
        }
    }

    /** Answered once its record is written, with the acknowledgements of before. */
    @Override
    public void reset(int to, Runnable answered) {
        if (resetting) {
            return;
        }
        resetting = true;
        resetIsLost = makesLedger && !hasLedger;
        makesLedger = true;
        NavigableSet<Integer> kept = cutOff(acked);
        boolean[] isWritten = {false};
        world.inOrder(life, this, () -> {
            isWritten[0] = !resetIsLost && durable.owner == life;
            if (isWritten[0]) {
                hasLedger = true;
                durable.record = new Written(to, kept, Optional.empty(), resets + 1);
            }
        }, () -> {
            resetting = false;
            if (isWritten[0] || resetIsLost && world.chance(0.5)) {
                markDelete = to;
                acked.clear();
                stamp = Optional.empty();
                resets++;
                durable.answeredResets = resets;
                answered.run();
            }
        });
    }

    @Override
    public boolean isResetting() {
        return resetting;
    }

    @Override
    public Runnable holdUp() {
        int markDeleteBefore = markDelete;
        Optional<Stamp> stampBefore = stamp;
        return () -> {
            stamp = stampBefore;
            write(new Written(markDeleteBefore, new TreeSet<>(acked), stamp, resets), () -> { });
        };
    }

    private void maybeWrite(double share) {
        if (world.chance(share)) {
            writeNow(() -> { });
        }
    }

    private void writeNow(Runnable whenWritten) {
        write(new Written(markDelete, new TreeSet<>(acked), stamp, resets), whenWritten);
    }

    private void write(Written record, Runnable whenWritten) {
        resetIsLost |= resetting && !hasLedger;
        makesLedger = true;
        NavigableSet<Integer> kept = cutOff(record.acked());
        boolean[] isWritten = {false};
        world.inOrder(life, this, () -> {
            isWritten[0] = durable.owner == life;
            if (isWritten[0]) {
                hasLedger = true;
                durable.record = new Written(record.markDelete(), kept, record.stamp(), record.resets());
            }
        }, () -> {
            if (isWritten[0]) {
                whenWritten.run();
            }
        });
    }

    @Override
    public void close() {
        if (durable.owner == life) {
            durable.record = new Written(markDelete, cutOff(acked), stamp, resets);
        }
    }

    private NavigableSet<Integer> cutOff(Set<Integer> all) {
        AckedPositions positions = positions(all);
        AckedPositions bitmaps = positions.firstLedgers(form.most());
        boolean isAsBitmaps = form.asBitmaps() && !writesRanges && !world.chance(LEDGER_FAILS);
        AckedPositions kept = isAsBitmaps && !bitmaps.isEmpty() ? bitmaps
                : positions.firstRanges(form.most());
        TreeSet<Integer> indexes = new TreeSet<>();
        kept.forEach((ledgerId, entryId) -> indexes.add(new Place(ledgerId, entryId).index()));
        return indexes;
    }

    private AckedPositions positions(Set<Integer> indexes) {
        Map<Long, long[]> bitmaps = new TreeMap<>();
        for (int index : indexes) {
            Place place = Place.at(index);
            bitmaps.computeIfAbsent(place.ledgerId(), id -> new long[1])[0] |= 1L << place.entryId();
        }
        return new AckedPositions(bitmaps, form.keepsFirstLedger());
    }

    @Override
    public Optional<Moment> moment() {
        if (life.isDead) {
            return Optional.empty();
        }
        Place last = Place.at(Math.max(0, markDelete));
        return Optional.of(new Moment(last.ledgerId(), markDelete < 0 ? -1 : last.entryId(), positions(acked), stamp, form.most(),
                form.asBitmaps()));
    }

    @Override
    public <T> Optional<T> excluded(Function<Excluded, T> work) {
        return hasConsumer && !resetting && !life.isDead ? Optional.of(work.apply(new Now())) : Optional.empty();
    }

    private final class Now implements Excluded {

        @Override
        public Moment moment() {
            return ModelCursor.this.moment().orElseThrow();
        }

        @Override
        public void stamp(Optional<Stamp> next, Runnable whenWritten) {
            stamp = next;
            writesRanges = moment().fitsAsRangesOnly();
            if (world.chance(0.5)) {
                writeNow(whenWritten);
            }
        }

        @Override
        public CompletableFuture<Void> acknowledge(AckedPositions positions) {
            positions.forEach((ledgerId, entryId) -> {
                int index = new Place(ledgerId, entryId).index();
                if (index > markDelete) {
                    whenRestored.accept(index);
                    acked.add(index);
                }
            });
            advance();
            CompletableFuture<Void> done = new CompletableFuture<>();
            world.later(life, () -> { }, () -> done.complete(null));
            return done;
        }
    }

    @Override
    public String toString() {
        return "mark-delete " + markDelete + " " + acked + " " + stamp + ", durable "
                + durable.record;
    }
}
