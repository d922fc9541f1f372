/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;

/** Carries out the actions of a scenario on its world, waits until everything is delivered, and unsubscribes. */
final class Stage {

    /** What does not work while the storage is away: all, reads, writes, records. */
    private static final List<Set<Operation>> AWAY = List.of(
            EnumSet.complementOf(EnumSet.of(Operation.ABANDON)), EnumSet.of(Operation.OPEN, Operation.READ, Operation.OWNER_OF),
            EnumSet.of(Operation.CREATE, Operation.APPEND, Operation.CLOSE_WRITER),
            EnumSet.of(Operation.PUT, Operation.REMOVE, Operation.GET_PROPERTIES));
    private static final long SETTLE_MILLIS = 600_000;
    private static final long EACH_ENTRY_MILLIS = 1_000;
    /** Counts are true after the sweep that comes once a minute, and that after a read that may still hang. */
    private static final long COUNT_LAG_MILLIS = 160_000;
    private static final int LATE_READ_PERCENT = 30;
    private static final int WRITES_PERCENT = 70;
    private static final int MOST_STEPS = 6;
    private static final long RECOVERED_MILLIS = 1_000;
    private static final int FEW = 4;
    private static final long FEW_EACH_MILLIS = 6_000;
    private static final int FAR_MILLIS = 900_000;
    /** Writing mark-delete takes longer than a read. */
    private static final long MARK_DELETE_STEPS = 20;
    /** So long a close may wait for an update of the record; storage that hangs for longer costs acknowledgements. */
    static final long CLOSE_MILLIS = 2_000;
    private static final long LONGEST_CLOSE_MILLIS = 60_000;
    private static final long LAST_SWEEPS_MILLIS = 200_000;
    /** The commands under way are done within it, before an early end. */
    private static final long COMMANDS_MILLIS = 30_000;
    private static final long CLEAR_MILLIS = 15_000;
    /** Seeks over which an acknowledgement is held up. */
    private static final int GOES_ON_PERCENT = 40;

    private final Scenario scenario;
    private final World world;
    private final Scheduler scheduler;
    private final Coverage coverage;

    Stage(Scenario scenario, World world, Coverage coverage) {
        this.scenario = scenario;
        this.world = world;
        this.scheduler = world.scheduler();
        this.coverage = coverage;
    }

    void play() {
        for (Action action : scenario.actions()) {
            runUntil(action.atMillis());
            scheduler.idleUntil(action.atMillis());
            if (action.kind().isDisturbance()) {
                coverage.hit(action.kind(), Step.of(world));
            }
            world.tell("%s", action);
            act(action);
            world.afterEvent();
        }
        if (world.setup().is(Parameter.ENDS_EARLY)) {
            awaitReset();
            world.settle();
            runUntil(scheduler.nowMillis() + COMMANDS_MILLIS);
        } else {
            settle();
        }
        unsubscribe();
    }

    private void runUntil(long untilMillis) {
        while (scheduler.step(untilMillis)) {
            world.afterEvent();
        }
    }

    private void settle() {
        awaitReset();
        world.settle();
        world.dispatcher().consumers().forEach(ModelConsumer::releaseHeld);
        world.dispatcher().reset();
        world.dispatcher().connect();
        long lastDueMillis = scheduler.nowMillis();
        for (int entry = 0; entry < world.topic().size(); entry++) {
            long deliverAtMillis = world.userAcks().moves().latestMillis(entry);
            if (deliverAtMillis > 0 && deliverAtMillis != Long.MAX_VALUE && !world.cursor().isDeleted(entry)) {
                lastDueMillis = Math.max(lastDueMillis, scheduler.whenWallShows(deliverAtMillis));
            }
        }
        Setup setup = world.setup();
        long eachMillis = EACH_ENTRY_MILLIS + setup.get(Parameter.WORK) + 20 * setup.get(Parameter.LATENCY);
        long deadlineMillis = lastDueMillis + SETTLE_MILLIS + 4 * world.longestTickMillis() + 2 * setup.get(Parameter.PRECISION)
                + world.topic().size() * eachMillis;
        while (world.firstUndelivered() >= 0 && scheduler.step(deadlineMillis)) {
            world.afterEvent();
        }
        for (int entry = world.cursor().nextUnacked(); entry < world.topic().size(); entry++) {
            if (world.topic().deliverAtMillis(entry) == Long.MAX_VALUE) {
                world.acknowledge(entry);
            }
        }
        runUntil(scheduler.nowMillis() + COUNT_LAG_MILLIS);
        world.check(invariant -> invariant.settled(world));
    }

