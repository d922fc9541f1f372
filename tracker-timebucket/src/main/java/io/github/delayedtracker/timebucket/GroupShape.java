/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * The ways to write the ranks of one group, that is of the positions of a segment that share a due time. The encoder
 * takes the one that comes out shortest for each group.
 */
enum GroupShape {

    /** Gaps in Rice code, with the parameter that fits ranks spread evenly over the whole segment. */
    SPREAD(0),
    /** The first rank as it is, then gaps in Rice code with a parameter of the group's own. */
    CLUSTER(1),
    /** One row of ranks without a gap, from where the last group ended or from a rank given. */
    ROW(2),
    /** Several rows: the first rank as it is, then lengths of rows and of the gaps between, with two parameters. */
    ROWS(3),
    /** What {@link #SPREAD} stands for where few words have a rank of the group. */
    SPARSE(0);

    /** Bits that name the shape. */
    static final int BITS = 2;
    /** Bits of a parameter. */
    static final int PARAMETER_BITS = 5;

    /** Bits of a {@link #ROW} that follows the group before it, where ranks among those left are written. */
    static final int FOLLOWING_ROW_BITS = 1 + BITS + 1;

    private static final int SPARSE_FROM = 4;

    private final int code;

    GroupShape(int code) {
        this.code = code;
    }

    /** Its code in the due stream. */
    int code() {
        return code;
    }

    /** The shape of a code, which has {@link #BITS} bits. */
    static GroupShape of(long code) {
        return switch ((int) code) {
            case 0 -> SPREAD;
            case 1 -> CLUSTER;
            case 2 -> ROW;
            default -> ROWS;
        };
    }

    /** The parameter of {@link #SPREAD}. */
    static int spreadBits(int ranks, int count) {
        return Bits.riceBits((long) ranks - count, count);
    }

    /** Whether a spread group among those left names words, of which fewer than one in four has one, rather than to count. */
    static boolean isSparse(int ranks, int count) {
        return LeftRanks.words(ranks) > SPARSE_FROM * count;
    }

    /** The parameter of {@link #SPARSE}: of the words passed. */
    static int sparseBits(int ranks, int count) {
        return Bits.riceBits(LeftRanks.words(ranks) - 1L, count);
    }
}
