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
 *
 * <p>Implementation note: in all segments that are written now but those with times on a line a rank is told among those left,
 * which is a function of the bytes alone. The first position is out of those left with the second one only, so that a segment of
 * which no more was read stores none.
 */
final class DueCursor {

    static final int OBJECT_BYTES = Footprint.object(2 * Long.BYTES + 5 * Integer.BYTES + 10 + 3 * Footprint.REFERENCE)
            + LeftRanks.OBJECT_BYTES;

    /** A Rice code up to this length less 1, and a rank behind it, are in one window. */
    private static final int LONGEST_IN_A_LOOK = Bits.RICE_ESCAPE - 1;

    private final int ranks;
    private final byte unitShift;
    private final byte gapBits;
    private final byte countBits;
    private final byte rankBits;
    private final boolean singlesFollow;
    private final boolean amongLeft;
    private final boolean oneByOne;
    /** Null where positions are numbered by offset. */
    private final LeftRanks leftRanks;
    /** Null where times are not on a line. */
    private final LineCursor line;

    private long bit;
    private long dueMillis;
    private int left;
    private int groupLeft;
    private GroupShape shape = GroupShape.ROW;
    private byte parameter;
    /** The parameter of the gaps in {@link GroupShape#ROWS}. */
    private byte gapParameter;
    private int rowLeft;
    private int rank = -1;
    private boolean firstIsLeft;

    /** A cursor before the first position of a segment. */
    DueCursor(SegmentFormat header, long[] words) {
        ranks = header.ranks();
        unitShift = (byte) header.unitShift();
        gapBits = (byte) header.gapBits();
        countBits = (byte) header.countBits();
        rankBits = (byte) SegmentFormat.rankBits(ranks);
        singlesFollow = header.has(SegmentFormat.SINGLES_FOLLOW);
        amongLeft = header.has(SegmentFormat.AMONG_LEFT);
        oneByOne = header.has(SegmentFormat.ONE_BY_ONE);
        leftRanks = header.has(SegmentFormat.BY_OFFSET) ? null : new LeftRanks(ranks);
        LineExceptions exceptions = LineExceptions.read(header, words);
        line = header.has(SegmentFormat.ON_A_LINE) ? new LineCursor(header, exceptions) : null;
        bit = ((long) header.dueStartWord() << 6) + exceptions.bits();
        dueMillis = header.firstDueMillis() - (oneByOne ? 0 : 1L << unitShift);
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
        amongLeft = other.amongLeft;
        oneByOne = other.oneByOne;
        leftRanks = other.leftRanks == null ? null : new LeftRanks(other.leftRanks);
        line = other.line == null ? null : new LineCursor(other.line);
        bit = other.bit;
        dueMillis = other.dueMillis;
        left = other.left;
        groupLeft = other.groupLeft;
        shape = other.shape;
        parameter = other.parameter;
        gapParameter = other.gapParameter;
        rowLeft = other.rowLeft;
        rank = other.rank;
        firstIsLeft = other.firstIsLeft;
    }

    /** The number of positions that were not read yet. */
    int left() {
        return left;
    }

    /** Whether a position was not read yet; not to be asked where positions are numbered by offset. */
    boolean isAhead(int askedRank) {
        return askedRank != rank && leftRanks.has(askedRank);
    }

    /** One bit for each position that was not read yet of the 64 from rank {@code 64 word} on. */
    long aheadBits(int word) {
        long bits = leftRanks.bits(word);
        return firstIsLeft && rank >>> 6 == word ? bits & ~(1L << rank) : bits;
    }

    /** The bytes of the marks that say which positions were not read: 0, or from some call of {@link #next} on always as many. */
    long markBytes() {
        return leftRanks.arrayBytes();
    }

    /** The bytes of the cursor and of what copies do not share with it, {@link #markBytes} apart. */
    int ownBytes() {
        return OBJECT_BYTES + (line == null ? 0 : LineCursor.OBJECT_BYTES);
    }

    /** The bytes that copies share. */
    long sharedBytes() {
        return line == null ? 0 : line.sharedBytes();
    }

    /** The offset of the position read last. */
    long offset(long[] words, PositionDirectory directory) {
        return directory.offset(words, rank);
    }

    /** The due time of the position read last. */
    long dueMillis() {
        return dueMillis;
    }

    /** The rank of the position read last, or -1 before the first. */
    int rank() {
        return rank;
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
        boolean isFirst = rank < 0;
        if (firstIsLeft) {
            firstIsLeft = false;
            leftRanks.remove(rank);
        }
        left--;
        if (oneByOne) {
            nextOneByOne(words);
        } else if (line != null) {
            line.next(this, words, directory);
        } else if (groupLeft > 0) {
            nextInGroup(words);
        } else {
            startGroup(words);
        }
        // In a damaged segment, which a check reads, a rank may be below 0 too.
        if (leftRanks != null && Integer.compareUnsigned(rank, ranks) < 0) {
            if (isFirst) {
                firstIsLeft = true;
            } else {
                leftRanks.remove(rank);
            }
        }
    }

    private void nextOneByOne(long[] words) {
        long window = Bits.window(words, bit);
        int quotient = Long.numberOfTrailingZeros(window);
        if (quotient + gapBits > LONGEST_IN_A_LOOK) {
            dueMillis += rice(words, gapBits) << unitShift;
            rank = given(words);
            return;
        }
        dueMillis += ((long) quotient << gapBits | window >>> quotient + 1 & (1L << gapBits) - 1) << unitShift;
        int length = quotient + 1 + gapBits;
        int all = LeftRanks.words(ranks);
        int word = Bits.phasedIn(window >>> length, all);
        length += Bits.phasedInBits(word, all);
        bit += length;
        rank = inWord(window >>> length, word, -1L);
    }