    private void unsubscribe() {
        world.storageFate.clear();
        CompletableFuture<Void> cleared = world.dispatcher().clearDelayedMessages();
        for (long untilMillis = scheduler.nowMillis() + CLEAR_MILLIS; !cleared.isDone() && scheduler.step(untilMillis);) {
            world.afterEvent();
        }
        if (!cleared.isDone()) {
            throw new Violation(NothingIsLeft.class.getSimpleName(),
                    world.describe("a clear is not answered within " + CLEAR_MILLIS + " ms"), null);
        }
        world.dispatcher().close();
        runUntil(scheduler.nowMillis() + LAST_SWEEPS_MILLIS);
        world.check(invariant -> invariant.ended(world));
    }

    private void act(Action action) {
        int number = Math.toIntExact(action.number());
        switch (action.kind()) {
            case PUBLISH -> publish(number, () -> action.millis());
            case PUBLISH_SPREAD -> publish(number, () -> 1 + scheduler.draw(Math.toIntExact(action.millis())));
            case PUBLISH_FOREVER -> world.publishAt(Long.MAX_VALUE);
            case CONNECT -> world.dispatcher().connect();
            case DISCONNECT -> world.dispatcher().disconnect(number);
            case DISCONNECT_ALL -> world.dispatcher().disconnectAll();
            case TICK -> world.setTick(action.millis());
            case POLICY -> world.setDelaysMessages(number != 0);
            case UNLOAD -> unload(number != 0);
            case KILL -> kill();
            case ROLL_OVER -> world.topic().rollOver();
            case SWITCH_TYPE -> switchType();
            case CLOSE_FAILS -> {
                world.userAcks().moves().closeFails();
                closeFails(number != 0, action.millis());
            }
            case STEP_CLOCK -> world.setClock(action.millis());
            case FAIL_READS -> world.reads().fail(number);
            case HANG_READ -> world.reads().hangNext(action.millis(), number % 2 != 0);
            case SLOW_WORKER -> world.slowWorker(action.millis());
            case FLUSH -> world.cursor().flush();
            case RECORD -> {
                fate(() -> world.storageFate.rewrite(number));
                world.userAcks().moves().mayNotBeKnown();
            }
            case LEDGER_AWAY -> fate(() -> world.storageFate.takeAway(number));
            case STORAGE_AWAY -> storageAway(number, action.millis());
            case NO_THREADS -> world.brokers().shortages().begin(number, action.millis());
            case NO_MEMORY -> world.brokers().shortages().failOne(number, action.millis());
            case TWO_OWNERS -> {
                if (world.storage().isPresent()) {
                    twoOwners(number, action.millis());
                }
            }
            default -> moveCursor(action, number);
        }
    }

    private void storageAway(int number, long millis) {
        Fault fault = number % 2 != 0 ? Fault.hangBefore() : Fault.failBefore(StorageException.Kind.UNAVAILABLE);
        world.anyStorage().ifPresent(storage -> storage.away(AWAY.get(number / 2 % AWAY.size()), fault, millis));
    }

