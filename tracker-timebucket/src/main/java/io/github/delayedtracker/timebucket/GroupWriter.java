/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/** A writer of the ranks of one group in the {@link GroupShape} that comes out shortest. */
final class GroupWriter {

    private final BitWriter writer;
    private final int[] order;
    private final int ranks;
    private final int rankBits;

    private int clusterBits;
    private int rowBits;
    private int gapBits;

    /** A writer of the ranks in the array, which lie there in order of (due time, rank). */
    GroupWriter(BitWriter writer, int[] order, int ranks) {
        this.writer = writer;
        this.order = order;
        this.ranks = ranks;
        this.rankBits = SegmentFormat.rankBits(ranks);
    }

    /** Writes a group of one. */
    void writeSingle(int at, boolean saysIfItFollows) {
        if (saysIfItFollows) {
            boolean follows = order[at] == rankBefore(at) + 1;
            writer.write(follows ? 1 : 0, 1);
            if (follows) {
                return;
            }
        }
        writer.write(order[at], rankBits);
    }

    /** Writes a group of two or more, from an index to an index (exclusive). */
    void write(int from, int to) {
        int count = to - from;
        int first = order[from];
        int span = order[to - 1] - first + 1;
        if (span == count) {
            writer.write(GroupShape.ROW.code(), GroupShape.BITS);
            boolean follows = first == rankBefore(from) + 1;
            writer.write(follows ? 1 : 0, 1);
            writer.write(follows ? 0 : first, follows ? 0 : rankBits);
            return;
        }
        int rows = rows(from, to);
        int spreadBits = GroupShape.spreadBits(ranks, count);
        clusterBits = Bits.riceBits((long) span - count, (long) count - 1);
        rowBits = Bits.riceBits((long) count - rows, rows);
        gapBits = Bits.riceBits((long) span - count - (rows - 1), (long) rows - 1);
        long spread = Bits.riceLength(first, spreadBits) + lengthOfGaps(from, to, spreadBits);
        long cluster = rankBits + GroupShape.PARAMETER_BITS + lengthOfGaps(from, to, clusterBits);
        // Many rows cannot be shorter than a cluster: each costs two codes where a cluster has one for each position.
        long inRows = rows > count / 2 ? Long.MAX_VALUE : lengthOfRows(from, to);
        if (inRows < spread && inRows < cluster) {
            writeRows(from, to);
        } else if (cluster < spread) {
            writer.write(GroupShape.CLUSTER.code(), GroupShape.BITS);
            writer.write(first, rankBits);
            writer.write(clusterBits, GroupShape.PARAMETER_BITS);
            writeGaps(from, to, clusterBits);
        } else {
            writer.write(GroupShape.SPREAD.code(), GroupShape.BITS);
            writer.writeRice(first, spreadBits);
            writeGaps(from, to, spreadBits);
        }
    }

    private int rankBefore(int at) {
        return at == 0 ? -1 : order[at - 1];
    }

    private int rows(int from, int to) {
        int rows = 1;
        for (int i = from + 1; i < to; i++) {
            rows += Math.min(1, order[i] - order[i - 1] - 1);
        }
        return rows;
    }

    /** The length of the gaps, bits; exact but for codes that give way to the value itself. */
    private long lengthOfGaps(int from, int to, int riceBits) {
        int quotients = 0;
        for (int i = from + 1; i < to; i++) {
            quotients += order[i] - order[i - 1] - 1 >> riceBits;
        }
        return quotients + (riceBits + 1L) * (to - from - 1);
    }

    private void writeGaps(int from, int to, int riceBits) {
        for (int i = from + 1; i < to; i++) {
            writer.writeRice((long) order[i] - order[i - 1] - 1, riceBits);
        }
    }

    private long lengthOfRows(int from, int to) {
        long bits = rankBits + 2L * GroupShape.PARAMETER_BITS;
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || order[i] != order[i - 1] + 1) {
                bits += Bits.riceLength((long) i - start - 1, rowBits);
                bits += i == to ? 0 : Bits.riceLength((long) order[i] - order[i - 1] - 2, gapBits);
                start = i;
            }
        }
        return bits;
    }

    private void writeRows(int from, int to) {
        writer.write(GroupShape.ROWS.code(), GroupShape.BITS);
        writer.write(order[from], rankBits);
        writer.write(rowBits, GroupShape.PARAMETER_BITS);
        writer.write(gapBits, GroupShape.PARAMETER_BITS);
        int start = from;
        for (int i = from + 1; i <= to; i++) {
            if (i == to || order[i] != order[i - 1] + 1) {
                if (start > from) {
                    writer.writeRice((long) order[start] - order[start - 1] - 2, gapBits);
                }
                writer.writeRice((long) i - start - 1, rowBits);
                start = i;
            }
        }
    }
}
