/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random arming, cancelling and passing of time, against a sorted map of deadlines. */
class TimingWheelTwinTest {

    private static final int STEPS = 60_000;

    @Test
    void itDoesWhatASortedMapDoes() {
        for (long seed = 1; seed <= 20; seed++) {
            new Run(seed).play();
        }
        new Run(new Random().nextLong()).play();
    }

    private static final class Entry extends Task {
        /** Where it stands in the list of those that can be cancelled; -1 for nowhere. */
        private int at;

        Entry(long deadlineTick) {
            super(deadlineTick);
        }
    }

    private static final class Run {
        final long seed;
        final Random random;
        final TimingWheel wheel = new TimingWheel();
        final TreeMap<Long, Set<Entry>> model = new TreeMap<>();
        final List<Entry> held = new ArrayList<>();
        Entry gone;
        long nowTick;
        int step;

        Run(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void play() {
            for (step = 0; step < STEPS; step++) {
                int dice = random.nextInt(100);
                if (dice < 45 && held.size() < 3_000) {
                    arm();
                } else if (dice < 65) {
                    cancel();
                } else if (dice < 75) {
                    passTime();
                    wheel.advanceFreely(nowTick);
                } else {
                    passTime();
                    advance();
                }
                compare();
            }
            nowTick = Long.MAX_VALUE;
            while (!wheel.advance(nowTick, 1_000)) {
                takeAll();
            }
            takeAll();
            assertEquals(0, wheel.size(), at());
            assertTrue(model.isEmpty(), at());
            assertEquals(TimingWheel.NEVER, wheel.nextTick(), at());
        }

        private void arm() {
            Entry entry = new Entry(deadlineTick());
            wheel.arm(entry);
            entry.at = held.size();
            held.add(entry);
            model.computeIfAbsent(entry.deadlineTick(), tick -> new HashSet<>()).add(entry);
        }

        private long deadlineTick() {
            long distance = switch (random.nextInt(8)) {
                case 0 -> -random.nextInt(100);
                case 1, 2 -> random.nextInt(70);
                case 3 -> random.nextInt(5_000);
                case 4 -> (1L << 6 * random.nextInt(11)) + random.nextInt(3) - 1;
                case 5 -> random.nextLong() >>> 1 + random.nextInt(62);
                case 6 -> (nowTick | (1L << 6 * random.nextInt(10)) - 1) - nowTick + random.nextInt(3);
                default -> random.nextInt(5) == 0 ? Long.MAX_VALUE : random.nextInt(300_000);
            };
            long deadlineTick = nowTick + distance;
            return deadlineTick >= 0 ? deadlineTick : distance < 0 ? 0 : Long.MAX_VALUE;
        }

        private void cancel() {
            if (gone != null && random.nextInt(4) == 0) {
                assertFalse(wheel.cancel(gone), at() + ": cancelled twice, or after it was taken");
            } else if (!held.isEmpty()) {
                Entry entry = held.get(random.nextInt(held.size()));
                assertTrue(wheel.cancel(entry), at() + ": deadline " + entry.deadlineTick());
                forget(entry);
            }
        }

        private void passTime() {
            long distance = switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4 -> random.nextInt(3);
                case 5, 6, 7, 8 -> random.nextInt(100);
                case 9 -> random.nextInt(10_000);
                case 10 -> Math.max(0, wheel.nextTick() - nowTick - random.nextInt(2));
                default -> random.nextInt(300) == 0 ? random.nextLong() >>> 1 + random.nextInt(62) : 1;
            };
            // The last years are left to the end of the run.
            nowTick = Math.min(nowTick + Math.min(distance, Long.MAX_VALUE - nowTick), Long.MAX_VALUE >> 1);
        }

        private void advance() {
            boolean arrived = wheel.advance(nowTick, 1 + random.nextInt(50));
            if (random.nextInt(3) == 0) {
                takeSome(random.nextInt(4));
            } else if (arrived) {
                takeAll();
                assertTrue(model.isEmpty() || model.firstKey() > nowTick, () -> at() + ": late " + model.firstKey());
            }
        }

        private void takeAll() {
            takeSome(Integer.MAX_VALUE);
        }

        private void takeSome(int most) {
            Entry taken = most == 0 ? null : (Entry) wheel.takeDue();
            for (int i = 1; taken != null; i++) {
                assertTrue(taken.deadlineTick() <= nowTick, at() + ": early " + taken.deadlineTick());
                forget(taken);
                taken = i < most ? (Entry) wheel.takeDue() : null;
            }
        }

        private void forget(Entry entry) {
            assertTrue(entry.at >= 0, at() + ": taken or cancelled twice, " + entry.deadlineTick());
            Entry last = held.remove(held.size() - 1);
            if (last != entry) {
                held.set(entry.at, last);
                last.at = entry.at;
            }
            entry.at = -1;
            gone = entry;
            Set<Entry> ofTick = model.get(entry.deadlineTick());
            ofTick.remove(entry);
            if (ofTick.isEmpty()) {
                model.remove(entry.deadlineTick());
            }
        }

        private void compare() {
            assertEquals(held.size(), wheel.size(), this::at);
            assertTrue(wheel.nowTick() <= nowTick, this::at);
            long nextTick = wheel.nextTick();
            if (held.isEmpty()) {
                assertEquals(TimingWheel.NEVER, nextTick, this::at);
            } else if (model.firstKey() > wheel.nowTick()) {
                assertTrue(nextTick <= model.firstKey(), () -> at() + ": the next tick is too late, " + nextTick);
            } else {
                assertTrue(wheel.isBusy(), () -> at() + ": " + model.firstKey() + " is not among the due");
            }
        }

        private String at() {
            return "seed " + seed + ", step " + step + ", now " + nowTick;
        }
    }
}
