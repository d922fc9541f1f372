/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * A cursor in the due stream of a segment: the ranks of its positions in the order of (due time, rank). The words are
 * passed with each call, as their owner may have cut off the part that was read.
 */
final class DueCursor {

    static final int OBJECT_BYTES = Footprint.object(3 * Long.BYTES + 7 * Integer.BYTES + 6 + Footprint.REFERENCE);

    private final int ranks;
    private final byte unitShift;
    private final byte gapBits;
    private final byte countBits;
    private final byte rankBits;
    private final boolean singlesFollow;
    private final boolean onALine;

    private long bit;
    private long dueMillis;
    private int left;
    private int groupLeft;
    private GroupShape shape = GroupShape.ROW;
    private int parameter;
    /** The parameter of the gaps in {@link GroupShape#ROWS}. */
    private int gapParameter;
    private int rowLeft;
    private int rank = -1;
    /** The offset of the position read last, where times are on a line. */
    private long offset;

    /** A cursor before the first position of a segment with this header. */
    DueCursor(SegmentFormat header) {
        ranks = header.ranks();
        unitShift = (byte) header.unitShift();
        gapBits = (byte) header.gapBits();
        countBits = (byte) header.countBits();
        rankBits = (byte) SegmentFormat.rankBits(ranks);
        singlesFollow = header.has(SegmentFormat.SINGLES_FOLLOW);
        bit = (long) header.dueStartWord() << 6;
        onALine = header.has(SegmentFormat.ON_A_LINE);
        dueMillis = header.firstDueMillis() - (onALine ? 0 : 1L << unitShift);
        left = header.positions();
    }

    /** A cursor at the same place in the same stream. */
    DueCursor(DueCursor other) {
        ranks = other.ranks;
        unitShift = other.unitShift;
        gapBits = other.gapBits;
        countBits = other.countBits;
        rankBits = other.rankBits;
        singlesFollow = other.singlesFollow;
        onALine = other.onALine;
        bit = other.bit;
        dueMillis = other.dueMillis;
        left = other.left;
        groupLeft = other.groupLeft;
        shape = other.shape;
        parameter = other.parameter;
        gapParameter = other.gapParameter;
        rowLeft = other.rowLeft;
        rank = other.rank;
        offset = other.offset;
    }

    /** The number of positions that were not read yet. */
    int left() {
        return left;
    }

    /** The due time of the position read last. */
    long dueMillis() {
        return dueMillis;
    }

    /** The rank of the position read last, or -1 before the first. */
    int rank() {
        return rank;
    }

    /** The offset of the position read last. */
    long offset(long[] words, PositionDirectory directory) {
        return onALine ? offset : directory.offset(words, rank);
    }

    /** The word that the next bit lies in. */
    int word() {
        return (int) (bit >>> 6);
    }

    /** The next bit to be read. */
    long bit() {
        return bit;
    }

    /** Takes note that {@code words} words before {@link #word} were cut off. */
    void cutOff(int words) {
        bit -= (long) words << 6;
    }

    /** Moves to the next position; there must be one left. The directory is that of the segment. */
    void next(long[] words, PositionDirectory directory) {
        left--;
        if (onALine) {
            nextOnLine(words, directory);
            return;
        }
        if (groupLeft == 0) {
            if (countBits != 0 || !readSingle(words)) {
                startGroup(words);
            }
            return;
        }
        groupLeft--;
        switch (shape) {
            case ROW -> rank++;
            case ROWS -> nextInRows(words);
            default -> rank += (int) rice(words, parameter) + 1;
        }
    }

    /** Reads a group of one in one look at the words; false, with nothing read, if it is not such a group. */
    private boolean readSingle(long[] words) {
        long window = Bits.window(words, bit);
        int quotient = Long.numberOfTrailingZeros(window);
        int length = quotient + gapBits + 2;
        int flags = singlesFollow ? 1 : 0;
        if (quotient >= Bits.RICE_ESCAPE || length + flags + rankBits > Long.SIZE || (window >>> length - 1 & 1) == 0) {
            return false;
        }
        long gap = (long) quotient << gapBits | window >>> quotient + 1 & (1L << gapBits) - 1;
        dueMillis += gap + 1 << unitShift;
        long rest = window >>> length;
        if (singlesFollow && (rest & 1) != 0) {
            rank++;
            bit += length + 1;
        } else {
            rank = (int) (rest >>> flags & (1L << rankBits) - 1);
            bit += length + flags + rankBits;
        }
        return true;
    }

    private void startGroup(long[] words) {
        dueMillis += rice(words, gapBits) + 1 << unitShift;
        int count = (int) rice(words, countBits) + 1;
        groupLeft = count - 1;
        if (count == 1) {
            rank = singlesFollow && read(words, 1) != 0 ? rank + 1 : (int) read(words, rankBits);
            return;
        }
        shape = GroupShape.of(read(words, GroupShape.BITS));
        switch (shape) {
            case SPREAD -> {
                parameter = GroupShape.spreadBits(ranks, count);
                rank = (int) rice(words, parameter);
            }
            case CLUSTER -> {
                rank = (int) read(words, rankBits);
                parameter = (int) read(words, GroupShape.PARAMETER_BITS);
            }
            case ROW -> rank = read(words, 1) != 0 ? rank + 1 : (int) read(words, rankBits);
            default -> {
                rank = (int) read(words, rankBits);
                parameter = (int) read(words, GroupShape.PARAMETER_BITS);
                gapParameter = (int) read(words, GroupShape.PARAMETER_BITS);
                rowLeft = (int) rice(words, parameter);
            }
        }
    }

    private void nextOnLine(long[] words, PositionDirectory directory) {
        rank++;
        long before = offset;
        offset = directory.offset(words, rank);
        dueMillis += DueLine.unitsAfter(SegmentFormat.of(words).slope(), offset - before, rice(words, gapBits)) << unitShift;
    }

    private void nextInRows(long[] words) {
        if (rowLeft > 0) {
            rowLeft--;
            rank++;
            return;
        }
        rank += (int) rice(words, gapParameter) + 2;
        rowLeft = (int) rice(words, parameter);
    }

    private long read(long[] words, int width) {
        long value = Bits.read(words, bit, width);
        bit += width;
        return value;
    }

    private long rice(long[] words, int riceBits) {
        int quotient = Long.numberOfTrailingZeros(Bits.window(words, bit));
        bit += quotient + 1;
        if (quotient < Bits.RICE_ESCAPE) {
            return (long) quotient << riceBits | read(words, riceBits);
        }
        return read(words, Long.SIZE);
    }
}
