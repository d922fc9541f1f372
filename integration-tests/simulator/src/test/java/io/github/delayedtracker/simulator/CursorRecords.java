/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.acks.AckedPositions;
import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.Position;

/**
 * The records of a cursor, as the broker writes them: cut off at a limit, at a limited rate, late and in their order, with the
 * numbers that belong to the mark-delete position.
 *
 * <p>Acknowledgements without a permit wait for the next one or for the flush, once a minute. The first record after a load makes
 * the cursor's ledger. Of the records under way when the broker dies some are durable, the first ones.
 */
final class CursorRecords {

    /** A record: all entries below one, some behind it, and the numbers. */
    record Written(int below, BitSet acked, Map<String, Long> numbers) {
    }

    /** A record under way. */
    private record UnderWay(Written record, Runnable answered) {
    }

    private static final long FLUSH_MILLIS = 60_000;
    private static final long PERMIT_MILLIS = 1_000;
    private static final int LINE_5_0 = 2;
    private static final int NONE_IN_THE_METADATA_STORE = 1;

    private final Scheduler scheduler;
    private final ModelTopic topic;
    private final Supplier<Written> now;
    private final ManagedLedgerConfig limits = new ManagedLedgerConfig();
    private final int latencyMillis;
    private final boolean keepsFirstLedger;
    private final boolean isRateLimited;
    private final Deque<UnderWay> underWay = new ArrayDeque<>();
    private Written durable = new Written(0, new BitSet(), Map.of());
    private Map<String, Long> numbers = Map.of();
    private int load;
    private long answeredCount;
    private boolean isOpen;
    private boolean isDirty;
    private long nextPermitMillis;
    /** Whether every acknowledgement has a record for the moment. */
    private boolean isLifted;
    /** Whether numbers of before a reset are in the place of newer ones, until the tracker puts some. */
    private boolean hasOldNumbers;
    private boolean hadOldNumbers;

    /**
     * None is written yet.
     *
     * @param now the cursor as it is, not cut off
     */
    CursorRecords(Setup setup, Scheduler scheduler, ModelTopic topic, Supplier<Written> now) {
        this.scheduler = scheduler;
        this.topic = topic;
        this.now = now;
        this.latencyMillis = setup.number(Parameter.LATENCY);
        this.keepsFirstLedger = setup.get(Parameter.LINE) != LINE_5_0;
        this.isRateLimited = !setup.is(Parameter.EVERY_RECORD);
        limits.setMaxUnackedRangesToPersist(setup.number(Parameter.JOURNAL));
        if (setup.is(Parameter.EVERY_RECORD)) {
            limits.setMaxUnackedRangesToPersistInMetadataStore(NONE_IN_THE_METADATA_STORE);
        }
    }

    ManagedLedgerConfig limits() {
        return limits;
    }

    /** How often the topic was loaded. */
    int load() {
        return load;
    }

    /** The first entry that the last durable record has not passed. */
    int durableBelow() {
        return durable.below();
    }

    /** How many records were written, and are known to be. */
    long answered() {
        return answeredCount;
    }

    /** Whether the cursor has its ledger. */
    boolean isOpen() {
        return isOpen;
    }

    Map<String, Long> numbers() {
        return numbers;
    }

    /** Something that was held up over a reset writes the numbers of before it. Not if the topic was loaded since. */
    void goesOn(int ofLoad, Written old) {
        if (ofLoad == load) {
            hasOldNumbers |= !numbers.isEmpty() && !numbers.equals(old.numbers());
            numbers = Map.copyOf(old.numbers());
            write(old, () -> { });
        }
    }

    /** Whether such numbers had taken the place of newer ones when the topic was loaded. */
    boolean hadOldNumbers() {
        return hadOldNumbers;
    }

    void putNumber(String name, long value) {
        hasOldNumbers = false;
        Map<String, Long> changed = new HashMap<>(numbers);
        changed.put(name, value);
        numbers = Map.copyOf(changed);
    }

    void takeNumbersAway() {
        numbers = Map.of();
    }

