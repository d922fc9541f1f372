/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.DurableWorld;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import io.github.delayedtracker.simulator.Action.Kind;
import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A storage that for a minute does nothing, hears and does not answer, or fails, and one that loses ledgers: in virtual time,
 * with seals of eight positions, four attempts, and rests of five to ten seconds.
 */
class HangingStorageTest {

    private static final long HOUR_MILLIS = 3_600_000;
    private static final long FROM_MILLIS = 20_000;
    private static final long HEALED_MILLIS = 80_000;
    /** One rest at its longest, and the time that what is begun then takes. */
    private static final long NORMAL_MILLIS = HEALED_MILLIS + SimulatedBuckets.PAUSE_MILLIS + 1_000;
    private static final long READING_MILLIS = 4_000;
    private static final long TICK_MILLIS = 1_000;
    private static final int MOST_ATTEMPTS = 4;

    private final Books books = new Books();
    private long calls;

    /** What is wrong with every call. */
    private enum Trouble {
        DOES_NOTHING, DOES_NOT_ANSWER, FAILS, FAILS_AFTER_THE_EFFECT;

        Fault fault() {
            return switch (this) {
                case DOES_NOTHING -> Fault.hangBefore();
                case DOES_NOT_ANSWER -> Fault.hangAfter();
                case FAILS -> Fault.failBefore(StorageException.Kind.UNAVAILABLE);
                case FAILS_AFTER_THE_EFFECT -> Fault.failAfter(StorageException.Kind.OUTCOME_UNKNOWN);
            };
        }
    }

    /** When each entry was handed out and sent, by which nothing is judged before the end; and that nothing is sent early. */
    private static final class Books extends Invariant {
        private final Map<Integer, Long> sentMillis = new HashMap<>();
        private final Map<Integer, Integer> sent = new HashMap<>();
        private final Map<Integer, Integer> handedOut = new HashMap<>();

        @Override
        void handedOut(World world, TrackerProbe tracker, int entry) {
            handedOut.merge(entry, 1, Integer::sum);
        }

        @Override
        void sent(World world, int entry) {
            require(world.isOpen(entry), world, "entry %d was sent early", entry);
            sentMillis.putIfAbsent(entry, world.scheduler().nowMillis());
            sent.merge(entry, 1, Integer::sum);
        }
    }

    private static Setup bucket(long seed) {
        return Setup.calm().with(Parameter.BACKEND, Setup.BUCKET).with(Parameter.LATENCY, 5).with(Parameter.SEED, seed);
    }

    private static List<Invariant> otherInvariants() {
        return List.of(new ContainedMeansScheduled(), new HeldIsSkipped(), new AllIsDelivered(), new HandedOutOncePerAdd(),
                new NotSentWhileHeld(), new DeliveredOnce(), new CountIsTrue(), new NothingFails(), new NoCallAfterClose());
    }

    private World play(Scenario scenario, List<Invariant> more, Consumer<World> before) {
        List<Invariant> all = new ArrayList<>(otherInvariants());
        all.addAll(more);
        all.add(books);
        World world = new World(scenario.setup(), all, null);
        before.accept(world);
        new Stage(scenario, world, new Coverage()).play();
        return world;
    }

    private static FaultyStorage storage(World world) {
        return world.storage().orElseThrow();
    }

    /** All calls go wrong for a minute; by the end of the longest rest after it nothing waits to be sealed any more. */
    private Consumer<World> minuteOf(Trouble trouble) {
        return world -> {
            world.scheduler().after(FROM_MILLIS, () -> storage(world).onEvery(null, "*", trouble.fault()));
            world.scheduler().after(HEALED_MILLIS, () -> {
                for (Operation operation : Operation.values()) {
                    calls = Math.max(calls, storage(world).counts().of(operation, trouble.fault().kind()));
                }
                storage(world).heal();
            });
            world.scheduler().after(NORMAL_MILLIS, () -> {
                assertEquals(0, world.life().buckets().orElseThrow().figure("bucket_frozen_tails"), "tails not sealed");
                assertEquals(0, world.life().buckets().orElseThrow().figure("bucket_lost_buckets_total"), "buckets given up");
            });
        };
    }

    /** The newest: older ones may be merged away and be held back only. */
    private static void lose(DurableWorld durable, int atMost) {
        List<Long> ledgers = durable.ledgersOf(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR).stream().sorted().toList();
        ledgers.subList(Math.max(0, ledgers.size() - atMost), ledgers.size()).forEach(durable::loseLedger);
    }

    private static void allOnce(Map<Integer, Integer> times, int entries) {
        for (int entry = 0; entry < entries; entry++) {
            assertEquals(1, times.getOrDefault(entry, 0), "entry " + entry);
        }
    }

