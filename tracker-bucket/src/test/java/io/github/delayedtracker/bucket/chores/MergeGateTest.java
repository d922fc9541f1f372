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

import io.github.delayedtracker.bucket.steps.JobTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S3: no subscription waits for the merges of those that asked after it. */
class MergeGateTest {

    private static final int MERGES = 2;
    private static final long SLOW_MILLIS = 60_000;
    private static final long BYTES_A_SECOND = 1_000;

    private final JobTime time = new JobTime(1);
    private final MergeGate gate = new MergeGate(MERGES, BYTES_A_SECOND, time, time);
    private final List<String> entered = new ArrayList<>();
    private final Map<String, MergeGate.Place> places = new HashMap<>();

    private final class Subscription implements MergeGate.Guest {
        private final String name;

        Subscription(String name) {
            this.name = name;
        }

        @Override
        public void entered(MergeGate.Place place) {
            entered.add(name);
            places.put(name, place);
        }

        @Override
        public void refused() {
            entered.add(name + " refused");
        }
    }

    private void ask(String... names) {
        for (String name : names) {
            gate.ask(new Subscription(name));
        }
        time.runUntil(time.nowMillis());
    }

    private void leave(String name) {
        places.get(name).leave();
        time.runUntil(time.nowMillis());
    }

    @Test
    @DisplayName("S3: a merge that could not make room makes it once another slow one ends")
    void aLateMergeMakesRoomOnceASlowOneEnds() {
        ask("a", "b", "c", "d", "e");
        time.runUntil(3 * SLOW_MILLIS);
        assertEquals(Set.of("a", "b", "c", "d"), Set.copyOf(entered), "twice as many at most");
        leave("a");
        assertEquals(List.of("e"), entered.subList(4, entered.size()));
        leave("c");
        leave("b");
        leave("d");
        leave("e");
        assertEquals(0, figure("under_way"));
    }

    private long figure(String name) {
        return gate.samples().get("bucket_merges_" + name);
    }

    @Test
    void subscriptionsComeInInTheOrderInWhichTheyAsked() {
        ask("a", "b", "c", "d");
        assertEquals(List.of("a", "b"), entered);
        assertEquals(2, figure("under_way"));
        assertEquals(2, figure("waiting"));
        leave("b");
        ask("b");
        leave("c");
        leave("a");
        assertEquals(List.of("a", "b", "c", "d", "b"), entered);
        assertEquals(0, figure("waiting"));
        leave("d");
        leave("b");
        assertEquals(0, figure("under_way"));
        assertEquals(0, time.armedCount(), "nothing is watched");
    }

    @Test
    void aPlaceThatIsLeftTwiceMakesRoomOnce() {
        ask("a", "b", "c", "d");
        leave("a");
        leave("a");
        assertEquals(List.of("a", "b", "c"), entered);
        assertEquals(2, figure("under_way"));
    }

    @Test
    void mergesThatTakeLongMakeRoomForAsManyOthersAndNotForMore() {
        ask("hangs 1", "hangs 2", "c", "d", "e", "f");
        time.runUntil(SLOW_MILLIS - 1);
        assertEquals(2, entered.size());
        time.runUntil(SLOW_MILLIS);
        assertEquals(Set.of("hangs 1", "hangs 2", "c", "d"), Set.copyOf(entered));
        time.runUntil(2 * SLOW_MILLIS - 1);
        assertEquals(4, entered.size(), "twice as many at most");
        leave("hangs 1");
        assertEquals(4, entered.size(), "its room was given away");
        leave("c");
        assertEquals(5, entered.size());
        leave("hangs 2");
        leave("d");
        leave("e");
        leave("f");
        assertEquals(6, entered.size());
        assertEquals(0, figure("under_way"));
    }

    @Test
    void aSubscriptionThatCannotBeToldIsRefusedAndLeavesItsPlace() {
        boolean[] refuses = {true};
        MergeGate refusing = new MergeGate(1, BYTES_A_SECOND, time, task -> {
            if (refuses[0]) {
                throw new RejectedExecutionException("on purpose");
            }
            task.run();
        });
        refusing.ask(new Subscription("a"));
        refuses[0] = false;
        refusing.ask(new Subscription("b"));
        assertEquals(List.of("a refused", "b"), entered);
    }

    @Test
    void bytesAreFollowedByThePauseThatTheRateAsksFor() {
        assertTrue(gate.pause(9).isDone(), "shorter pauses are saved up");
        CompletableFuture<Void> pause = gate.pause(491);
        time.runUntil(499);
        assertFalse(pause.isDone());
        time.runUntil(500);
        assertTrue(pause.isDone());
        assertTrue(gate.pause(9).isDone(), "what was paused for is not owed any more");
    }
}
