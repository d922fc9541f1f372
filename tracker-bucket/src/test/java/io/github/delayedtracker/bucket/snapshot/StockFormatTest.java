/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockIndexes;
import io.github.delayedtracker.bucket.snapshot.StockMetadata.StockSegment;
import io.github.delayedtracker.timebucket.CutRule;
import io.github.delayedtracker.timebucket.SealedSegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.pulsar.broker.delayed.proto.DelayedIndex;
import org.apache.pulsar.broker.delayed.proto.SnapshotMetadata;
import org.apache.pulsar.broker.delayed.proto.SnapshotSegment;
import org.apache.pulsar.broker.delayed.proto.SnapshotSegmentMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.roaringbitmap.RoaringBitmap;

/** What the stock classes write is read to the position; what is damaged is refused, and never believed. */
class StockFormatTest {

    private static final StockSegment ANY = new StockSegment(0, Long.MAX_VALUE, 1);

    private static SegmentColumns columns(long seed, int count) {
        Random random = new Random(seed);
        long[] dueMillis = new long[count];
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        for (int i = 0; i < count; i++) {
            ledgerIds[i] = 7L + i / 1_000;
            entryIds[i] = i % 1_000 * 2L + random.nextInt(2) + (i % 3 == 0 ? 70_000 : 0);
            dueMillis[i] = 1_700_000_000_000L + random.nextInt(600_000);
        }
        return new SegmentColumns(count, dueMillis, ledgerIds, entryIds).ascending();
    }

    private static List<String> text(SegmentColumns columns) {
        List<String> text = new ArrayList<>();
        for (int i = 0; i < columns.count(); i++) {
            text.add(columns.dueMillis(i) + " " + columns.ledgerId(i) + ":" + columns.entryId(i));
        }
        return text;
    }

