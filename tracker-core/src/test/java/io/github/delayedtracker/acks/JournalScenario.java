/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.AckRestore.End;
import io.github.delayedtracker.acks.ScenarioCursor.Cursors;
import io.github.delayedtracker.acks.World.Life;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One random run of the journal on a model of the cursor: acknowledgements, seeks, skips, acknowledgements held up over a seek,
 * unloads, crashes between any two steps, idle loads, former owners that write on, storage that fails. What users have
 * acknowledged since the last seek that was answered is known, and no restore may acknowledge anything else.
 */
final class JournalScenario {

    private static final int STEPS = 300;
    private static final JournalHead HEAD = new JournalHead("topic", "cursor");
    private static final int PLACES = ModelCursor.ENTRIES * ModelCursor.LEDGERS;
    private static final long TICK_MILLIS = 5_000;
    private static final int SETTLING_TICKS = 200;
    private static final int CALM_TICKS = 8;
    private static final int MANY = 30;

    private final World world;
    private final boolean races;
    private final double failures;
    private final Cursors cursors;
    private final ModelLedgers.Durable ledgers = new ModelLedgers.Durable();
    private final RunLog log;
    /** Acknowledged by users since the last reset that was answered. */
    private final TreeSet<Integer> acked = new TreeSet<>();
    private final HeldUpAck heldUp = new HeldUpAck();
    /** Acknowledged before a seek: consumers get and acknowledge these again, in their order. */
    private final TreeSet<Integer> again = new TreeSet<>();
    /** Acknowledged before the last seek that was answered, and where it has put mark-delete. */
    private final TreeSet<Integer> beforeSeek = new TreeSet<>();
    private int soughtTo = -1;
    private long nowMillis;
    private Owner owner;
    private Owner former;
    private final JournalEvents events;
    /** How many of the things under way end between two steps, at most. */
    private final int haste;
    /** The share of acknowledgements after a seek that are not in the order of those before. */
    private final double strays;
    final RestoreBooks restores;
    final DurablePlaces durable = new DurablePlaces();

    JournalScenario(World world, RunLog log, boolean races, double failures, Cursors cursors) {
        this.world = world;
        this.races = races;
        this.failures = failures;
        this.cursors = cursors;
        events = new JournalEvents(world, races);
        haste = 2 + world.random.nextInt(6);
        strays = world.chance(0.5) ? 0 : 0.3;
        this.log = log;
        restores = new RestoreBooks(log);
    }

    /** A broker with the topic loaded. */
    private final class Owner {
        final Life life = new Life();
        final ScenarioCursor cursor = cursors.load(life);
        final ModelLedgers mine = new ModelLedgers(world, life, ledgers, world.isCalm ? 0 : failures);
        AckJournal journal;
        AckRestore restore;
        boolean isHeld;
        boolean wasSought;
        /** Whether consumers get messages before it is restored. */
        boolean isLate;
        /** Whether it is restored, and what was promised has a journal again. */
        boolean isReady;

        boolean isAtRest() {
            return journal == null || !journal.isUnsettled() && (journal.isActive() || journal.room() > 0);
        }

        /** Consumers of another type: their tracker is made anew, on the cursor as it is in memory. */
        void restoreAnew() {
            if (journal != null && cursor.hasConsumer()) {
                log.add(() -> "made anew");
                var unused = journal.close();
                journal = null;
                isReady = false;
                restore();
            }
        }

        /** The first consumer: the journal is restored, then written. */
        void restore() {
            cursor.whenRestored(index -> {
                // A former owner's cursor writes no record any more, and its consumers are another broker's.
                if (!acked.contains(index) && owner == this) {
                    restores.isWrong(index);
                }
            });
            restore = new AckRestore(cursor.journalCursor(), mine, HEAD, task -> world.later(life, () -> { }, task),
                    (restMillis, step) -> world.later(life, () -> { }, step), () -> !wasSought);
            if (!world.isCalm && world.chance(0.05)) {
                world.later(life, () -> { }, () -> restore.giveUp("it takes too long"));
            }
            var unused = restore.run().thenAccept(outcome -> {
                restores.ended(outcome);
                if (outcome.end() == End.LEFT) {
                    return;
                }
                if (failures > 0 || races || outcome.reason().equals("it takes too long")) {
                    durable.forgetAll();
                }
                // A former owner's restore may end after the next one has promised something.
                restores.isForgotten |= owner == this && outcome.end() != End.RESET && !durable.areAcked(cursor);
                AckJournal made = new AckJournal(cursor.journalCursor(), mine, HEAD, outcome, Runnable::run,
                        failure -> log.add(() -> "failed " + failure.getMessage()), 1);
                journal = made;
                var unusedToo = made.keepOn(nowMillis).whenComplete((done, failed) -> isReady |= journal == made);
            });
        }
    }

    void run() {
        load(true);
        for (int i = 0; i < STEPS; i++) {
            step();
            restores.assertNothingIsWrong();
        }
        checkThatAllIsKept();
    }