    /** Limits the rate of records, or with 0 does not. */
    Object limitRate(double aSecond) {
        isLifted = aSecond == 0;
        return null;
    }

    /** Something was acknowledged. Without a permit the answer comes inside the call. */
    void acknowledged(Runnable answered) {
        if (!isRateLimited || isLifted || scheduler.nowMillis() >= nextPermitMillis) {
            nextPermitMillis = scheduler.nowMillis() + PERMIT_MILLIS;
            write(now.get(), answered);
            return;
        }
        if (!isDirty) {
            isDirty = true;
            int of = load;
            scheduler.after(FLUSH_MILLIS, () -> {
                if (of == load && isDirty) {
                    isDirty = false;
                    acknowledged(() -> { });
                }
            });
        }
        answered.run();
    }

    /** Writes a record with or without a permit. */
    void write(Written whole, Runnable answered) {
        int of = load;
        underWay.add(new UnderWay(new Written(whole.below(), cut(whole, true), whole.numbers()), answered));
        scheduler.after(1 + scheduler.draw(latencyMillis), () -> {
            if (of == load && !underWay.isEmpty()) {
                Runnable next = becomesDurable();
                scheduler.after(scheduler.draw(latencyMillis), () -> {
                    if (of == load) {
                        isOpen = true;
                        answeredCount++;
                        next.run();
                    }
                });
            }
        });
    }

    private Runnable becomesDurable() {
        UnderWay first = underWay.remove();
        durable = first.record();
        return first.answered();
    }

    /** Writes the record at once. */
    void writeNow() {
        while (!underWay.isEmpty()) {
            isOpen = true;
            answeredCount++;
            becomesDurable().run();
        }
        Written whole = now.get();
        durable = new Written(whole.below(), cut(whole, true), whole.numbers());
    }

    /** The topic is unloaded: few ranges go to the metadata store, and so does everything without a ledger. */
    Written closeAndLoad() {
        underWay.clear();
        Written whole = now.get();
        boolean toLedger = isOpen && positions(whole).ranges() > limits.getMaxUnackedRangesToPersistInMetadataStore();
        durable = new Written(whole.below(), cut(whole, toLedger), whole.numbers());
        return loaded();
    }

    /** The broker is dead. */
    Written crashAndLoad() {
        for (int i = scheduler.draw(underWay.size()); i > 0; i--) {
            durable = underWay.remove().record();
        }
        underWay.clear();
        return loaded();
    }

    private Written loaded() {
        load++;
        hadOldNumbers = hasOldNumbers;
        hasOldNumbers = false;
        isOpen = false;
        isDirty = false;
        numbers = durable.numbers();
        return durable;
    }

    boolean keepsFirstLedger() {
        return keepsFirstLedger;
    }

    private BitSet cut(Written whole, boolean toLedger) {
        AckedPositions all = positions(whole);
        int most = limits.getMaxUnackedRangesToPersist();
        AckedPositions bitmaps = toLedger && limits.isPersistIndividualAckAsLongArray() ? all.firstLedgers(most) : all.none();
        AckedPositions kept = bitmaps.isEmpty() ? all.firstRanges(keepsFirstLedger ? most + 1 : most) : bitmaps;
        BitSet entries = new BitSet();
        kept.forEach((ledgerId, entryId) -> entries.set(topic.entryAt(ledgerId, entryId)));
        return entries;
    }

    private AckedPositions positions(Written whole) {
        Map<Long, BitSet> ledgers = new TreeMap<>();
        BitSet acked = whole.acked();
        for (int entry = acked.nextSetBit(0); entry >= 0; entry = acked.nextSetBit(entry + 1)) {
            Position position = topic.position(entry);
            ledgers.computeIfAbsent(position.getLedgerId(), id -> new BitSet()).set((int) position.getEntryId());
        }
        Map<Long, long[]> bitmaps = new TreeMap<>();
        ledgers.forEach((ledgerId, bits) -> bitmaps.put(ledgerId, bits.toLongArray()));
        return new AckedPositions(bitmaps, keepsFirstLedger);
    }
}
