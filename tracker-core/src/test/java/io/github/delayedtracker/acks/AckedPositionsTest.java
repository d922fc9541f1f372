/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Bitmaps of acknowledgements against a twin that goes through them entry by entry. */
class AckedPositionsTest {

    private static final int ROUNDS = 300;

    /** The same by going through every entry. */
    private static final class Twin {

        private final TreeMap<Long, BitSet> ledgers = new TreeMap<>();

        AckedPositions asCopied(boolean keepsFirstLedger) {
            Map<Long, long[]> bitmaps = new HashMap<>();
            ledgers.forEach((id, entries) -> bitmaps.put(id, entries.toLongArray()));
            return new AckedPositions(bitmaps, keepsFirstLedger);
        }

        long entries() {
            return ledgers.values().stream().mapToLong(BitSet::cardinality).sum();
        }

        long entriesBehindRanges(long firstRanges) {
            long ranges = 0;
            long behind = 0;
            for (BitSet entries : ledgers.values()) {
                for (int entry = 0; entry < entries.length(); entry++) {
                    if (entries.get(entry)) {
                        ranges += entry == 0 || !entries.get(entry - 1) ? 1 : 0;
                        behind += ranges > firstRanges ? 1 : 0;
                    }
                }
            }
            return behind;
        }

        long entriesBehindLedgers(long most, boolean keepsFirstLedger) {
            long before = 0;
            long behind = 0;
            for (BitSet entries : ledgers.values()) {
                long withThis = before + entries.cardinality();
                behind += (keepsFirstLedger ? before : withThis) > most ? entries.cardinality() : 0;
                before = withThis;
            }
            return behind;
        }
    }

    private static Twin drawn(Random random) {
        Twin twin = new Twin();
        int ledgers = random.nextInt(6);
        for (int i = 0; i < ledgers; i++) {
            BitSet entries = new BitSet();
            int size = 1 + random.nextInt(300);
            double share = random.nextDouble();
            for (int entry = 0; entry < size; entry++) {
                entries.set(entry, random.nextDouble() < share);
            }
            entries.set(random.nextInt(size));
            twin.ledgers.put(7L * random.nextInt(20), entries);
        }
        return twin;
    }

    @Test
    void everyAnswerIsThatOfTheTwin() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Random random = new Random(seed);
            Twin twin = drawn(random);
            boolean keepsFirstLedger = random.nextBoolean();
            AckedPositions acked = twin.asCopied(keepsFirstLedger);
            String round = "seed " + seed;
            assertEquals(twin.entries(), acked.entries(), round);
            assertEquals(twin.ledgers.isEmpty(), acked.isEmpty(), round);
            for (long limit : new long[] {0, 1, 2, random.nextInt(400), acked.ranges(), acked.entries(), Long.MAX_VALUE}) {
                assertEquals(twin.entriesBehindRanges(limit), acked.entriesBehindRanges(limit), round + ", " + limit + " ranges");
                assertEquals(twin.entriesBehindLedgers(limit, keepsFirstLedger), acked.entriesBehindLedgers(limit),
                        round + ", " + limit + " entries");
            }
            assertEquals(0, acked.entriesBehindRanges(acked.ranges()), round);
            assertEquals(acked.isEmpty() ? 0 : 1, Math.min(1, acked.entriesBehindRanges(acked.ranges() - 1)), round);
            for (long ledgerId = 0; ledgerId < 140; ledgerId++) {
                for (int entry = 0; entry < 320; entry += 1 + random.nextInt(9)) {
                    BitSet entries = twin.ledgers.get(ledgerId);
                    assertEquals(entries != null && entries.get(entry), acked.contains(ledgerId, entry), round);
                }
            }
        }
    }

    /** The places of positions, in their order. */
    private static List<Long> places(AckedPositions positions) {
        List<Long> places = new ArrayList<>();
        positions.forEach((ledgerId, entryId) -> places.add(ledgerId * 1_000 + entryId));
        return places;
    }

    private static List<Long> only(AckedPositions positions, LongPredicate wanted) {
        return places(positions).stream().filter(wanted::test).toList();
    }

    @Test
    void setsOfPositionsAreThoseOfTheTwin() {
        for (long seed = 1; seed <= ROUNDS; seed++) {
            Random random = new Random(seed);
            AckedPositions one = drawn(random).asCopied(random.nextBoolean());
            AckedPositions other = drawn(random).asCopied(true);
            String round = "seed " + seed;
            assertEquals(only(one, place -> !other.contains(place / 1_000, place % 1_000)), places(one.minus(other)), round);
            TreeSet<Long> both = new TreeSet<>(places(one));
            both.addAll(places(other));
            assertEquals(List.copyOf(both), places(one.plus(other)), round);
            assertEquals(places(one).containsAll(places(other)), one.containsAll(other), round);
            assertTrue(one.plus(other).containsAll(other), round);
            long ledgerId = 7L * random.nextInt(20);
            long entryId = random.nextInt(330) - 1L;
            assertEquals(only(one, place -> place > ledgerId * 1_000 + entryId), places(one.above(ledgerId, entryId)), round);
            int most = random.nextInt(400);
            assertEquals(places(one).stream().limit(most).toList(), places(one.first(most)), round);
            assertEquals(places(one).stream().skip(most).toList(), places(one.behind(one.first(most))), round);
            assertEquals(one.entries() - one.entriesBehindRanges(most), one.firstRanges(most).entries(), round);
            assertEquals(Math.min(most, one.ranges()), one.firstRanges(most).ranges(), round);
            assertTrue(one.containsAll(one.firstRanges(most)), round);
            assertEquals(one.entries() - one.entriesBehindLedgers(most), one.firstLedgers(most).entries(), round);
        }
    }

    @Test
    void whatIsOutsideTheBitmapsIsNotContained() {
        AckedPositions acked = new AckedPositions(Map.of(5L, new long[] {-1L}), true);
        assertFalse(acked.contains(5, 64));
        assertFalse(acked.contains(5, -1));
        assertFalse(acked.contains(5, Long.MAX_VALUE));
        assertFalse(acked.contains(4, 0));
    }
}
