/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Segments with each earlier flag, written before ranks were counted among those left, are read as what they hold. */
class FormerSegmentsTest {

    private static final String FILE = "segments-of-absolute-ranks.txt";
    private static final int KINDS = 9;
    private static final int POSITIONS = 200;

    /** By name, as bytes. */
    static Map<String, byte[]> written() throws IOException {
        try (InputStream file = FormerSegmentsTest.class.getResourceAsStream(FILE)) {
            return new String(file.readAllBytes(), StandardCharsets.US_ASCII).lines().map(line -> line.split(" "))
                    .collect(Collectors.toMap(words -> words[0], words -> Base64.getDecoder().decode(words[1]), (a, b) -> a,
                            TreeMap::new));
        }
    }

    static Map<String, SortedMap<Position, Long>> held() {
        Map<String, SortedMap<Position, Long>> held = new TreeMap<>();
        IntStream.range(0, KINDS).forEach(kind ->
                held.put("kind" + kind, SegmentFormatTest.positions(new Random(kind), kind, POSITIONS)));
        held.put("by-offset", SegmentByOffsetTest.oneIn(new Random(5), 4, POSITIONS));
        held.put("raw", SegmentFormatTest.largeNumbers());
        TreeMap<Position, Long> follow = new TreeMap<>();
        for (int i = 0; i < POSITIONS; i++) {
            follow.put(new Position(5, i), 1_024L * (i % 20 == 0 ? i + 300 : i));
        }
        held.put("follow", follow);
        return held;
    }

    static Iterable<String> names() {
        return held().keySet();
    }

    @ParameterizedTest
    @MethodSource("names")
    void aSegmentIsReadAsWhatItHolds(String name) throws IOException, CorruptSegmentException {
        TreeMap<Position, Long> read = new TreeMap<>();
        SealedSegment.read(ByteBuffer.wrap(written().get(name))).forEach((dueMillis, ledgerId, entryId) ->
                read.put(new Position(ledgerId, entryId), dueMillis));
        assertEquals(held().get(name), read);
    }

    @ParameterizedTest
    @MethodSource("names")
    void anIndexHandsItOutWhateverLeavesOutOfOrder(String name) throws IOException, CorruptSegmentException {
        long[] words = SegmentFormat.decode(written().get(name));
        if (SegmentFormat.of(words).has(SegmentFormat.BY_OFFSET)) {
            return;
        }
        Segment segment = Segment.of(words);
        TreeMap<Position, Long> left = new TreeMap<>(held().get(name));
        Random random = new Random(1);
        for (Position position : held().get(name).keySet()) {
            if (random.nextInt(3) == 0) {
                assertTrue(segment.remove(position.ledgerId(), position.entryId()));
                left.remove(position);
            }
        }
        while (segment.size() > 0) {
            if (segment.headIsContained()) {
                Position head = new Position(segment.headLedgerId(), segment.headEntryId());
                assertEquals(left.remove(head), segment.headDueMillis());
                segment.takeHead();
            } else {
                segment.advance();
            }
            segment.validate();
        }
        assertEquals(Map.of(), left);
    }

    @Test
    void theFileHasEachFlagAndNoneOfToday() throws IOException {
        int flags = 0;
        for (byte[] bytes : written().values()) {
            flags |= ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(Integer.BYTES);
        }
        int today = SegmentFormat.AMONG_LEFT | SegmentFormat.ONE_BY_ONE;
        assertFalse((flags & today) != 0);
        assertEquals(SegmentFormat.AMONG_LEFT - 1, flags);
    }
}
