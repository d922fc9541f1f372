/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of a sealed segment; docs/format.md has the picture. A segment is an array of 64-bit words, stored
 * little-endian: a header of {@link #HEADER_WORDS} words, the position directory, the due stream, and a checksum.
 *
 * <p>The bytes of a segment may stand in memory and in storage; a segment numbered {@link #BY_OFFSET} in storage only.
 * Bytes from elsewhere go through {@link #decode}, which answers with a segment all of whose positions can be read, or
 * with {@link CorruptSegmentException}.
 */
final class SegmentFormat {

    /** "dts1" in the lowest four bytes: the format and its version. */
    static final int MAGIC = 0x31737464;
    static final int HEADER_WORDS = 10;
    /** The most positions a segment may hold. */
    static final int MAX_POSITIONS = 1 << 16;

    /** Each ledger and entry id is a word of its own. */
    static final int RAW_POSITIONS = 1;
    /** No entry between the first and last one of a ledger is missing, so rank and offset are the same. */
    static final int CONTIGUOUS = 1 << 1;
    /** Each ledger has one entry, so rank and number of the ledger are the same. */
    static final int ONE_PER_LEDGER = 1 << 2;
    /** The ledgers lie in a table of three words each. */
    static final int LEDGER_TABLE = 1 << 3;
    /** A group of one says whether it follows the position before it. */
    static final int SINGLES_FOLLOW = 1 << 4;

    /** Positions form rows without gaps, few enough to be listed. */
    static final int ROWS = 1 << 5;
    /** Due times ascend with positions, each foretold from the one before it by a {@link DueLine}. */
    static final int ON_A_LINE = 1 << 6;
    /** Positions are numbered by their offsets, so that the directory does not list them; for segments in storage only. */
    static final int BY_OFFSET = 1 << 7;
    /** Ranks are counted among those that no group before has. */
    static final int AMONG_LEFT = 1 << 8;
    /** Positions come one by one, without a size of each group; with {@link #AMONG_LEFT} only. */
    static final int ONE_BY_ONE = 1 << 9;
    /** A few positions beside a line come before it: {@link LineExceptions}. */
    static final int BESIDE_THE_LINE = 1 << 10;
    /** The most offsets that positions are numbered by. */
    static final int MOST_OFFSETS = 1 << 24;

    private static final int FLAGS = 11;
    private static final int LONGEST_ID = 63;

    private final long[] words;

    private SegmentFormat(long[] words) {
        this.words = words;
    }

    /** A view of the header of a segment that was written here or decoded. */
    static SegmentFormat of(long[] words) {
        return new SegmentFormat(words);
    }

    /** Fills in a header. The due stream begins at the given word. */
    static void writeHeader(BitWriter writer, int flags, int positions, int ledgers, int dueStartWord) {
        writer.set(0, MAGIC | (long) flags << 32);
        writer.set(1, positions | (long) ledgers << 32);
        writer.set(2, dueStartWord);
    }

    static void writeTimes(BitWriter writer, long firstDueMillis, long lastDueMillis, int unitShift, int gapBits, int countBits) {
        writer.set(3, firstDueMillis);
        writer.set(4, lastDueMillis);
        writer.set(5, unitShift | gapBits << 8 | (long) countBits << 16);
    }

    /** Fills in the times where they are on a line. */
    static void writeLine(BitWriter writer, long firstDueMillis, long lastDueMillis, int unitShift, DueLine line) {
        writeTimes(writer, firstDueMillis, lastDueMillis, unitShift, line.errorBits(), 0);
        writer.set(5, unitShift | line.errorBits() << 8 | line.slope() << 24);
    }

    /** Fills in the numbers that the sequences of the directory are sized by. */
    static void writePositions(BitWriter writer, long firstLedgerId, long ledgerSpan, long lastBase, long lastOffset,
            int entryBits) {
        writer.set(6, firstLedgerId);
        writer.set(7, ledgerSpan);
        writer.set(8, lastBase | (long) entryBits << 56);
        writer.set(9, lastOffset);
    }

    /** Writes the two words before the rows of a directory that has them. */
    static void writeRows(BitWriter writer, int rows, int lastRank, long lastStart) {
        writer.write(rows | (long) lastRank << 32, Long.SIZE);
        writer.write(lastStart, Long.SIZE);
    }

    int rows() {
        return (int) words[HEADER_WORDS];
    }

    int lastRowRank() {
        return (int) (words[HEADER_WORDS] >>> 32);
    }

    long lastRowStart() {
        return words[HEADER_WORDS + 1];
    }

    boolean has(int flag) {
        return (words[0] >>> 32 & flag) != 0;
    }

    int positions() {
        return (int) words[1];
    }

    int ledgers() {
        return (int) (words[1] >>> 32);
    }

    int dueStartWord() {
        return (int) words[2];
    }

    /** The bit behind the due stream. */
    long endBit() {
        return (long) words.length - 1 << 6;
    }

    long firstDueMillis() {
        return words[3];
    }

    long lastDueMillis() {
        return words[4];
    }

    int unitShift() {
        return (int) words[5] & 0xff;
    }

    int gapBits() {
        return (int) words[5] >>> 8 & 0xff;
    }

    int countBits() {
        return (int) words[5] >>> 16 & 0xff;
    }

    /** The slope of a {@link DueLine}. */
    long slope() {
        return words[5] >>> 24;
    }

    long firstLedgerId() {
        return words[6];
    }

    long ledgerSpan() {
        return words[7];
    }

    long lastBase() {
        return words[8] & (1L << 56) - 1;
    }

    int entryBits() {
        return (int) (words[8] >>> 56);
    }

    long lastOffset() {
        return words[9];
    }

    /** The number of ranks there may be: one for each position, or one for each offset. */
    int ranks() {
        return has(BY_OFFSET) ? (int) lastOffset() + 1 : positions();
    }

    /** The number of bits that a rank takes where it is written as it is. */
    static int rankBits(int ranks) {
        return Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1));
    }

    /** Puts the checksum of all other words into the last one. */
    static void seal(long[] words) {
        words[words.length - 1] = checksum(words);
    }

    /** The bytes to store. */
    static byte[] encode(long[] words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(words);
        return bytes.array();
    }

    /**
     * Reads bytes that may have been damaged, or made to do damage.
     *
     * @throws CorruptSegmentException naming the rule that the bytes break
     */
    static long[] decode(byte[] bytes) throws CorruptSegmentException {
        return decode(ByteBuffer.wrap(bytes));
    }

    /** Reads the bytes from a buffer's position to its limit, by the same rules. */
    static long[] decode(ByteBuffer bytes) throws CorruptSegmentException {
        ByteBuffer buffer = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        int length = buffer.limit();
        check(length % Long.BYTES == 0 && length >= (HEADER_WORDS + 1) * Long.BYTES,
                "a segment is at least " + (HEADER_WORDS + 1) + " whole words", length);
        check((buffer.getInt(0) ^ MAGIC) << Byte.SIZE == 0, "it begins with " + MAGIC, buffer.getInt(0));
        CRC32C crc = new CRC32C();
        crc.update(buffer.duplicate().limit(length - Long.BYTES));
        long stored = buffer.getLong(length - Long.BYTES);
        check(stored == crc.getValue(), "the checksum is " + crc.getValue(), stored);
        if (buffer.getInt(0) > MAGIC || buffer.getInt(Integer.BYTES) >>> FLAGS != 0) {
            throw new NewerSegmentException("its version and flags are known", buffer.getLong(0));
        }
        check(buffer.getInt(0) == MAGIC, "it begins with " + MAGIC, buffer.getInt(0));
        long[] words = new long[length / Long.BYTES];
        buffer.asLongBuffer().get(words);
        SegmentFormat header = new SegmentFormat(words);
        header.checkHeader();
        SegmentCheck.check(words);
        return words;
    }

    /** Checks that no count is beyond its range and no section beyond the bytes there are. */
    private void checkHeader() throws CorruptSegmentException {
        check(positions() >= 1 && positions() <= MAX_POSITIONS, "1 to " + MAX_POSITIONS + " positions", positions());
        check(ledgers() >= 1 && ledgers() <= positions(), "1 ledger to one for each position", ledgers());
        check(words[2] >= HEADER_WORDS && words[2] < words.length, "the due stream begins inside", words[2]);
        check(firstDueMillis() >= 0 && lastDueMillis() >= firstDueMillis(), "due times ascend from 0", firstDueMillis());
        check(unitShift() <= LONGEST_ID && gapBits() <= LONGEST_ID && countBits() <= LONGEST_ID, "code parameters below 64",
                words[5]);
        check(has(ON_A_LINE) ? slope() > 0 && countBits() == 0 && !has(SINGLES_FOLLOW) : slope() == 0,
                "a slope belongs to a line, which has no groups", words[5]);
        check(has(ON_A_LINE) || !has(BESIDE_THE_LINE), "exceptions are beside a line", words[0]);
        check(!has(AMONG_LEFT) || !has(ON_A_LINE) && !has(BY_OFFSET), "ranks among those left are not offsets", words[0]);
        check(!has(ONE_BY_ONE) || has(AMONG_LEFT) && countBits() == 0 && !has(SINGLES_FOLLOW),
                "positions one by one have no groups", words[0]);
        check(firstLedgerId() >= 0 && ledgerSpan() >= 0 && firstLedgerId() + ledgerSpan() >= 0, "ledger ids are not negative",
                ledgerSpan());
        check(lastOffset() >= 0 && entryBits() <= LONGEST_ID, "entry ids are not negative", lastOffset());
        check(!has(RAW_POSITIONS) || ledgers() == 1, "raw positions are in one list", ledgers());
        check(!has(ONE_PER_LEDGER) || has(CONTIGUOUS) && ledgers() == positions() && !has(LEDGER_TABLE) && !has(RAW_POSITIONS),
                "one entry in each ledger is contiguous", words[0]);
        if (has(BY_OFFSET)) {
            check(!has(CONTIGUOUS) && !has(RAW_POSITIONS) && !has(ROWS) && !has(ON_A_LINE), "numbers by offset stand alone",
                    words[0]);
            check(lastOffset() >= positions() && lastOffset() < MOST_OFFSETS,
                    "more offsets than positions and fewer than " + MOST_OFFSETS, lastOffset());
        }
        if (has(ROWS)) {
            check(!has(CONTIGUOUS) && !has(RAW_POSITIONS) && words.length > HEADER_WORDS + 2, "rows stand alone", words[0]);
            check(rows() >= 1 && rows() <= positions(), "1 row to one for each position", rows());
            check(lastRowRank() >= 0 && lastRowRank() < positions() && lastRowStart() >= 0, "the last row has a rank",
                    lastRowRank());
        }
        check(PositionDirectory.words(this) == dueStartWord() - HEADER_WORDS, "the directory fills its place",
                PositionDirectory.words(this));
    }

    static void check(boolean holds, String rule, long found) throws CorruptSegmentException {
        if (!holds) {
            throw new CorruptSegmentException(rule, found);
        }
    }

    private static long checksum(long[] words) {
        CRC32C crc = new CRC32C();
        ByteBuffer chunk = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < words.length - 1; i++) {
            if (!chunk.hasRemaining()) {
                crc.update(chunk.flip());
                chunk.clear();
            }
            chunk.putLong(words[i]);
        }
        crc.update(chunk.flip());
        return crc.getValue();
    }
}
