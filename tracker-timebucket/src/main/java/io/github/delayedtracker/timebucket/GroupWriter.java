/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * A writer of the positions of one group in the {@link GroupShape} that comes out shortest. They have ranks, of which those left
 * count, or offsets, of which all count.
 */
final class GroupWriter {

    /** What a shape that names its first position, or its parameters, costs before it saves anything, bits. */
    private static final int COST_OF_A_START = 16;

    private final BitWriter writer;
    private final int[] numbers;
    private final int all;
    private final int numberBits;
    /** Null for offsets. */
    private final LeftRanks left;
    /** How many that count lie between a position and the one before it in the group. */
    private final int[] between;

    /** The position that was written last. */
    private int before = -1;
    private int clusterBits;
    private int rowBits;
    private int gapBits;

    private GroupWriter(Scratch scratch, int[] numbers, int all, LeftRanks left) {
        writer = scratch.writer;
        this.numbers = numbers;
        this.all = all;
        numberBits = SegmentFormat.rankBits(all);
        this.left = left;
        between = scratch.between;
    }

    /** A writer of the ranks in the scratch, which lie there in order of (due time, rank). */
    static GroupWriter ofRanks(Scratch scratch) {
        scratch.left.reset(scratch.count);
        return new GroupWriter(scratch, scratch.order, scratch.count, scratch.left);
    }

    /** A writer of the offsets in the scratch, which lie there in order of (due time, offset). */
    static GroupWriter ofOffsets(Scratch scratch, int all) {
        return new GroupWriter(scratch, scratch.numbers, all, null);
    }

    /** Writes a position as it is. */
    void writeOne(int at) {
        writeGiven(numbers[at]);
        done(at, at + 1);
    }

    /** Writes a group of one. */
    void writeSingle(int at, boolean saysIfItFollows) {
        boolean follows = saysIfItFollows && follows(numbers[at]);
        if (saysIfItFollows) {
            writer.write(follows ? 1 : 0, 1);
        }
        if (!follows) {
            writeGiven(numbers[at]);
        }
        done(at, at + 1);
    }

    /** Writes a group of two or more, from an index to an index (exclusive). */
    void write(int from, int to) {
        int count = to - from;
        boolean sparse = left != null && GroupShape.isSparse(all, count);
        if (numbers[to - 1] - numbers[from] == count - 1) {
            writeRow(from);
        } else if (sparse && !mayBeNarrow(from, to)) {
            writeSparse(from, to);
        } else if (countBetween(from, to) == 0) {
            writeRow(from);
        } else {
            writeShortest(from, to, sparse);
        }
        done(from, to);
    }

    /** Whether a shape may be shorter that counts from the first position: most are near each other, or few others are left. */
    private boolean mayBeNarrow(int from, int to) {
        int count = to - from;
        int span = numbers[to - 1] - numbers[from] + 1;
        int halved = Integer.numberOfLeadingZeros(span) - Integer.numberOfLeadingZeros(all - 1);
        if (halved * count > COST_OF_A_START || count * 8 > all - from) {
            return true;
        }
        int follow = 0;
        for (int i = from + 1; i < to; i++) {
            follow += numbers[i] == numbers[i - 1] + 1 ? 1 : 0;
        }
        return 2 * follow > count;
    }

    private int countBetween(int from, int to) {
        int sum = 0;
        for (int i = from + 1; i < to; i++) {
            between[i] = left == null ? numbers[i] - numbers[i - 1] - 1 : left.count(numbers[i - 1] + 1, numbers[i]);
            sum += between[i];
        }
        return sum;
    }

    private void writeRow(int from) {
        writeShape(GroupShape.ROW);
        boolean follows = follows(numbers[from]);
        writer.write(follows ? 1 : 0, 1);
        if (!follows) {
            writeGiven(numbers[from]);
        }
    }

    private void writeShortest(int from, int to, boolean sparse) {
        int count = to - from;
        int rows = 1;
        long sum = 0;
        for (int i = from + 1; i < to; i++) {
            rows += Math.min(1, between[i]);
            sum += between[i];
        }
        clusterBits = Bits.riceBits(sum, count - 1L);
        long cluster = numberBits + GroupShape.PARAMETER_BITS + lengthOfGaps(from, to, clusterBits);
        long spread = sparse ? lengthOfSparse(from, to) : lengthOfDense(from, to, cluster);
        // Many rows cannot be shorter than a cluster: each costs two codes where a cluster has one for each position.
        long inRows = rows > count / 2 ? Long.MAX_VALUE : lengthOfRows(from, to, rows, sum);
        if (inRows < spread && inRows < cluster) {
            writeRows(from, to);
        } else if (cluster < spread) {
            writeShape(GroupShape.CLUSTER);
            writeGiven(numbers[from]);
            writer.write(clusterBits, GroupShape.PARAMETER_BITS);
            writeGaps(from, to, clusterBits);
        } else if (sparse) {
            writeSparse(from, to);
        } else {
            writeDense(from, to);
        }
    }