    private void moveCursor(Action action, int number) {
        ModelCursor cursor = world.cursor();
        ModelTopic topic = world.topic();
        switch (action.kind()) {
            case SEEK_BACK -> seek(Math.max(topic.trimmedBelow(), cursor.nextUnacked() - number), cursor::seekBackTo);
            case SEEK_FORWARD -> seek(Math.min(topic.size(), cursor.nextUnacked() + number), cursor::deleteBelow);
            case SKIP -> skipTo(Math.min(topic.size(), cursor.nextUnacked() + number));
            case CLEAR -> {
                clearBacklog();
                world.userAcks().moves().mayNotBeKnown();
            }
            case EXPIRE -> expire(action.millis());
            case CANCEL -> world.userAcks().cancels().ask(cursor.nextUnacked() + number / 2, Math.toIntExact(1 + action.millis()),
                    number % 2 != 0);
            case MOVE -> world.userAcks().moves().ask(cursor.nextUnacked() + number / 8, 1 + number % 8,
                    scheduler.wallMillis() + action.millis());
            case CANCEL_DUE -> world.userAcks().cancels().askDue(scheduler.wallMillis() + number,
                    scheduler.wallMillis() + number + action.millis());
            case MOVE_DUE -> world.userAcks().moves().askDue(0, scheduler.wallMillis() + number,
                    scheduler.wallMillis() + action.millis());
            case ACK -> {
                for (int i = 0; i <= action.millis() && topic.size() > topic.trimmedBelow(); i++) {
                    world.acknowledge(topic.trimmedBelow() + (number + i) % (topic.size() - topic.trimmedBelow()));
                }
            }
            default -> throw new IllegalArgumentException("an action without a meaning: " + action);
        }
    }

    private void publish(int count, LongSupplier delayMillis) {
        for (int i = 0; i < count; i++) {
            world.publish(delayMillis.getAsLong());
        }
    }

    private void seek(int entry, IntConsumer move) {
        if (world.cursor().isResetting()) {
            return;
        }
        int consumers = world.dispatcher().disconnectAll();
        world.dispatcher().cursorMoved();
        if (world.cursor().records().isEmpty()) {
            move.accept(entry);
            world.cursorWentBack();
            reconnect(consumers);
            return;
        }
        world.userAcks().seeking(entry);
        world.cursor().reset(entry, scheduler.chance(GOES_ON_PERCENT), () -> {
            world.userAcks().sought(entry);
            world.cursorWentBack();
            reconnect(consumers);
        });
    }

    /** The user passes everything below an entry, delivered or not. */
    private void skipTo(int entry) {
        if (!world.cursor().isResetting()) {
            world.userAcks().passed(entry);
            world.userAcks().beginsAnew();
            world.cursor().skipTo(entry);
        }
    }

    private void clearBacklog() {
        world.storageFate.clear();
        skipTo(world.topic().size());
        // By then the subscription may have another dispatcher.
        Runnable clear = () -> {
            world.storageFate.clear();
            world.dispatcher().clearDelayedMessages();
        };
        if (world.setup().get(Parameter.LINE) == 0 && !world.setup().is(Parameter.JOURNAL)) {
            scheduler.unlockedAfter(MARK_DELETE_STEPS * world.latency(), clear);
        } else {
            scheduler.after(MARK_DELETE_STEPS * world.latency(), clear);
        }
    }

    private void expire(long olderThanMillis) {
        int below = world.cursor().nextUnacked();
        while (below < world.topic().size()
                && world.topic().publishedAtMillis(below) < scheduler.nowMillis() - olderThanMillis) {
            below++;
        }
        if (!world.cursor().isResetting()) {
            world.userAcks().passed(below);
            world.cursor().deleteBelow(below);
        }
    }

    private void fate(Runnable strikes) {
        if (world.storage().isPresent()) {
            unload(false, strikes);
        }
    }

    private void unload(boolean toTheSameBroker) {
        unload(toTheSameBroker, () -> { });
    }

    private void unload(boolean toTheSameBroker, Runnable meanwhile) {
        awaitReset();
        ModelDispatcher old = world.dispatcher();
        int consumers = old.consumers().size();
        long beginMillis = scheduler.nowMillis();
        boolean hadTracker = old.tracker() != null;
        CompletableFuture<Void> over = old.close();
        while (!over.isDone() && scheduler.step(beginMillis + LONGEST_CLOSE_MILLIS)) {
            world.afterEvent();
        }
        closeCursor(over, scheduler.nowMillis() - beginMillis, hadTracker);
        if (!toTheSameBroker) {
            world.brokers().start();
        }
        meanwhile.run();
        world.life().reload();
        startOver(consumers);
    }

