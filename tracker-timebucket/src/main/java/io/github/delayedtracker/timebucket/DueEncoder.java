/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * An encoder of the due stream of a segment, in the shortest of three forms: groups of positions due at a time, positions one by
 * one, or times on a line. Linear.
 */
final class DueEncoder {

    /** From so many groups a position on, one by one is shorter: a size of each group costs more than a gap of 0. */
    private static final double ONE_BY_ONE_FROM = 0.6;

    private final Scratch scratch;
    private final BitWriter writer;
    private final int count;
    private final int unitShift;
    private final int offsets;
    private final long[] due;
    private int flags;
    private int gapBits;
    private int countBits;
    private int groups;
    private int singles;

    /**
     * An encoder of the positions in the scratch, which are sorted by time.
     *
     * @param offsets how many offsets there are, which are in the scratch as numbers; 0 where positions have ranks
     */
    DueEncoder(Scratch scratch, int unitShift, int offsets) {
        this.scratch = scratch;
        this.writer = scratch.writer;
        this.count = scratch.count;
        this.unitShift = unitShift;
        this.offsets = offsets;
        due = scratch.ascending;
    }

    /** Appends the stream, and sets the times of the header. Answers the flags. */
    int write(boolean raw) {
        long from = writer.bits();
        long first = due[0];
        long last = due[count - 1];
        fitGroups();
        // Mostly times in order are on a line, and the length of their groups is known without writing them.
        boolean isToWrite = isInOrder();
        if (!isToWrite) {
            writeUnordered();
        }
        DueLine line = lineShorterThan(isToWrite ? groupBitsInOrder() : writer.bits() - from, raw);
        if (line == null) {
            if (isToWrite) {
                writeGroups();
            }
            SegmentFormat.writeTimes(writer, first, last, unitShift, gapBits, countBits);
        } else {
            writer.truncate(from);
            line.write(writer);
            flags = SegmentFormat.ON_A_LINE | (line.hasExceptions() ? SegmentFormat.BESIDE_THE_LINE : 0);
            SegmentFormat.writeLine(writer, first, last, unitShift, line);
        }
        return flags;
    }

    /**
     * Chooses the parameters for the distances and the sizes of groups, and whether singles that follow the position before them
     * say so.
     */
    void fitGroups() {
        flags = offsets == 0 ? SegmentFormat.AMONG_LEFT : 0;
        int[] numbers = offsets == 0 ? scratch.order : scratch.numbers;
        RiceFit gaps = scratch.gaps;
        RiceFit sizes = scratch.sizes;
        gaps.reset();
        sizes.reset();
        long before = due[0] - (1L << unitShift);
        int follows = 0;
        for (int i = 0; i < count;) {
            int end = groupEnd(i);
            if (end == i + 1) {
                singles++;
                follows += numbers[i] == (i == 0 ? 0 : numbers[i - 1] + 1) ? 1 : 0;
            }
            gaps.add((due[i] - before >>> unitShift) - 1);
            sizes.add((long) end - i - 1);
            before = due[i];
            groups++;
            i = end;
        }
        if (follows * (long) SegmentFormat.rankBits(offsets == 0 ? count : offsets) > singles) {
            flags |= SegmentFormat.SINGLES_FOLLOW;
        }
        gapBits = gaps.best();
        countBits = sizes.best();
    }

    /** Whether the times ascend with the ranks, and each group of one, if there is any, says that it follows. */
    boolean isInOrder() {
        boolean inOrder = offsets == 0 && (singles == 0 || (flags & SegmentFormat.SINGLES_FOLLOW) != 0);
        for (int i = 0; i < count && inOrder; i++) {
            inOrder = scratch.order[i] == i;
        }
        return inOrder;
    }

    /** The bits that {@link #writeGroups} writes where each group is a row that follows. */
    long groupBitsInOrder() {
        long bits = 0;
        long before = due[0] - (1L << unitShift);
        for (int i = 0; i < count;) {
            int end = groupEnd(i);
            bits += Bits.riceLength((due[i] - before >>> unitShift) - 1, gapBits);
            bits += Bits.riceLength((long) end - i - 1, countBits);
            bits += end == i + 1 ? 1 : GroupShape.FOLLOWING_ROW_BITS;
            before = due[i];
            i = end;
        }
        return bits;
    }

    private void writeUnordered() {
        if (offsets == 0 && (flags & SegmentFormat.SINGLES_FOLLOW) == 0 && groups > count * ONE_BY_ONE_FROM) {
            writeOneByOne();
        } else {
            writeGroups();
        }
    }

    private void writeOneByOne() {
        flags |= SegmentFormat.ONE_BY_ONE;
        RiceFit gaps = scratch.gaps;
        gaps.reset();
        for (int i = 0; i < count; i++) {
            gaps.add(due[i] - due[Math.max(0, i - 1)] >>> unitShift);
        }
        gapBits = gaps.best();
        countBits = 0;
        GroupWriter group = GroupWriter.ofRanks(scratch);
        for (int i = 0; i < count; i++) {
            writer.writeRice(due[i] - due[Math.max(0, i - 1)] >>> unitShift, gapBits);
            group.writeOne(i);
        }
    }

    void writeGroups() {
        GroupWriter group = offsets == 0 ? GroupWriter.ofRanks(scratch) : GroupWriter.ofOffsets(scratch, offsets);
        long before = due[0] - (1L << unitShift);
        for (int i = 0; i < count;) {
            int end = groupEnd(i);
            writer.writeRice((due[i] - before >>> unitShift) - 1, gapBits);
            writer.writeRice((long) end - i - 1, countBits);
            if (end == i + 1) {
                group.writeSingle(i, (flags & SegmentFormat.SINGLES_FOLLOW) != 0);
            } else {
                group.write(i, end);
            }
            before = due[i];
            i = end;
        }
    }

    /** The line of the due times if they are on one that takes fewer bits in memory than they have taken, else null. */
    private DueLine lineShorterThan(long bits, boolean raw) {
        LineExceptions exceptions = offsets > 0 || bits <= count ? null : LineExceptions.of(scratch, unitShift);
        if (exceptions == null) {
            return null;
        }
        DueLine line = DueLine.of(scratch, exceptions, unitShift, raw);
        return line != null && line.bits() + exceptions.unpackedBits() < bits ? line : null;
    }

    private int groupEnd(int from) {
        int end = from + 1;
        while (end < count && due[end] == due[from]) {
            end++;
        }
        return end;
    }
}
