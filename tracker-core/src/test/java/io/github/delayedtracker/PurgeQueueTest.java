/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.wakeup.ManualTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Passes of a broker share a fiftieth of a core, in turn. */
class PurgeQueueTest {

    private final ManualTimer timer = new ManualTimer(0);
    private final AtomicLong nanos = new AtomicLong();
    private final PurgeQueue queue = new PurgeQueue(Runnable::run, timer, nanos::get);
    private final List<String> ended = new ArrayList<>();

    /** A pass of so many slices that take a time each. */
    private Purging pass(String name, int slices, long sliceMicros) {
        Purging purging = mock(Purging.class);
        int[] left = {slices};
        when(purging.goOn(any())).thenAnswer(call -> {
            BooleanSupplier goesOn = call.getArgument(0);
            do {
                left[0]--;
                nanos.addAndGet(TimeUnit.MICROSECONDS.toNanos(sliceMicros));
            } while (left[0] > 0 && goesOn.getAsBoolean());
            if (left[0] == 0) {
                ended.add(name);
            }
            return left[0] > 0;
        });
        return purging;
    }

    @Test
    void aRestThatCannotBeArmedEndsWithTheNextPass() {
        timer.failNext();
        assertThrows(InternalError.class, () -> queue.add(pass("first", 1, 1)));
        queue.add(pass("second", 1, 1));
        assertEquals(List.of("first", "second"), ended);
    }

    @Test
    void aFiftiethOfACoreIsUsedHoweverLongThePassesAre() {
        for (int i = 0; i < 20; i++) {
            queue.add(pass("pass " + i, 1_000, 100));
        }
        timer.advanceTo(60_000);
        // The clock of the timer stands still while work is done.
        long allowedMicros = TimeUnit.MILLISECONDS.toMicros(60_000 / PurgeQueue.REST)
                + TimeUnit.NANOSECONDS.toMicros(PurgeQueue.WORK_NANOS);
        long workedMicros = TimeUnit.NANOSECONDS.toMicros(queue.workedNanos());
        assertTrue(workedMicros <= allowedMicros, workedMicros + " of " + allowedMicros + " us");
        assertTrue(workedMicros > allowedMicros * 9 / 10, workedMicros + " us are used");
        assertEquals(nanos.get(), queue.workedNanos());
    }

    @Test
    void tenThousandShortPassesEndWithinAMinute() {
        for (int i = 0; i < 10_000; i++) {
            queue.add(pass("pass " + i, 1, 100));
        }
        timer.advanceTo(60_000);
        assertEquals(10_000, ended.size());
        assertEquals(0, queue.waiting());
    }

    @Test
    void aShortPassDoesNotWaitForALongOneToEnd() {
        queue.add(pass("long", 100_000, 100));
        queue.add(pass("short", 3, 100));
        timer.advanceTo(1_000);
        assertEquals(List.of("short"), ended);
    }

    @Test
    void afterTheLastPassNothingIsArmed() {
        queue.add(pass("only", 1, 100));
        timer.advanceTo(1_000);
        assertEquals(0, timer.armedCount());
        queue.add(pass("another", 1, 100));
        assertEquals(List.of("only", "another"), ended);
    }

    @Test
    void anErrorOfOnePassDoesNotKeepTheOthersFromTheirTurn() {
        Purging bad = mock(Purging.class);
        when(bad.goOn(any())).thenThrow(new OutOfMemoryError("for the test"));
        assertThrows(OutOfMemoryError.class, () -> queue.add(bad));
        queue.add(pass("good", 1, 100));
        timer.advanceTo(1_000);
        assertEquals(List.of("good"), ended);
    }

    @Test
    void whereNoThreadCanBeHadNowAPassIsBegunLater() {
        int[] refusals = {3};
        PurgeQueue refused = new PurgeQueue(task -> {
            if (refusals[0] > 0) {
                refusals[0]--;
                throw new OutOfMemoryError("no thread, for the test");
            }
            task.run();
        }, timer, nanos::get);
        assertThrows(OutOfMemoryError.class, () -> refused.add(pass("first", 1, 100)));
        refused.add(pass("second", 1, 100));
        for (int i = 1; i <= 2; i++) {
            long atMillis = i * PurgeQueue.AGAIN_MILLIS;
            assertThrows(OutOfMemoryError.class, () -> timer.advanceTo(atMillis));
            assertEquals(List.of(), ended);
        }
        timer.advanceTo(3 * PurgeQueue.AGAIN_MILLIS);
        assertEquals(List.of("first", "second"), ended);
    }
}