    private void awaitReset() {
        while (world.cursor().isResetting() && scheduler.step(Long.MAX_VALUE)) {
            world.afterEvent();
        }
    }

    /** Writes the position, unless an update of the record gets in between: then what was not flushed is lost. */
    private void closeCursor(CompletableFuture<Void> over, long waitedMillis, boolean hadTracker) {
        boolean written = world.life().closeCursor();
        // Nobody asks the plugin where there is no tracker to close.
        world.check(invariant -> invariant.closed(world, over, waitedMillis, written || !hadTracker));
        if (written) {
            world.cursor().reloadAfterClose();
            world.cursorIsLoaded();
        } else {
            world.tell("an update of the record is under way: the cursor cannot write its position");
            world.storageFate.overtake();
            world.cursor().reloadAfterCrash();
            world.cursorIsLoaded();
        }
    }

    private void kill() {
        int consumers = world.dispatcher().consumers().size();
        world.dispatcher().die();
        world.life().die();
        world.cursor().reloadAfterCrash();
        world.cursorIsLoaded();
        world.brokers().start();
        startOver(consumers);
    }

    /** The next owner reads position and record now, and has not heard of what the former one writes after that. */
    private void twoOwners(long goesOnMillis, long hearsAfterMillis) {
        world.cursor().flush();
        BrokerLife next = world.brokers().beginTwoOwners();
        long untilMillis = scheduler.nowMillis() + goesOnMillis;
        while (scheduler.nowMillis() < untilMillis) {
            // What the former one seals piece by piece the next one reads at once.
            publish(FEW, () -> 1 + scheduler.draw(FAR_MILLIS));
            long nextMillis = Math.min(untilMillis, scheduler.nowMillis() + FEW_EACH_MILLIS);
            runUntil(nextMillis);
            scheduler.idleUntil(nextMillis);
        }
        ModelDispatcher former = world.dispatcher();
        int consumers = former.consumers().size();
        former.isLeftAlone();
        world.cursor().reloadAfterCrash();
        world.cursorWentBack();
        world.brokers().moveTo(next);
        if (scheduler.chance(WRITES_PERCENT)) {
            // Until then every update of its own meets another version.
            scheduler.after(scheduler.draw(1_000), () -> next.buckets().ifPresent(SimulatedBuckets::refreshCursor));
        }
        scheduler.after(hearsAfterMillis, former::close);
        startOver(consumers);
        // Reads stop for a while, so that what is stored is there before they come to it.
        scheduler.after(scheduler.draw(MOST_STEPS) * world.latency(), () -> world.reads().hangNext(RECOVERED_MILLIS, false));
    }

    private void switchType() {
        ModelDispatcher old = world.dispatcher();
        int consumers = old.consumers().size();
        world.life().isReplaced(old.tracker());
        old.close();
        if (scheduler.chance(LATE_READ_PERCENT)) {
            scheduler.after(world.latency(), old::lateReadMakesATracker);
        }
        startOver(consumers);
    }

    private void closeFails(boolean lateRead, long millis) {
        ModelDispatcher dispatcher = world.dispatcher();
        int consumers = dispatcher.consumers().size();
        world.life().isReplaced(dispatcher.tracker());
        dispatcher.close();
        if (lateRead) {
            scheduler.after(Math.min(millis, world.latency()), dispatcher::lateReadMakesATracker);
        }
        scheduler.after(millis, () -> {
            if (dispatcher == world.dispatcher()) {
                dispatcher.reset();
                reconnect(consumers);
            }
        });
    }

    private void startOver(int consumers) {
        world.newDispatcher();
        world.cursor().rewind();
        reconnect(consumers);
    }

    private void reconnect(int consumers) {
        ModelDispatcher dispatcher = world.dispatcher();
        for (int i = 0; i < consumers; i++) {
            scheduler.after(world.latency(), dispatcher::connect);
        }
    }
}