    private void load(boolean withConsumer) {
        owner = new Owner();
        ledgers.owner = owner.life;
        durable.loaded(owner.cursor);
        heldUp.forget();
        log.add(() -> "load " + owner.cursor);
        boolean isMore = IntStream.range(0, PLACES).filter(i -> owner.cursor.isAcked(i) && acked.add(i)).count() > 0;
        if (isMore || owner.cursor.hasLostSeek() || owner.cursor.markDelete() < soughtTo) {
            // An acknowledgement has written its record over that of the seek, as with any tracker.
            log.add(() -> "the broker has lost a seek");
            acked.addAll(beforeSeek);
            soughtTo = -1;
        }
        owner.cursor.consumer(withConsumer);
        if (withConsumer) {
            owner.restore();
        }
    }

    private void step() {
        nowMillis += world.random.nextInt(2_000);
        boolean isRestoring = owner.restore != null && owner.journal == null;
        switch (events.next(heldUp, isRestoring && races, !again.isEmpty())) {
            case ACKNOWLEDGE -> acknowledge(again.isEmpty() || world.chance(strays) ? anyPlace() : again.pollFirst());
            case ACKNOWLEDGE_FIRST -> IntStream.rangeClosed(0, races ? 0 : world.random.nextInt(world.chance(0.05) ? 60 : 8))
                    .forEach(i -> acknowledge(owner.cursor.firstUnacknowledged()));
            case ACKNOWLEDGE_MANY -> IntStream.range(0, MANY).forEach(i -> acknowledge(anyPlace()));
            case CANCEL -> cancel(!acked.isEmpty() && world.chance(0.3) ? acked.last() : anyPlace());
            case TICK -> tick(owner);
            case FORMER_TICK -> tick(former == null ? owner : former);
            case CONSUMER -> connectOrNot();
            case CUMULATIVE -> cumulative(Math.min(PLACES - 1, owner.cursor.markDelete() + world.random.nextInt(4)));
            case HOLD_UP -> holdUp();
            case GO_ON -> goOnOrWithout();
            case SEEK -> seek(isRestoring && world.chance(0.5) ? owner.cursor.lastAcknowledged()
                    : world.chance(0.3) ? world.random.nextInt(PLACES / 2) : owner.cursor.markDelete());
            case BATCH -> {
                int last = owner.cursor.lastAcknowledged();
                IntStream.iterate(last + 2, place -> place < PLACES, place -> place + 2).limit(MANY).forEach(this::acknowledge);
                connectOrNot();
                tick(owner);
                seek(last);
                world.runAll();
                connectOrNot();
            }
            case ANEW -> owner.restoreAnew();
            case UNLOAD -> reload(this::unload);
            case KILL -> reload(this::kill);
            case HAND_OVER -> handOver();
            case CALM -> calm();
            default -> throw new IllegalStateException("an event without a step");
        }
        IntStream.range(0, world.random.nextInt(haste)).forEach(i -> world.runOne());
    }

    private void reload(Runnable end) {
        end.run();
        load(world.chance(0.7));
    }

    /** Some ticks without an acknowledgement: all is durable then, and stays so until a seek. */
    private void calm() {
        if (failures == 0 && !races && former == null && owner.cursor.hasConsumer() && owner.journal != null) {
            for (int i = 0; i < CALM_TICKS; i++) {
                tick(owner);
                durable.recordIsWritten(owner.cursor);
                world.runAll();
            }
            durable.calmed(acked, owner.journal, owner.cursor);
            log.add(() -> "durable " + durable);
        }
    }

    private int anyPlace() {
        return 1 + world.random.nextInt(events.reach(PLACES) - 1);
    }

    private void connectOrNot() {
        boolean connects = !owner.cursor.hasConsumer();
        owner.cursor.consumer(connects);
        log.add(() -> "consumer " + connects);
        if (connects && owner.restore == null) {
            owner.restore();
        } else if (connects) {
            owner.restore.goOn();
        }
    }

    /** Consumers that wait for a restore have waited for long: whatever was held up has gone on by then. */
    private void goOnOrWithout() {
        if (heldUp.goOn()) {
            log.add(() -> "goes on");
        }
        if (owner.restore != null && owner.journal == null) {
            owner.isLate |= owner.restore.letMessagesGo();
            if (owner.restore.isEnding()) {
                // It may have been refused, and the broker may end before anybody is told.
                durable.forgetAll();
            }
            log.add(() -> "late " + owner.isLate);
        }
    }

    /** An acknowledgement that has read mark-delete and the stamp is preempted. */
    private void holdUp() {
        if (races && !heldUp.isUnderWay()) {
            heldUp.holdUp(owner.cursor);
            log.add(() -> "held up");
        }
    }

    private void acknowledge(int place) {
        // Before the tracker is there plain messages are sent, the journal restored or not; after a seek it is there.
        boolean isOpen = owner.isReady || !durable.mayHavePromised() && (!owner.wasSought || owner.isLate);
        if (owner.cursor.hasConsumer() && isOpen && !owner.cursor.isResetting() && !isHeld() && !owner.cursor.isAcked(place)) {
            log.add(() -> "ack " + place);
            acked.add(place);
            owner.cursor.acknowledge(place);
            durable.isAcknowledged(owner.journal, owner.cursor);
        }
    }

