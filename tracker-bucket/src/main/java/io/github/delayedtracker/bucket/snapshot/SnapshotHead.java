/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

import static io.github.delayedtracker.bucket.snapshot.PositionRuns.NUMBERS;

import io.github.delayedtracker.bytes.Varint;
import io.github.delayedtracker.index.PositionSet;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The head of a snapshot: its owner, its segments in the order of their times, and the set of all their positions.
 *
 * <pre>
 *   magic 4 | version 1 | bytes of the head 4 | topic | cursor | created | positions | segments
 *   per segment: first due (the first: itself, then the difference) | last - first due | positions | bytes
 *   the set of positions ({@link PositionRuns}) | CRC32C 4
 * </pre>
 * Numbers are {@link Varint}s, texts are UTF-8 after their length. Big endian.
 *
 * @param topic name of the managed ledger
 * @param cursor name of the cursor
 * @param createdAtMillis broker wall time of the seal
 * @param segments at least one, by first due time
 * @param positions all positions of the segments; not to be changed while the head is written
 */
public record SnapshotHead(String topic, String cursor, long createdAtMillis, List<SegmentEntry> segments,
        PositionSet positions) {

    private static final int MAGIC = 0x64746273;
    private static final byte VERSION = 1;
    private static final int LENGTH_AT = Integer.BYTES + 1;
    private static final int FIXED_BYTES = LENGTH_AT + 2 * Integer.BYTES;

    /** Checks that there is a segment, and that the segments and the set hold the same number of positions. */
    public SnapshotHead {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw new IllegalArgumentException("a snapshot has at least one segment");
        }
        long sum = segments.stream().mapToLong(SegmentEntry::positions).sum();
        if (sum != positions.size()) {
            throw new IllegalArgumentException("the segments hold " + sum + " positions, the set " + positions.size());
        }
    }

    /** A head about to be written: its size is known, nothing is written yet. */
    public static final class Encoding {
        private final SnapshotHead head;
        private final byte[] topic;
        private final byte[] cursor;
        private final PositionRuns runs;
        private final int bytes;

        private Encoding(SnapshotHead head) {
            this.head = head;
            topic = head.topic.getBytes(StandardCharsets.UTF_8);
            cursor = head.cursor.getBytes(StandardCharsets.UTF_8);
            runs = PositionRuns.of(head.positions);
            long sum = FIXED_BYTES + textBytes(topic) + textBytes(cursor) + Varint.bytes(head.createdAtMillis)
                    + Varint.bytes(runs.positions()) + Varint.bytes(head.segments.size()) + runs.bytes();
            long before = 0;
            for (SegmentEntry segment : head.segments) {
                sum += Varint.bytes(segment.firstDueMillis() - before)
                        + Varint.bytes(segment.lastDueMillis() - segment.firstDueMillis()) + Varint.bytes(segment.positions())
                        + Varint.bytes(segment.bytes());
                before = segment.firstDueMillis();
            }
            bytes = Math.toIntExact(sum);
        }

        /** The exact number of bytes that {@link #writeTo} writes. */
        public int bytes() {
            return bytes;
        }

        /** Writes the head at the buffer's position, in one pass. */
        public void writeTo(ByteBuffer to) {
            int start = to.position();
            to.putInt(MAGIC).put(VERSION).putInt(bytes);
            writeText(to, topic);
            writeText(to, cursor);
            Varint.write(to, head.createdAtMillis);
            Varint.write(to, runs.positions());
            Varint.write(to, head.segments.size());
            long before = 0;
            for (SegmentEntry segment : head.segments) {
                Varint.write(to, segment.firstDueMillis() - before);
                Varint.write(to, segment.lastDueMillis() - segment.firstDueMillis());
                Varint.write(to, segment.positions());
                Varint.write(to, segment.bytes());
                before = segment.firstDueMillis();
            }
            runs.writeTo(to);
            to.putInt(checksum(to, start, to.position()));
        }
    }

    /**
     * Works out the size. Linear in the positions.
     *
     * @throws ArithmeticException if the head would not fit into 2 GiB
     */
    public Encoding encoding() {
        return new Encoding(this);
    }

    /**
     * The length of the whole head, bytes, read from its first bytes; the head may be spread over several entries.
     *
     * @throws CorruptSnapshotException if no head begins here
     */
    public static int lengthOf(ByteBuffer begin) throws CorruptSnapshotException {
        int start = begin.position();
        check(begin.remaining() >= FIXED_BYTES, "a head has at least " + FIXED_BYTES + " bytes", begin.remaining());
        check(begin.getInt(start) == MAGIC, "it begins with " + MAGIC, begin.getInt(start));
        check(begin.get(start + Integer.BYTES) >= VERSION, "versions begin with " + VERSION, begin.get(start + Integer.BYTES));
        int length = begin.getInt(start + LENGTH_AT);
        check(length >= FIXED_BYTES, "a head has at least " + FIXED_BYTES + " bytes", length);
        return length;
    }

    /**
     * Reads bytes that may have been damaged, or made to do damage: nothing is allocated that the ledger's length does not
     * justify.
     *
     * @param from the entry, from its position to its limit
     * @param ledgerBytes the length of all entries of the ledger
     * @throws CorruptSnapshotException naming the rule that the bytes break
     * @throws NewerSnapshotException if the version is unknown and the rules of all versions hold: magic, length, checksum
     */
    public static SnapshotHead decode(ByteBuffer from, long ledgerBytes) throws CorruptSnapshotException, NewerSnapshotException {
        int start = from.position();
        int end = from.limit() - Integer.BYTES;
        check(end - start > FIXED_BYTES, "a head is longer than " + FIXED_BYTES + " bytes", end - start);
        check(lengthOf(from) == from.remaining(), "its length is " + from.remaining(), lengthOf(from));
        from.position(start + LENGTH_AT + Integer.BYTES);
        int stored = from.getInt(end);
        check(stored == checksum(from, start, end), "the checksum is " + checksum(from, start, end), stored);
        if (from.get(start + Integer.BYTES) != VERSION) {
            throw new NewerSnapshotException(from.get(start + Integer.BYTES), VERSION);
        }
        ByteBuffer body = from.duplicate().limit(end);
        String topic = readText(body);
        String cursor = readText(body);
        long createdAtMillis = NUMBERS.read(body);
        long positions = NUMBERS.read(body);
        List<SegmentEntry> segments = readSegments(body, positions, ledgerBytes);
        PositionSet set = new PositionSet();
        long read = PositionRuns.read(body, positions, set::add);
        check(read == positions, "the set has " + positions + " positions", read);
        check(!body.hasRemaining(), "nothing follows the set of positions", body.remaining());
        return new SnapshotHead(topic, cursor, createdAtMillis, segments, set);
    }

    private static List<SegmentEntry> readSegments(ByteBuffer body, long positions, long ledgerBytes)
            throws CorruptSnapshotException {
        int count = (int) NUMBERS.read(body, body.remaining() / 4, "the number of segments");
        check(count >= 1, "a snapshot has a segment", count);
        List<SegmentEntry> segments = new ArrayList<>(count);
        long firstDueMillis = 0;
        long left = positions;
        long bytesLeft = ledgerBytes;
        for (int i = 0; i < count; i++) {
            firstDueMillis += NUMBERS.read(body);
            long lastDueMillis = firstDueMillis + NUMBERS.read(body);
            check(firstDueMillis >= 0 && lastDueMillis >= firstDueMillis, "due times ascend", firstDueMillis);
            int inIt = (int) NUMBERS.read(body, Math.min(left, SegmentEntry.MOST_POSITIONS), "the positions of a segment");
            int bytes = (int) NUMBERS.read(body, Math.min(bytesLeft, Integer.MAX_VALUE), "the bytes of a segment");
            check(inIt >= 1 && bytes >= SegmentEntry.LEAST_BYTES, "a segment has at least " + SegmentEntry.LEAST_BYTES + " bytes",
                    bytes);
            left -= inIt;
            bytesLeft -= bytes;
            segments.add(new SegmentEntry(firstDueMillis, lastDueMillis, inIt, bytes));
        }
        check(left == 0, "the segments hold all " + positions + " positions but", left);
        return segments;
    }

    private static long textBytes(byte[] text) {
        return Varint.bytes(text.length) + (long) text.length;
    }

    private static void writeText(ByteBuffer to, byte[] text) {
        Varint.write(to, text.length);
        to.put(text);
    }

    private static String readText(ByteBuffer from) throws CorruptSnapshotException {
        byte[] text = new byte[(int) NUMBERS.read(from, from.remaining(), "the length of a text")];
        check(text.length <= from.remaining(), "a text ends inside", text.length);
        from.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private static int checksum(ByteBuffer bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate().limit(to).position(from));
        return (int) crc.getValue();
    }

    private static void check(boolean holds, String rule, long found) throws CorruptSnapshotException {
        if (!holds) {
            throw new CorruptSnapshotException(rule, found);
        }
    }

    /** The failure of reading a head that is whole, by its checksum, and of an unknown version: a newer plugin has written it. */
    public static final class NewerSnapshotException extends Exception {

        private static final long serialVersionUID = 1L;

        NewerSnapshotException(int version, int known) {
            super("a head of version " + version + ", known are those up to " + known);
        }
    }
}