    /** No attempt follows a failure at once for long: at most four, then a rest of half its length at least. */
    private void askedSeldom() {
        // Loads rest the shortest, since what is not read in time is given up: a 24th of that time at least.
        long rests = (HEALED_MILLIS - FROM_MILLIS) / (SimulatedBuckets.UNREADABLE_MILLIS / 24);
        // Three loads at a time are one work each.
        assertTrue(calls > 0 && calls <= 3 * MOST_ATTEMPTS * (rests + 1), () -> "asked " + calls + " times for one thing");
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    @Execution(ExecutionMode.CONCURRENT)
    void whatIsInMemoryIsOnTimeAndWhatIsStoredIsNotLost(Trouble trouble) {
        for (long seed = 1; seed <= 20; seed++) {
            books.sent.clear();
            books.handedOut.clear();
            play(Scenario.script(bucket(seed)).then(Kind.CONNECT)
                    .at(100).then(Kind.PUBLISH, 40, 150_000)
                    .at(FROM_MILLIS + 100).then(Kind.PUBLISH_SPREAD, 60, 55_000)
                    .then(Kind.PUBLISH, 5, 0)
                    .at(200_000).then(Kind.FLUSH).end(), List.of(new NeverLate(), new NeverEarly(), new DueHasAWakeUp()),
                    minuteOf(trouble));
            allOnce(books.sent, 105);
            askedSeldom();
        }
    }

    @ParameterizedTest
    @EnumSource(Trouble.class)
    @Execution(ExecutionMode.CONCURRENT)
    void whatIsStoredAndDueMeanwhileComesOnceTheStorageIsBackAndHoldsUpNothingElse(Trouble trouble) {
        for (long seed = 1; seed <= 20; seed++) {
            books.sent.clear();
            books.sentMillis.clear();
            World world = play(Scenario.script(bucket(seed)).then(Kind.CONNECT)
                    .at(100).then(Kind.PUBLISH_SPREAD, 64, 100_000)
                    .at(FROM_MILLIS + 100).then(Kind.PUBLISH_SPREAD, 40, 50_000)
                    .at(200_000).then(Kind.FLUSH).end(), List.of(new NeverEarly()), minuteOf(trouble));
            allOnce(books.sent, 104);
            for (int entry = 0; entry < 104; entry++) {
                long dueMillis = world.scheduler().whenWallShows(world.topic().deliverAtMillis(entry));
                long latestMillis = dueMillis + 3 * TICK_MILLIS + READING_MILLIS;
                boolean mayWait = entry < 64 && dueMillis > FROM_MILLIS - TICK_MILLIS;
                long allowedMillis = mayWait ? Math.max(latestMillis, NORMAL_MILLIS + READING_MILLIS) : latestMillis;
                assertTrue(books.sentMillis.get(entry) <= allowedMillis, "entry " + entry + " due at " + dueMillis
                        + " ms was sent at " + books.sentMillis.get(entry) + " ms, seed " + seed);
            }
            askedSeldom();
        }
    }

    /** Whatever is away, no call is made more than once a second: what waits for it, deletions too, rests between its tries. */
    private static void requireSeldomCalls(World world, long awayMillis) {
        for (Operation operation : Operation.values()) {
            long failed = storage(world).counts().faults(operation);
            assertTrue(failed <= awayMillis / 1_000, operation + " was tried " + failed + " times in " + awayMillis + " ms");
        }
    }

    /** Findings S4 and S6: what is overdue does not wait for the storage, and what waits to be sealed is sealed in pieces. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    @Execution(ExecutionMode.CONCURRENT)
    void s4AStorageThatIsAwayForHoursHoldsNothingUpForLongerThanTheTimeAfterWhichItIsGivenUp(int away) {
        for (long seed = 1; seed <= 5; seed++) {
            books.sent.clear();
            long backMillis = FROM_MILLIS + 3 * HOUR_MILLIS;
            play(Scenario.script(bucket(seed)).then(Kind.CONNECT)
                    .at(100).then(Kind.PUBLISH_SPREAD, 64, 200_000)
                    .at(FROM_MILLIS).then(Kind.STORAGE_AWAY, away, 3 * HOUR_MILLIS)
                    .at(FROM_MILLIS + 100).then(Kind.PUBLISH_SPREAD, 100, 4 * (int) HOUR_MILLIS)
                    .at(backMillis + NORMAL_MILLIS).then(Kind.PUBLISH_SPREAD, 20, 100_000)
                    .at(backMillis + 2 * HOUR_MILLIS).then(Kind.FLUSH).end(),
                    List.of(new NeverLate(), new DueHasAWakeUp(), new SealsKeepTheirSize()), world ->
                            world.scheduler().after(backMillis, () -> requireSeldomCalls(world, 3 * HOUR_MILLIS)));
            allOnce(books.sent, 184);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    @Execution(ExecutionMode.CONCURRENT)
    void whatWasInALostLedgerIsReadAgainOnceAndComesOnTime(int lost) {
        for (long seed = 1; seed <= 20; seed++) {
            books.sent.clear();
            books.handedOut.clear();
            play(Scenario.script(bucket(seed)).then(Kind.CONNECT)
                    .at(100).then(Kind.PUBLISH_SPREAD, 64, 100_000)
                    .at(200_000).then(Kind.FLUSH).end(), List.of(new NeverLate()), world ->
                            world.scheduler().after(FROM_MILLIS, () -> lose(storage(world).world(), lost)));
            allOnce(books.sent, 64);
            books.handedOut.forEach((entry, times) ->
                    assertTrue(times <= 2, "entry " + entry + " was handed out " + times + " times"));
            assertTrue(books.handedOut.containsValue(2), "nothing was read again");
        }
    }
}
