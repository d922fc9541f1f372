/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.CatalogueRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MergeTiersTest {

    private static final long SEAL = 10_000;
    private static final int SEALS = 10_000;

    private final MergeTiers tiers = new MergeTiers(SEAL);
    private final List<Long> sizes = new ArrayList<>();
    private CatalogueRecord record = CatalogueRecord.EMPTY;
    private long nextLedgerId = 1_000;
    private long written;
    private int mostLive;
    private int longestText;

    private void seal(Random random) {
        nextLedgerId += 1 + random.nextInt(2_000);
        record = record.sealed(nextLedgerId);
        sizes.add(SEAL);
        written += SEAL;
        Optional<List<Integer>> chosen = tiers.choose(sizes);
        while (chosen.isPresent()) {
            merge(chosen.get(), random);
            chosen = tiers.choose(sizes);
        }
        mostLive = Math.max(mostLive, record.live().size());
        longestText = Math.max(longestText, record.encode().length());
        record = record.deleted(record.doomed());
    }

    private void merge(List<Integer> indexes, Random random) {
        long sum = indexes.stream().mapToLong(sizes::get).sum();
        List<Long> sources = indexes.stream().map(record.live()::get).toList();
        nextLedgerId += 1 + random.nextInt(2_000);
        record = record.merged(sources, nextLedgerId);
        sizes.set(indexes.get(0), sum);
        for (int i = indexes.size() - 1; i > 0; i--) {
            sizes.remove((int) indexes.get(i));
        }
        written += sum;
        assertEquals(record.live().size(), sizes.size());
    }

    @Test
    @DisplayName("S-23: after 10,000 seals of 100 M positions the record stays far below 64 kB")
    void s23_theRecordStaysSmall() {
        Random random = new Random(1);
        for (int i = 0; i < SEALS; i++) {
            seal(random);
        }
        assertEquals(SEALS * SEAL, sizes.stream().mapToLong(Long::longValue).sum());
        assertTrue(mostLive <= 3 * 8, () -> "live buckets: " + mostLive);
        assertTrue(longestText <= 500, () -> "characters of the record: " + longestText);
        assertTrue(written <= 8 * SEALS * SEAL, () -> "written " + (double) written / (SEALS * SEAL) + " times");
    }

    @Test
    void whatWasHandedOutMakesABucketSmallAgain() {
        Random random = new Random(2);
        for (int i = 0; i < SEALS; i++) {
            seal(random);
            sizes.replaceAll(size -> random.nextInt(100) == 0 ? size / 2 : size);
        }
        assertTrue(mostLive <= 3 * 8, () -> "live buckets: " + mostLive);
    }

    @Test
    void theOldestFourOfTheSmallestClassWithFourAreChosen() {
        assertEquals(Optional.of(List.of(1, 3, 4, 5)),
                tiers.choose(List.of(16 * SEAL, SEAL, 5 * SEAL, 2 * SEAL, 10L, 3 * SEAL, SEAL)));
    }

    @Test
    void threeOfAClassAreLeftAlone() {
        assertEquals(Optional.empty(), tiers.choose(List.of(SEAL, SEAL, SEAL, 4 * SEAL, 4 * SEAL, 15 * SEAL, 16 * SEAL)));
    }

    @Test
    void classesArePowersOfFour() {
        assertEquals(List.of(0, 0, 0, 1, 1, 2, 31),
                List.of(tiers.sizeClass(0), tiers.sizeClass(SEAL), tiers.sizeClass(4 * SEAL - 1), tiers.sizeClass(4 * SEAL),
                        tiers.sizeClass(16 * SEAL - 1), tiers.sizeClass(16 * SEAL), new MergeTiers(1).sizeClass(Long.MAX_VALUE)));
    }
}
