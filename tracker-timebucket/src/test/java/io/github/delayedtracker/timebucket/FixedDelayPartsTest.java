/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/**
 * What a segment of messages with a fixed delay, one each millisecond, is made of. With {@code -Ddelayed.test.parts=true} it is
 * printed.
 */
class FixedDelayPartsTest {

    private static final long FIRST_MILLIS = 1_700_000_000_000L;
    private static final long PRECISION_MILLIS = 1_024;

    private static Segment segment(int positions) {
        Scratch scratch = Scratch.borrow(positions);
        for (int i = 0; i < positions; i++) {
            scratch.append(1_000, i, FIRST_MILLIS + i & -PRECISION_MILLIS);
        }
        return Segment.of(scratch);
    }

    /** The bytes of a segment by class. */
    private static Map<String, Long> parts(int positions) {
        Segment segment = segment(positions);
        GraphLayout layout = GraphLayout.parseInstance(segment);
        Map<String, Long> bytes = new TreeMap<>();
        for (Class<?> type : layout.getClasses()) {
            // The shapes of groups, which have names, are there once for all segments.
            if (!type.isEnum() && type != String.class && type != byte[].class) {
                bytes.put(type.getSimpleName(), layout.getClassSizes().count(type));
            }
        }
        assertEquals(segment.retainedBytes(), sum(bytes));
        if (Boolean.getBoolean("delayed.test.parts")) {
            System.out.println("PARTS of a segment of " + positions + ": " + sum(bytes) + " bytes, " + bytes);
        }
        return bytes;
    }

    private static long sum(Map<String, Long> parts) {
        return parts.values().stream().mapToLong(Long::longValue).sum();
    }

    @Test
    @DisplayName("S-8: what a fixed delay costs is the objects of a segment: four times the messages in one take little more")
    void s8AFixedDelayCostsTheObjectsOfASegment() {
        long full = sum(parts(PartSizes.SEGMENT));
        long fourInOne = sum(parts(SegmentFormat.MAX_POSITIONS));
        assertTrue(full < PartSizes.SEGMENT * 0.037, full + " bytes");
        assertTrue(fourInOne < full * 1.3, fourInOne + " bytes where one of the four has " + full);
    }
}
