/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The bytes and the work of a journal at 10,000 acknowledgements a second, for five minutes of the cursor's clock. Each message
 * is acknowledged within a minute of being sent, at a random tick.
 */
class JournalWorkTest extends JournalFixture {

    private static final int ACKS_OF_A_TICK = 50_000;
    private static final int TICKS_TO_ACK = 12;
    private static final int TICKS = 60;
    private static final int WARM_UP_TICKS = 12;
    private static final int MOST_LOOKS = 4;
    private static final double TICK_NANOS = 5e9;
    private static final double MOST_BYTES = 3;
    /** Of a core. */
    private static final double MOST_WORK = 0.02;
    private static final int WORDS = (ENTRIES + 63) / 64;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Random random = new Random(7);
    /** The standing ledgers, acknowledged half, are before those of the traffic. */
    private int standing;

    @ParameterizedTest
    @ValueSource(ints = {0, 80})
    void tenThousandAcknowledgementsASecondTakeAFiftiethOfACoreAndThreeBytesEach(int standingLedgers) throws Exception {
        standing = standingLedgers;
        acknowledgeHalf(1, standing, 1);
        long before = 0;
        long nanos = 0;
        for (int tick = 0; tick < WARM_UP_TICKS + TICKS; tick++) {
            acknowledgeOfTick(tick);
            if (tick == WARM_UP_TICKS) {
                before = ledgers.bytes;
            }
            long begin = threads.getCurrentThreadCpuTime();
            lookUntilSettled();
            nanos += tick < WARM_UP_TICKS ? 0 : threads.getCurrentThreadCpuTime() - begin;
        }
        assertEquals(0, failures.size(), failures::toString);
        AckedPositions all = cursor.moment().orElseThrow().acked();
        assertTrue(storedUpToTheStamp().containsAll(all), "what is acknowledged is stored");
        double bytes = (double) (ledgers.bytes - before) / ((long) TICKS * ACKS_OF_A_TICK);
        double work = nanos / (TICKS * TICK_NANOS);
        System.out.printf("journal at 10,000 acknowledgements a second, %,d holes: %.2f bytes each, %.2f %% of a core%n",
                all.ranges(), bytes, work * 100);
        assertTrue(bytes <= MOST_BYTES, () -> bytes + " bytes an acknowledgement");
        assertTrue(work <= MOST_WORK, () -> work + " of a core");
    }

    /** The ledgers of the last minute, of each an equal share of what is left. */
    private void acknowledgeOfTick(int tick) {
        for (int sent = Math.max(0, tick - TICKS_TO_ACK + 1); sent <= tick; sent++) {
            long[] words = acked.computeIfAbsent(standing + 1L + sent, id -> new long[WORDS]);
            int ticksLeft = TICKS_TO_ACK - (tick - sent);
            for (int entry = 0; entry < ENTRIES; entry++) {
                if (random.nextInt(ticksLeft) == 0) {
                    words[entry >> 6] |= 1L << entry;
                }
            }
        }
        if (standing == 0 && tick >= TICKS_TO_ACK) {
            cursor.markDeleteLedger = 1L + tick - TICKS_TO_ACK;
            cursor.markDelete = ENTRIES - 1;
            acked.keySet().removeIf(ledgerId -> ledgerId <= cursor.markDeleteLedger);
        }
    }

    /** As the tracker does, a second apart: a look that takes a former ledger away appends nothing. */
    private void lookUntilSettled() {
        for (int looks = 0; looks == 0 || journal.isUnsettled(); looks++) {
            assertTrue(looks < MOST_LOOKS, "the journal does not settle");
            tick();
        }
    }

    private AckedPositions storedUpToTheStamp() throws DamagedJournalException {
        JournalCursor.Stamp stamp = cursor.stamp.orElseThrow();
        return JournalContents.read(ledgers.stored.get(stamp.epoch()), stamp.sequence(), NONE).all();
    }
}
