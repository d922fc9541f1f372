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
import io.github.delayedtracker.acks.AckRestore.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The journal of ten million holes: twenty million acknowledgements in random order, of forty million messages. */
class LargeJournalTest extends JournalFixture {

    private static final int MANY_LEDGERS = 800;
    /** As small as storage may be set to, beside the label. */
    private static final int SMALL_ENTRY = 1 << 16;

    @Test
    void itIsWrittenInEntriesThatStorageTakesAndRestoredWhole() throws DamagedJournalException {
        ledgers.mostBytes = SMALL_ENTRY;
        acknowledgeRanges(5 * MOST);
        acknowledgeHalf(2, MANY_LEDGERS, 1);
        AckedPositions all = cursor.moment().orElseThrow().acked();
        assertTrue(all.ranges() > 9_900_000, () -> all.ranges() + " holes");
        tick();
        List<ByteBuffer> entries = ledgers.stored.lastEntry().getValue();
        assertTrue(entries.stream().allMatch(entry -> entry.remaining() <= SMALL_ENTRY), "an entry is larger than storage takes");
        assertTrue(stored().containsAll(all) && all.containsAll(stored()), "what is stored is what is acknowledged");
        double bytes = (double) ledgers.bytes / all.entries();
        assertTrue(bytes < 3, () -> bytes + " bytes each");
        acked.clear();
        acknowledgeRanges(MOST);
        acknowledging = positions -> {
            positions.forEach((ledgerId, entryId) -> acknowledge(ledgerId, (int) entryId));
            return CompletableFuture.completedFuture(null);
        };
        long begin = System.nanoTime();
        Deque<Runnable> rested = new ArrayDeque<>();
        CompletableFuture<Outcome> ended = new AckRestore(cursor, ledgers, HEAD, Runnable::run, (restMillis, step) ->
                rested.add(step), () -> true).run();
        while (!ended.isDone()) {
            rested.remove().run();
        }
        Outcome outcome = ended.join();
        System.out.printf("journal of %,d holes: %d entries, %.2f bytes an acknowledgement, %,d positions restored in %.1f s%n",
                all.ranges(), entries.size(), bytes, outcome.positions(), (System.nanoTime() - begin) / 1e9);
        assertEquals(End.APPLIED, outcome.end(), outcome.reason());
        AckedPositions restored = cursor.moment().orElseThrow().acked();
        assertTrue(restored.containsAll(all) && all.containsAll(restored), "what is restored is what was acknowledged");
    }
}
