/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockIndexes;
import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockSegment;
import io.github.delayedtracker.fuzz.FuzzTarget;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Any bytes are an entry of a snapshot of the stock bucket tracker, first or later, or are refused with the one exception there
 * is for it; so are names of its properties.
 */
class StockSnapshotFuzzTest extends FuzzTarget {

    private static final StockSegment ANY = new StockSegment(0, Long.MAX_VALUE, 1);

    @Override
    protected List<byte[]> seeds() {
        int count = 60;
        long[] dueMillis = new long[count];
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        for (int i = 0; i < count; i++) {
            ledgerIds[i] = 7L + i / 40;
            entryIds[i] = i % 40 * (i < 20 ? 1L : 3L) + (i % 5 == 0 ? 70_000 : 0);
            dueMillis[i] = 1_700_000_000_000L + i * 37L % 600;
        }
        List<byte[]> seeds = new ArrayList<>(StockBytes.entries(
                new SegmentColumns(count, dueMillis, ledgerIds, entryIds).ascending(), 25, 500));
        seeds.add("7_9".getBytes(StandardCharsets.US_ASCII));
        return seeds;
    }

    @Override
    protected void read(byte[] bytes) {
        long[] passed = {0};
        try {
            List<StockSegment> segments = StockMetadata.decode(ByteBuffer.wrap(bytes), (ledgerId, entryId) -> {
                assertTrue(ledgerId >= 0 && entryId >= 0 && entryId < 1L << Integer.SIZE);
                passed[0]++;
            });
            assertEquals(segments.stream().mapToLong(StockSegment::positions).sum(), passed[0]);
        } catch (CorruptSnapshotException e) {
            assertTrue(e.getMessage() != null && !e.getMessage().isBlank());
        }
        try {
            SegmentColumns columns = StockIndexes.decode(ByteBuffer.wrap(bytes), ANY);
            for (int at = 0; at < columns.count(); at++) {
                assertTrue(columns.dueMillis(at) >= 0 && columns.ledgerId(at) >= 0 && columns.entryId(at) >= 0);
                assertTrue(at == 0 || columns.dueMillis(at - 1) <= columns.dueMillis(at));
            }
        } catch (CorruptSnapshotException e) {
            assertTrue(e.getMessage() != null && !e.getMessage().isBlank());
        }
        String name = new String(bytes, StandardCharsets.UTF_8);
        StockKey.parse(name).ifPresent(key -> assertEquals(key, StockKey.parse(key.name()).orElseThrow()));
    }
}