    /** Moves to a position on a line or beside it. */
    void moveTo(int nextRank, long nextDueMillis) {
        rank = nextRank;
        dueMillis = nextDueMillis;
    }

    /** Reads how long a position on a line is due after the one so many offsets before it. */
    long millisAfter(long[] words, long offsets) {
        return DueLine.unitsAfter(SegmentFormat.of(words).slope(), offsets, rice(words, gapBits)) << unitShift;
    }

    private void startGroup(long[] words) {
        dueMillis += rice(words, gapBits) + 1 << unitShift;
        int count = (int) Math.max(1, rice(words, countBits) + 1);
        groupLeft = count - 1;
        if (count == 1) {
            rank = singlesFollow && read(words, 1) != 0 ? behind(0) : given(words);
            return;
        }
        shape = amongLeft && read(words, 1) == 0 ? GroupShape.SPREAD : GroupShape.of(read(words, GroupShape.BITS));
        switch (shape) {
            case SPREAD -> startSpread(words, count);
            case ROW -> rank = read(words, 1) != 0 ? behind(0) : given(words);
            case CLUSTER -> {
                rank = given(words);
                parameter = (byte) read(words, GroupShape.PARAMETER_BITS);
            }
            default -> {
                rank = given(words);
                parameter = (byte) read(words, GroupShape.PARAMETER_BITS);
                gapParameter = (byte) read(words, GroupShape.PARAMETER_BITS);
                rowLeft = clamped(rice(words, parameter));
            }
        }
    }

    private void startSpread(long[] words, int count) {
        if (amongLeft && GroupShape.isSparse(ranks, count)) {
            shape = GroupShape.SPARSE;
            parameter = (byte) GroupShape.sparseBits(ranks, count);
            rank = 0;
            nextSparse(words, -1L);
        } else {
            parameter = (byte) GroupShape.spreadBits(amongLeft ? left + 1 : ranks, count);
            rank = -1;
            rank = behind(rice(words, parameter));
        }
    }

    private void nextInGroup(long[] words) {
        groupLeft--;
        switch (shape) {
            case ROW -> rank = behind(0);
            case ROWS -> nextInRows(words);
            case SPARSE -> nextSparse(words, -2L << rank);
            default -> rank = behind(rice(words, parameter));
        }
    }

    private void nextInRows(long[] words) {
        if (rowLeft > 0) {
            rowLeft--;
            rank = behind(0);
            return;
        }
        rank = behind(rice(words, gapParameter) + 1);
        rowLeft = clamped(rice(words, parameter));
    }

    /** The next rank of a sparse group; of the word that it is in already, one of some. */
    private void nextSparse(long[] words, long amongInWord) {
        long window = Bits.window(words, bit);
        int quotient = Long.numberOfTrailingZeros(window);
        int length = quotient + 1 + parameter;
        long passed;
        if (length <= LONGEST_IN_A_LOOK) {
            passed = (long) quotient << parameter | window >>> quotient + 1 & (1L << parameter) - 1;
            bit += length;
            window >>>= length;
        } else {
            passed = clamped(rice(words, parameter));
            window = Bits.window(words, bit);
        }
        int word = (rank >>> 6) + (int) passed;
        rank = word < LeftRanks.words(ranks) ? inWord(window, word, passed == 0 ? amongInWord : -1L) : ranks;
    }

    /** Reads a rank that does not depend on the one before. */
    private int given(long[] words) {
        if (!amongLeft) {
            return (int) read(words, rankBits);
        }
        long window = Bits.window(words, bit);
        int all = LeftRanks.words(ranks);
        int word = Bits.phasedIn(window, all);
        int length = Bits.phasedInBits(word, all);
        bit += length;
        return inWord(window >>> length, word, -1L);
    }

    /** Reads which of the ranks left in a word it is; the window has at least six bits. */
    private int inWord(long window, int word, long among) {
        long bits = leftRanks.bits(word) & among;
        if (bits == 0) {
            return ranks;
        }
        int count = Long.bitCount(bits);
        int number = Bits.phasedIn(window, count);
        bit += Bits.phasedInBits(number, count);
        return word << 6 | Bits.select(bits, number);
    }

    /** The rank behind the last one, past some. */
    private int behind(long passed) {
        return amongLeft ? leftRanks.behind(rank, passed) : clamped(rank + 1L + passed);
    }

    /** A number that no position has, where bytes from elsewhere have one that is too large or not a number. */
    private int clamped(long any) {
        return any < 0 || any > ranks ? ranks : (int) any;
    }

    private long read(long[] words, int width) {
        long value = Bits.read(words, bit, width);
        bit += width;
        return value;
    }

    private long rice(long[] words, int riceBits) {
        long window = Bits.window(words, bit);
        int quotient = Long.numberOfTrailingZeros(window);
        if (quotient + riceBits <= LONGEST_IN_A_LOOK) {
            bit += quotient + 1 + riceBits;
            return (long) quotient << riceBits | window >>> quotient + 1 & (1L << riceBits) - 1;
        }
        bit += quotient + 1;
        return quotient < Bits.RICE_ESCAPE ? (long) quotient << riceBits | read(words, riceBits) : read(words, Long.SIZE);
    }
}
