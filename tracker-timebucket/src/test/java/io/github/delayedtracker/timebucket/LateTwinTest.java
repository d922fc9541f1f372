/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphStats;

/**
 * The index beside a naive twin while positions come out of order: any share of them, behind any number of later ones, in a
 * row or each in a ledger of its own, with positions that come twice, leave early, are handed out or are put into another
 * index. What the index passes on as work is done a while later.
 */
class LateTwinTest {

    private static final long FIRST_MILLIS = 1_700_000_000_000L;
    private static final int RUNS = 120;
    private static final int STEPS = 12_000;
    private static final int CHECKED_EVERY = 1_500;

    @Test
    void itAgreesWithANaiveTwinWhateverShareIsLate() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        int noted = 0;
        for (int run = 0; run < RUNS; run++) {
            Run beside = new Run(new Random(firstSeed + run));
            try {
                beside.go();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run + ", " + beside, e);
            }
            noted += beside.notedSteps > 0 ? 1 : 0;
        }
        assertTrue(noted > RUNS / 4, "the index notes what is added in " + noted + " runs, from seed " + firstSeed);
    }

    /** One index and its twin. */
    private static final class Run {
        private final Random random;
        private final double share;
        private final int spread;
        private final int shape;
        private final int leaving;
        private final boolean isHandedOut;
        private final TreeMap<Position, Long> twin = new TreeMap<>();
        private final NavigableSet<Due> dues = new TreeSet<>();
        private final Deque<Runnable> work = new ArrayDeque<>();
        private final List<Position> added = new ArrayList<>();
        private TimeBucketIndex index;
        private int segment;
        private int notedSteps;
        private long newest;

        Run(Random random) {
            this.random = random;
            share = List.of(0.01, 0.1, 0.5, 0.9, 1.0).get(random.nextInt(5));
            spread = 1 << 3 + random.nextInt(10);
            shape = random.nextInt(4);
            leaving = random.nextInt(3) * 100;
            isHandedOut = random.nextBoolean();
            segment = 16 << random.nextInt(7);
            index = new TimeBucketIndex(segment);
        }

        void go() {
            for (int step = 0; step < STEPS; step++) {
                int what = random.nextInt(1_000);
                if (what < 1_000 - leaving - 60) {
                    add(next());
                } else if (what < 1_000 - 60) {
                    forget();
                } else if (what < 1_000 - 2 || step < STEPS / 2) {
                    addAgainOrLook();
                } else if (what < 1_000 - 1) {
                    forgetUpTo();
                } else if (random.nextInt(4) == 0) {
                    restore();
                }
                if (random.nextInt(200) == 0) {
                    index.tidy(1 << random.nextInt(12));
                }
                if (isHandedOut && random.nextInt(300) == 0) {
                    handOut();
                }
                work(step);
                notedSteps += index.recent != null ? 1 : 0;
                if (step % CHECKED_EVERY == 0 || step == STEPS - 1) {
                    check();
                }
            }
        }

        private Position next() {
            newest++;
            long at = random.nextDouble() < share ? Math.max(0, newest - random.nextInt(spread)) : newest;
            return switch (shape) {
                case 0 -> new Position(7, at);
                case 1 -> new Position(3 + at / 300, at % 300);
                case 2 -> new Position(5 + at * 10, at * 31 % 50_000);
                default -> new Position(at * 0x9E37_79B9L, at * 0x5851_F42D_4C95L & Long.MAX_VALUE >>> 2);
            };
        }

        private void add(Position position) {
            long dueMillis = FIRST_MILLIS + (newest + random.nextInt(3_000)) * 512;
            boolean isNew = twin.putIfAbsent(position, dueMillis) == null;
            assertEquals(isNew, index.add(dueMillis, position.ledgerId(), position.entryId()), () -> "is new: " + position);
            if (isNew) {
                dues.add(new Due(dueMillis, position));
                added.add(position);
            }
        }

        private Position some() {
            // Mostly one that came lately.
            int last = added.size() - 1;
            return added.get(Math.max(0, last - random.nextInt(1 << random.nextInt(14))));
        }

        private void forget() {
            if (!added.isEmpty()) {
                Position position = some();
                Long dueMillis = twin.remove(position);
                assertEquals(dueMillis != null, index.forget(position.ledgerId(), position.entryId()),
                        () -> "forgets " + position);
                if (dueMillis != null) {
                    dues.remove(new Due(dueMillis, position));
                }
            }
        }

        private void addAgainOrLook() {
            if (added.isEmpty()) {
                return;
            }
            Position position = some();
            if (random.nextBoolean()) {
                add(position);
            }
            assertContained(position);
            assertContained(new Position(position.ledgerId(), position.entryId() + 1));
            assertContained(next());
        }

        private void assertContained(Position position) {
            assertEquals(twin.containsKey(position), index.contains(position.ledgerId(), position.entryId()),
                    () -> "contains " + position);
        }

        private void forgetUpTo() {
            Position position = some();
            NavigableMap<Position, Long> below = twin.headMap(position, true);
            below.forEach((left, dueMillis) -> dues.remove(new Due(dueMillis, left)));
            assertEquals(below.size(), index.forgetUpTo(position.ledgerId(), position.entryId()));
            below.clear();
        }

        private void handOut() {
            long untilMillis = FIRST_MILLIS + newest * 512;
            int limit = 1 + random.nextInt(500);
            List<Position> taken = new ArrayList<>();
            index.takeDue(untilMillis, limit, (ledgerId, entryId) -> taken.add(new Position(ledgerId, entryId)));
            for (Position position : taken) {
                Due first = dues.pollFirst();
                assertTrue(first.dueMillis <= untilMillis, () -> position + " is not due");
                assertEquals(first.position, position);
                twin.remove(position);
            }
            if (taken.isEmpty() && !dues.isEmpty()) {
                assertTrue(index.nextDueMillis() <= dues.first().dueMillis, "the next due time");
            }
        }

        private void restore() {
            work.clear();
            if (random.nextBoolean()) {
                index.clear();
            } else {
                segment = 16 << random.nextInt(7);
                index = new TimeBucketIndex(segment);
            }
            assertEquals(new TimeBucketIndex(segment).retainedBytes(), index.retainedBytes(), "an empty index keeps nothing");
            List<Map.Entry<Position, Long>> rows = new ArrayList<>(twin.entrySet());
            if (random.nextBoolean()) {
                rows.sort(Map.Entry.comparingByValue());
            }
            for (Map.Entry<Position, Long> row : rows) {
                assertTrue(index.add(row.getValue(), row.getKey().ledgerId(), row.getKey().entryId()));
            }
        }

        private void work(int step) {
            index.takeWork().ifPresent(work::add);
            if (!work.isEmpty() && (step & 7) == 0 && random.nextInt(1 + segment / 64) == 0) {
                work.poll().run();
            }
        }

        private void check() {
            index.validate();
            assertEquals(twin.size(), index.size());
            List<Position> walked = new ArrayList<>();
            var walk = index.walk();
            while (walk.step(100, (ledgerId, entryId) -> walked.add(new Position(ledgerId, entryId)))) {
                assertTrue(walked.size() < 10 * STEPS, "the walk ends");
            }
            walked.removeIf(position -> !twin.containsKey(position));
            assertEquals(twin.keySet(), new TreeSet<>(walked), "the walk passes all");
            long due = dues.isEmpty() ? Long.MAX_VALUE : dues.first().dueMillis;
            assertTrue(index.nextDueMillis() <= due, "the next due time");
            assertTrue(dues.isEmpty() || dues.last().dueMillis <= index.lastDueMillis(), "the last due time");
        }

        @Override
        public String toString() {
            return "share " + share + ", spread " + spread + ", shape " + shape + ", leaving " + leaving + ", segment " + segment;
        }
    }

    private record Due(long dueMillis, Position position) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(dueMillis, other.dueMillis);
            return byTime != 0 ? byTime : position.compareTo(other.position);
        }
    }

    @Test
    void whatIsHeldOutOfOrderIsReportedToTheByte() {
        for (int messages : new int[] {100, 3_000, 9_000, 15_000, 40_000}) {
            TimeBucketIndex index = new TimeBucketIndex(1_024);
            TimeBucketIndex empty = new TimeBucketIndex(1_024);
            Random random = new Random(messages);
            for (int i = 0; i < messages; i++) {
                long at = Math.max(0, i - random.nextInt(2_000));
                index.add(FIRST_MILLIS + random.nextInt(600_000) * 512L, at * 10, at * 31 % 50_000);
                if (i < messages * 9 / 10) {
                    index.takeWork().ifPresent(Runnable::run);
                }
            }
            long shared = GraphStats.parseInstance(empty).totalSize() - empty.retainedBytes();
            long retained = GraphStats.parseInstance(index).totalSize() - shared;
            assertEquals(retained, index.retainedBytes(), retained * 0.01, messages + " messages");
        }
    }
}
