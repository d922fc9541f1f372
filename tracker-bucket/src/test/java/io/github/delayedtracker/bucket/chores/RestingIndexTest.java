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

import io.github.delayedtracker.bucket.index.Sealing.SealReason;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.IndexTwin;
import io.github.delayedtracker.timebucket.SmallTimeBuckets;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When an index wakes and when it may rest again, and that nobody can tell by its answers. */
class RestingIndexTest {

    private static final int RUNS = 400;
    private static final int OPERATIONS = 300;
    private static final int VALIDATED_POSITIONS = 60;
    private static final int MOST_WAKE = 60;
    private static final int SWAPS = 100;
    private static final int RESTS_ONE_IN = 5;

    private final List<String> woken = new ArrayList<>();
    private final RestingIndex index = waking(10);

    static BucketSettings wakingAt(int positions) {
        return new SomeSettings().ageSeal(10 * positions).make();
    }

    private RestingIndex waking(int positions) {
        return new RestingIndex(new SmallTimeBuckets()::newIndex, wakingAt(positions), () -> woken.add("woken"));
    }

    private void add(int from, int to) {
        for (int entry = from; entry < to; entry++) {
            assertTrue(index.add(1_000 - entry, 1, entry));
        }
    }

    @Test
    void theAddThatReachesTheLimitWakesItAndIsPassedOnOnce() {
        add(0, 9);
        assertFalse(index.add(1, 1, 8), "contained already");
        assertTrue(index.awake().isEmpty() && !index.wantsChores());
        add(9, 10);
        assertTrue(index.awake().isPresent() && index.wantsChores());
        index.takeWork().ifPresent(Runnable::run);
        for (int entry = 10; entry < 20; entry++) {
            add(entry, entry + 1);
            index.takeWork().ifPresent(Runnable::run);
        }
        assertEquals(List.of("woken"), woken);
    }

    @Test
    void itRestsWithHalfAsManyPositionsAndWakesAgain() {
        add(0, 10);
        index.takeWork().ifPresent(Runnable::run);
        index.forgetUpTo(1, 3);
        assertFalse(index.rest(), "six of ten");
        index.forgetUpTo(1, 4);
        assertTrue(index.rest());
        assertTrue(index.awake().isEmpty() && !index.wantsChores());
        assertFalse(index.rest(), "it rests");
        add(10, 15);
        index.takeWork().ifPresent(Runnable::run);
        assertEquals(List.of("woken", "woken"), woken);
        assertEquals(10, index.size());
    }

    @Test
    void itDoesNotRestWhileATailIsFrozenOrABucketMayCome() {
        add(0, 10);
        index.forgetUpTo(1, 7);
        index.awake().orElseThrow().seals().freeze(SealReason.AGE);
        assertFalse(index.rest(), "two positions are being sealed");

        RestingIndex recovering = waking(10);
        recovering.wakeUp();
        recovering.awake().orElseThrow().beginRecovery();
        assertFalse(recovering.rest(), "what is given is remembered");
        recovering.awake().orElseThrow().endRecovery();
        assertTrue(recovering.rest());
    }

    @Test
    void itAgreesWithANaiveTwinWhereverItWakesAndRests() {
        long firstSeed = Long.getLong("delayed.test.seed", new Random().nextLong());
        int[] swaps = {0};
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(firstSeed + run);
            RestingIndex changing = waking(1 + random.nextInt(MOST_WAKE));
            try {
                new IndexTwin(resting(changing, random, swaps), random, run % IndexTwin.SHAPES)
                        .run(OPERATIONS, VALIDATED_POSITIONS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Ddelayed.test.seed=" + firstSeed + ", run " + run, e);
            }
        }
        assertTrue(swaps[0] > SWAPS, () -> "only " + swaps[0] + " times at rest again, -Ddelayed.test.seed=" + firstSeed);
    }

    /** Before some of the calls it is asked to rest. */
    private static DelayIndex resting(RestingIndex index, Random random, int[] swaps) {
        return (DelayIndex) Proxy.newProxyInstance(DelayIndex.class.getClassLoader(), new Class<?>[] {DelayIndex.class},
                (proxy, method, arguments) -> {
                    if (random.nextInt(RESTS_ONE_IN) == 0 && index.rest()) {
                        swaps[0]++;
                    }
                    try {
                        return method.invoke(index, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
