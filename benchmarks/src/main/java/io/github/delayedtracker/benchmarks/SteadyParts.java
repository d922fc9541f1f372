/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The bytes that a {@code timebucket} index keeps alive, by what they are for. All objects of its graph are in one part each, but
 * for the words of a segment, which are shared out by bits. Times of messages left and of acknowledged ones lie mixed in a due
 * stream, and so do ids; they are shared out by number.
 *
 * @param bytes the bytes of each part
 * @param open the messages that are not sealed
 * @param messages the messages that the index holds
 */
record SteadyParts(Map<Part, Long> bytes, long open, long messages) {

    private static final int HEADER_WORDS = 10;
    private static final int CHECKSUM_WORDS = 1;

    /** What bytes are for. */
    enum Part {
        /** The part of the due streams that is not read, of messages that are held. */
        TIMES("times of messages held"),
        /** The same, of messages that have left. */
        TIMES_ACKED("times of messages acknowledged early"),
        /** The part of the due streams that was read. */
        TIMES_READ("times read, not cut off yet"),
        /** The position directories, of messages that are held. */
        IDS("ids of messages held"),
        /** The same, of messages that have left. */
        IDS_GONE("ids of messages gone"),
        /** A bit for each message of a segment that says whether it is ahead in the due stream. */
        MARKS("bitmap of what is not read"),
        /** A bit for each message of a segment that says whether it left before the due stream came to it. */
        MARKS_GONE("bitmap of what left out of order"),
        /** Columns, their free room and the objects around them. */
        OPEN("messages not sealed yet"),
        /** Copies of segments that are on their way into a new one, and that new one. */
        UNDER_WAY("segments being written anew"),
        /** Headers and checksums of segments, objects, array headers and tables of segments. */
        OBJECTS("headers, objects, tables");

        private final String label;

        Part(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** The parts of an index of {@code timebucket}, all zero where it is empty. Linear in its segments. */
    static SteadyParts of(Object index) {
        return new Walk().parts(index);
    }

    /** The sum of several readings. */
    static SteadyParts sum(List<SteadyParts> readings) {
        Map<Part, Long> bytes = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            bytes.put(part, readings.stream().mapToLong(reading -> reading.bytes.get(part)).sum());
        }
        return new SteadyParts(bytes, readings.stream().mapToLong(SteadyParts::open).sum(),
                readings.stream().mapToLong(SteadyParts::messages).sum());
    }

    /** The bytes of all parts. */
    long total() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The bytes a message of some parts. */
    double perMessage(Part... parts) {
        return (double) Arrays.stream(parts).mapToLong(bytes::get).sum() / messages;
    }

    /** The share of the messages that is not sealed. */
    double openShare() {
        return (double) open / messages;
    }

    /** One walk through an index. What was seen before counts no more, so each object is in the part that has it first. */
    private static final class Walk {
        private final Map<Part, Long> bytes = new EnumMap<>(Part.class);
        private final List<Object> seen = new ArrayList<>();
        private long seenBytes;

        private Walk() {
            for (Part part : Part.values()) {
                bytes.put(part, 0L);
            }
        }

        private SteadyParts parts(Object index) {
            Object list = field(index, "segments");
            List<Object> segments = list == null ? List.of() : segments(list);
            add(Part.OBJECTS, all(segments, "words"));
            segments.forEach(this::shareOutWords);
            add(Part.MARKS, all(all(all(segments, "cursor"), "leftRanks"), "marks"));
            add(Part.MARKS_GONE, all(segments, "gone"));
            add(Part.OBJECTS, segments);
            List<Object> here = List.of(index);
            add(Part.OPEN, all(here, "tail"));
            add(Part.OPEN, all(here, "frozen"));
            add(Part.OPEN, all(here, "late"));
            add(Part.UNDER_WAY, all(all(here, "segments"), "rewrite"));
            add(Part.OBJECTS, here);
            long open = sum(all(here, "tail"), "count") + sum(all(here, "frozen"), "size") + sum(all(here, "late"), "count");
            return new SteadyParts(bytes, open, open + sum(segments, "size"));
        }

        private void shareOutWords(Object segment) {
            long[] words = (long[]) field(segment, "words");
            Object cursor = field(segment, "cursor");
            long size = number(segment, "size");
            long positions = number(segment, "positions");
            long dueStart = number(segment, "dueStartWord");
            long directory = (dueStart - HEADER_WORDS) * Long.BYTES;
            long read = number(cursor, "bit") / Byte.SIZE - dueStart * Long.BYTES;
            long ahead = (words.length - CHECKSUM_WORDS - dueStart) * Long.BYTES - read;
            long held = Math.round((double) ahead * size / (number(cursor, "left") + 1));
            long idsHeld = Math.round((double) directory * size / positions);
            move(Part.TIMES_READ, read);
            move(Part.TIMES, held);
            move(Part.TIMES_ACKED, ahead - held);
            move(Part.IDS, idsHeld);
            move(Part.IDS_GONE, directory - idsHeld);
        }

        private void move(Part to, long moved) {
            bytes.merge(Part.OBJECTS, -moved, Long::sum);
            bytes.merge(to, moved, Long::sum);
        }

        /** Counts objects and all they lead to that no part has yet. */
        private void add(Part part, List<Object> roots) {
            seen.addAll(roots);
            long all = seen.isEmpty() ? 0 : Retained.walk(seen.toArray());
            bytes.merge(part, all - seenBytes, Long::sum);
            seenBytes = all;
        }

        private static List<Object> segments(Object list) {
            Object order = field(list, "segments");
            return Arrays.stream((Object[]) field(order, "segments")).filter(Objects::nonNull).toList();
        }
    }

    /** A field of each of some objects, where it is not null. */
    private static List<Object> all(List<Object> of, String name) {
        return of.stream().map(each -> field(each, name)).filter(Objects::nonNull).toList();
    }

    private static long sum(List<Object> of, String name) {
        return of.stream().mapToLong(each -> number(each, name)).sum();
    }

    private static long number(Object of, String name) {
        return ((Number) field(of, name)).longValue();
    }

    /** The field of an object, of its class or one above; the index offers no view of its parts. */
    private static Object field(Object of, String name) {
        for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
            Optional<Field> found = Arrays.stream(type.getDeclaredFields())
                    .filter(each -> each.getName().equals(name)).findFirst();
            if (found.isPresent()) {
                return read(found.get(), of);
            }
        }
        throw new IllegalStateException(of.getClass().getSimpleName() + " has no field " + name + " any more");
    }

    private static Object read(Field field, Object of) {
        try {
            field.setAccessible(true);
            return field.get(of);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("cannot read " + field, e);
        }
    }
}
