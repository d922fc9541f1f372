/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.fuzz.FuzzTarget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/** Any bytes are a segment all of whose positions can be read, or are refused with the one exception there is for it. */
class SegmentFormatFuzzTest extends FuzzTarget {

    @Override
    protected List<byte[]> seeds() {
        return IntStream.range(0, SegmentFormatTest.KINDS).mapToObj(kind -> SegmentFormat.encode(
                SegmentFormatTest.encode(SegmentFormatTest.positions(new Random(kind), kind, 40)))).toList();
    }

    @Override
    protected void read(byte[] bytes) {
        readAsItIs(bytes);
        if (bytes.length >= Long.BYTES) {
            // Most inputs die of the checksum; with the right one the rest of the decoder has to hold.
            byte[] sealed = bytes.clone();
            CRC32C crc = new CRC32C();
            crc.update(sealed, 0, sealed.length - Long.BYTES);
            ByteBuffer.wrap(sealed).order(ByteOrder.LITTLE_ENDIAN).putLong(sealed.length - Long.BYTES, crc.getValue());
            readAsItIs(sealed);
        }
    }

    private static void readAsItIs(byte[] bytes) {
        long[] words;
        try {
            words = SegmentFormat.decode(bytes);
        } catch (CorruptSegmentException e) {
            assertTrue(e.getMessage().startsWith("corrupt segment: "), e.getMessage());
            return;
        }
        assertArrayEquals(bytes, SegmentFormat.encode(words));
        if (SegmentFormat.of(words).has(SegmentFormat.BY_OFFSET)) {
            readByOffset(bytes);
            return;
        }
        Segment segment = Segment.of(words);
        segment.validate();
        long dueMillis = 0;
        while (segment.size() > 0) {
            assertTrue(segment.headDueMillis() >= dueMillis && segment.headIsContained());
            assertTrue(segment.contains(segment.headLedgerId(), segment.headEntryId()));
            dueMillis = segment.headDueMillis();
            segment.takeHead();
        }
    }

    private static void readByOffset(byte[] bytes) {
        try {
            long[] beforeMillis = {0};
            SealedSegment.read(ByteBuffer.wrap(bytes)).forEach((dueMillis, ledgerId, entryId) -> {
                assertTrue(dueMillis >= beforeMillis[0] && ledgerId >= 0 && entryId >= 0);
                beforeMillis[0] = dueMillis;
            });
        } catch (CorruptSegmentException e) {
            throw new AssertionError("decoded once, refused the second time", e);
        }
    }
}