    private void writeDense(int from, int to) {
        writeShape(GroupShape.SPREAD);
        int spreadBits = spreadBits(from, to);
        writer.writeRice(numberOf(numbers[from]), spreadBits);
        writeGaps(from, to, spreadBits);
    }

    private void writeSparse(int from, int to) {
        writeShape(GroupShape.SPREAD);
        int sparseBits = GroupShape.sparseBits(all, to - from);
        int word = 0;
        long above = -1L;
        for (int i = from; i < to; i++) {
            int rank = numbers[i];
            int passed = (rank >>> 6) - word;
            long bits = left.bits(rank >>> 6) & (passed == 0 ? above : -1L);
            writer.writeRiceAndPhasedIn(passed, sparseBits, Long.bitCount(bits & (1L << rank) - 1), Long.bitCount(bits));
            word = rank >>> 6;
            above = -2L << rank;
        }
    }

    /** Writes a shape; the spread one takes a bit, where ranks among those left are written. */
    private void writeShape(GroupShape shape) {
        if (left != null) {
            writer.write(shape == GroupShape.SPREAD ? 0 : 1, 1);
        }
        if (left == null || shape != GroupShape.SPREAD) {
            writer.write(shape.code(), GroupShape.BITS);
        }
    }

    /** Writes a position that does not depend on the one before. */
    private void writeGiven(int number) {
        if (left == null) {
            writer.write(number, numberBits);
        } else {
            long bits = left.bits(number >>> 6);
            writer.writePhasedIn(number >>> 6, LeftRanks.words(all),
                    Long.bitCount(bits & (1L << number) - 1), Long.bitCount(bits));
        }
    }

    private void done(int from, int to) {
        if (left != null) {
            for (int i = from; i < to; i++) {
                left.remove(numbers[i]);
            }
        }
        before = numbers[to - 1];
    }

    private boolean follows(int number) {
        return number == (left == null ? before + 1 : left.behind(before, 0));
    }

    private int numberOf(int number) {
        return left == null ? number : left.count(0, number);
    }

    private int spreadBits(int from, int to) {
        return GroupShape.spreadBits(left == null ? all : all - from, to - from);
    }

    /** At least, where that is more than a length that another shape has; else exactly, for which all ranks are counted. */
    private long lengthOfDense(int from, int to, long other) {
        int spreadBits = spreadBits(from, to);
        long least = (spreadBits + 1L) * (to - from);
        return least > other ? least : Bits.riceLength(numberOf(numbers[from]), spreadBits) + lengthOfGaps(from, to, spreadBits);
    }

    /** At most; about two thirds of the numbers in a word take all the bits of the largest one. */
    private int lengthOfSparse(int from, int to) {
        int sparseBits = GroupShape.sparseBits(all, to - from);
        int bits = (numbers[to - 1] >>> 6 + sparseBits) + (to - from) * (sparseBits + 1);
        for (int i = from; i < to; i++) {
            bits += Integer.SIZE - Integer.numberOfLeadingZeros(Long.bitCount(left.bits(numbers[i] >>> 6)) - 1);
        }
        return bits;
    }

    /** The length of the gaps, bits; exact but for codes that give way to the value itself. */
    private long lengthOfGaps(int from, int to, int riceBits) {
        int quotients = 0;
        for (int i = from + 1; i < to; i++) {
            quotients += between[i] >> riceBits;
        }
        return quotients + (riceBits + 1L) * (to - from - 1);
    }

    private void writeGaps(int from, int to, int riceBits) {
        for (int i = from + 1; i < to; i++) {
            writer.writeRice(between[i], riceBits);
        }
    }

    private long lengthOfRows(int from, int to, int rows, long sum) {
        rowBits = Bits.riceBits((long) to - from - rows, rows);
        gapBits = Bits.riceBits(sum - (rows - 1), rows - 1L);
        long bits = numberBits + 2L * GroupShape.PARAMETER_BITS;
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || between[i] != 0) {
                bits += Bits.riceLength((long) i - start - 1, rowBits);
                bits += i == to ? 0 : Bits.riceLength(between[i] - 1L, gapBits);
                start = i;
            }
        }
        return bits;
    }

    private void writeRows(int from, int to) {
        writeShape(GroupShape.ROWS);
        writeGiven(numbers[from]);
        writer.write(rowBits, GroupShape.PARAMETER_BITS);
        writer.write(gapBits, GroupShape.PARAMETER_BITS);
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || between[i] != 0) {
                if (start > from) {
                    writer.writeRice(between[start] - 1L, gapBits);
                }
                writer.writeRice((long) i - start - 1, rowBits);
                start = i;
            }
        }
    }
}