    /** An acknowledgement that is to be durable before it is answered; a tick may have seen it before it is asked for. */
    private void cancel(int place) {
        boolean wasReady = owner.isReady;
        if (!acked.contains(place) || world.chance(0.5)) {
            acknowledge(place);
        }
        if (wasReady && acked.contains(place) && owner.cursor.isAcked(place)) {
            durable.persist(place, owner.journal, owner.cursor, nowMillis);
        }
    }

    /** After a seek nothing is handed out before the journal has looked at the cursor. Without races it is safe without that. */
    private boolean isHeld() {
        Owner of = owner;
        if (of.isHeld && of.journal != null) {
            nowMillis += TICK_MILLIS;
            var unused = of.journal.rewound(nowMillis).thenAccept(clean -> of.isHeld &= !clean);
        }
        return of.isHeld && of.journal != null;
    }

    private void cumulative(int place) {
        if (!owner.cursor.isResetting()) {
            log.add(() -> "cumulative ack " + place);
            durable.forgetAll();
            owner.cursor.cumulative(place);
            IntStream.rangeClosed(0, place).forEach(acked::add);
        }
    }

    private void seek(int to) {
        log.add(() -> "seek to " + to);
        durable.forgetAll();
        Owner of = owner;
        of.wasSought = true;
        of.cursor.reset(to, () -> {
            log.add(() -> "seek to " + to + " is answered");
            if (of == owner) {
                heldUp.isSought();
                soughtTo = to;
                of.isHeld = races;
                of.isLate = of.isLate && of.restore.letMessagesGo() && !of.restore.isEnding();
                again.clear();
                again.addAll(acked.tailSet(to, false));
                beforeSeek.clear();
                beforeSeek.addAll(acked);
                acked.clear();
                IntStream.rangeClosed(0, to).forEach(acked::add);
            }
        });
    }

    private void tick(Owner of) {
        nowMillis += TICK_MILLIS;
        if (of.journal != null) {
            log.add(() -> "tick " + of.cursor);
            var unused = of.journal.tick(nowMillis);
        }
    }

    private void unload() {
        log.add(() -> "unload");
        durable.mayBeCutOff(owner.journal, owner.cursor);
        owner.cursor.consumer(false);
        if (owner.journal != null) {
            var unused = owner.journal.close();
        } else if (owner.restore != null) {
            owner.restore.leave();
        }
        world.runAll();
        owner.cursor.close();
        world.kill(owner.life);
    }

    private void kill() {
        durable.mayBeCutOff(owner.journal, owner.cursor);
        log.add(() -> "kill");
        world.kill(owner.life);
    }

    /** Another broker has the topic, and this one does not know it. */
    private void handOver() {
        log.add(() -> "hand over");
        durable.forgetCalmed();
        if (former != null) {
            world.kill(former.life);
        }
        owner.life.isFormer = true;
        former = owner;
        load(true);
    }

    /** After some ticks without a failure all is kept over an unload, two idle ones and a crash. */
    private void checkThatAllIsKept() {
        if (former != null) {
            world.kill(former.life);
        }
        world.isCalm = true;
        world.runAll();
        unload();
        load(true);
        settle();
        IntStream.range(0, PLACES / 2).forEach(i -> acknowledge(anyPlace()));
        settle();
        // It takes the stamp away, which has to come back though nothing else is acknowledged. All may be acknowledged already.
        cumulative(Math.min(owner.cursor.markDelete() + 1, PLACES - 1));
        settle();
        TreeSet<Integer> kept = acked.stream().filter(owner.cursor::isAcked).collect(Collectors.toCollection(TreeSet::new));
        for (int round = 0; round < 4; round++) {
            boolean crash = world.chance(0.5) && (owner.journal == null || owner.journal.isActive());
            if (crash) {
                kill();
            } else {
                for (int i = 0; i < 3 && owner.journal != null && owner.journal.isActive(); i++) {
                    int place = anyPlace();
                    acknowledge(place);
                    kept.add(place);
                }
                unload();
            }
            load(round == 3 || world.chance(0.5));
            settle();
        }
        restores.assertNothingIsWrong();
        kept.removeIf(owner.cursor::isAcked);
        assertEquals(new TreeSet<>(), kept, () -> "acknowledged, and come again\n" + log);
        // A cursor that was loaded with all acknowledged writes no record.
        assertTrue(owner.cursor.markDelete() == PLACES - 1 || ledgers.named.size() <= 1, () -> "ledgers are left:\n" + log);
    }

    private void settle() {
        world.runAll();
        for (int i = 0, atRest = 0; i < SETTLING_TICKS && atRest < CALM_TICKS; i++) {
            tick(owner);
            world.runAll();
            atRest = owner.isAtRest() ? atRest + 1 : 0;
        }
    }
}