    private static List<String> positions(SegmentColumns columns) {
        TreeSet<String> positions = new TreeSet<>();
        for (int i = 0; i < columns.count(); i++) {
            positions.add(columns.ledgerId(i) + ":" + columns.entryId(i));
        }
        return new ArrayList<>(positions);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 999, 1_000, 5_000})
    void whatTheStockClassesWroteIsReadPositionByPosition(int count) throws CorruptSnapshotException {
        SegmentColumns written = columns(count, count);
        List<byte[]> entries = StockBytes.entries(written, 700, 120_000);
        TreeSet<String> inMetadata = new TreeSet<>();
        List<StockSegment> segments = StockMetadata.decode(ByteBuffer.wrap(entries.get(0)),
                (l, e) -> inMetadata.add(l + ":" + e));
        assertEquals(entries.size() - 1, segments.size());
        assertEquals(positions(written), new ArrayList<>(inMetadata));
        List<SegmentColumns> read = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            SegmentColumns one = StockIndexes.decode(ByteBuffer.wrap(entries.get(i + 1)), segments.get(i));
            assertEquals(segments.get(i).positions(), one.count());
            assertEquals(segments.get(i).firstDueMillis(), one.dueMillis(0));
            assertEquals(segments.get(i).lastDueMillis(), one.dueMillis(one.count() - 1));
            read.add(one);
        }
        assertEquals(text(written.byTime()), text(SegmentColumns.joined(read)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 999, 5_000})
    void theStockClassesReadWhatIsWritten(int count) throws Exception {
        SegmentColumns columns = columns(count, count);
        StockSnapshotBuilder builder = new StockSnapshotBuilder();
        List<SealedSegment> segments = columns.cut(new CutRule(700, 1, 120_000));
        segments.forEach(builder::add);
        ByteBuffer bytes = ByteBuffer.allocate(builder.metadataBytes());
        builder.writeMetadata(bytes);
        assertFalse(bytes.hasRemaining());
        SnapshotMetadata metadata = SnapshotMetadata.parseFrom(bytes.array());
        assertEquals(segments.size(), metadata.getMetadataListCount());
        List<String> read = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            ByteBuffer entry = ByteBuffer.allocate(StockSnapshotBuilder.bytes(segments.get(i)));
            StockSnapshotBuilder.write(segments.get(i), entry);
            assertFalse(entry.hasRemaining());
            SnapshotSegment segment = new SnapshotSegment();
            segment.parseFrom(entry.array());
            assertArrayEquals(entry.array(), segment.toByteArray());
            Map<Long, RoaringBitmap> bitmaps = new TreeMap<>();
            for (DelayedIndex index : segment.getIndexesList()) {
                read.add(index.getTimestamp() + " " + index.getLedgerId() + ":" + index.getEntryId());
                bitmaps.computeIfAbsent(index.getLedgerId(), id -> new RoaringBitmap()).add((int) index.getEntryId());
            }
            SnapshotSegmentMetadata of = metadata.getMetadataList(i);
            assertEquals(segment.getIndexeAt(0).getTimestamp(), of.getMinScheduleTimestamp());
            assertEquals(segment.getIndexeAt(segment.getIndexesCount() - 1).getTimestamp(), of.getMaxScheduleTimestamp());
            assertEquals(bitmaps.keySet(), of.getDelayedIndexBitMapMap().keySet());
            for (Map.Entry<Long, RoaringBitmap> bitmap : bitmaps.entrySet()) {
                RoaringBitmap written = new RoaringBitmap();
                written.deserialize(of.getDelayedIndexBitMapOrThrow(bitmap.getKey()).asReadOnlyByteBuffer());
                assertEquals(bitmap.getValue(), written);
            }
        }
        assertEquals(text(columns.byTime()), read);
    }

    @Test
    void bitmapsOfEveryKindOfContainerAreRead() throws CorruptSnapshotException {
        RoaringBitmap bitmap = new RoaringBitmap();
        bitmap.add(5);
        bitmap.add(1L << 16, (1L << 16) + 40_000);
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            bitmap.add((3 << 16) + random.nextInt(1 << 16));
        }
        bitmap.add(5L << 16, 6L << 16);
        bitmap.add((1L << 32) - 3, 1L << 32);
        List<Long> read = new ArrayList<>();
        assertEquals(bitmap.getLongCardinality(),
                PortableBitmap.read(ByteBuffer.wrap(StockBytes.bytes(bitmap)), 9, (l, e) -> read.add(e)));
        List<Long> expected = new ArrayList<>();
        bitmap.forEach((org.roaringbitmap.IntConsumer) each -> expected.add(Integer.toUnsignedLong(each)));
        assertEquals(expected, read);
    }

    @Test
    void fieldsOfLaterVersionsArePassedOver() throws CorruptSnapshotException {
        byte[] entry = StockBytes.entries(columns(1, 10), 100, 1_000_000).get(1);
        byte[] more = Arrays.copyOf(entry, entry.length + 16);
        // A number, bytes, four bytes, a number, a longer number.
        byte[] unknown = {9 << 3, 1, 10 << 3 | 2, 2, 7, 7, 11 << 3 | 5, 1, 2, 3, 4, 9 << 3, 1, 9 << 3, (byte) 0x81, 1};
        System.arraycopy(unknown, 0, more, entry.length, unknown.length);
        assertEquals(10, StockIndexes.decode(ByteBuffer.wrap(more), ANY).count());
    }

    @Test
    void aPositionThatStandsTwiceIsReadOnce() throws CorruptSnapshotException {
        byte[] entry = StockBytes.entries(columns(1, 10), 100, 1_000_000).get(1);
        byte[] twice = Arrays.copyOf(entry, 2 * entry.length);
        System.arraycopy(entry, 0, twice, entry.length, entry.length);
        assertEquals(10, StockIndexes.decode(ByteBuffer.wrap(twice), ANY).count());
    }

    @Test
    void timesOutsideThoseOfTheMetadataAreDamage() {
        byte[] entry = StockBytes.entries(columns(1, 10), 100, 1_000_000).get(1);
        assertThrows(CorruptSnapshotException.class,
                () -> StockIndexes.decode(ByteBuffer.wrap(entry), new StockSegment(0, 1_700_000_000_000L, 10)));
    }

    @Test
    void aLengthThatIsNotThereIsNotBelieved() {
        byte[] huge = {0x0A, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 7, 1};
        assertThrows(CorruptSnapshotException.class, () -> StockIndexes.decode(ByteBuffer.wrap(huge), ANY));
        assertThrows(CorruptSnapshotException.class, () -> StockMetadata.decode(ByteBuffer.wrap(huge), (l, e) -> { }));
        byte[] containers = {0x3A, 0x30, 0, 0, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x7F};
        assertThrows(CorruptSnapshotException.class, () -> PortableBitmap.read(ByteBuffer.wrap(containers), 1, (l, e) -> { }));
    }

    @Test
    void damagedBytesAreReadOrRefusedAndNothingElse() {
        List<byte[]> entries = StockBytes.entries(columns(3, 2_000), 700, 120_000);
        int refused = 0;
        for (int seed = 0; seed < 4_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = entries.get(seed % 2 == 0 ? 0 : 1 + random.nextInt(entries.size() - 1)).clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            byte[] damaged = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
            long[] passedOn = {0};
            try {
                if (seed % 2 == 0) {
                    StockMetadata.decode(ByteBuffer.wrap(damaged), (l, e) -> passedOn[0]++);
                } else {
                    StockIndexes.decode(ByteBuffer.wrap(damaged), ANY);
                }
            } catch (CorruptSnapshotException e) {
                refused++;
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed, e);
            }
            assertTrue(passedOn[0] <= 8L * damaged.length + 65_536L * 16, "seed " + seed + " passed on " + passedOn[0]);
        }
        assertTrue(refused > 1_000, "refused " + refused);
    }

    @Test
    void namesOfPropertiesAreReadAsStockWritesThem() {
        assertEquals(Optional.of(new StockKey(3, 17)), StockKey.parse("3_17"));
        assertEquals("#pulsar.internal.delayed.bucket_3_17", new StockKey(3, 17).property());
        for (String other : List.of("3", "3_", "_3", "3_4_5", "a_4", "-3_4", "3_99999999999999999999")) {
            assertEquals(Optional.empty(), StockKey.parse(other), other);
        }
    }
}
