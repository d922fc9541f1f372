/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * Due times that ascend with positions but for a few {@link LineExceptions}, each foretold from the one before it: the
 * distance in entries times a slope later. The differences from the foretold times are written. So times cost next to nothing
 * where messages come at a steady rate, however many of them are gone.
 *
 * <p>Implementation note: the slope is the mean within ledgers only, without steps far beyond it. The ends of a ledger depend
 * on the positions left of it, so the step from one to the next says nothing.
 */
final class DueLine {

    private static final int FRACTION_BITS = 20;
    private static final long LARGEST_SLOPE = (1L << 40) - 1;
    private static final double MOST_TIMES_THE_MEAN = 64;
    private static final long HALF = 1L << FRACTION_BITS - 1;

    private final Scratch scratch;
    private final LineExceptions exceptions;
    private final int unitShift;
    private final boolean raw;
    /** The codes of the positions on the line, in a part of the scratch that nothing else needs any more. */
    private final long[] codes;
    private final int count;
    private long slope;
    private int errorBits;
    private long bits;

    private DueLine(Scratch scratch, LineExceptions exceptions, int unitShift, boolean raw) {
        this.scratch = scratch;
        this.exceptions = exceptions;
        this.unitShift = unitShift;
        this.raw = raw;
        codes = scratch.ofLedgers;
        count = scratch.count - exceptions.count();
    }

    /**
     * The line through the positions in the scratch, or null if it would be too steep or too flat to be written.
     *
     * @param unitShift times are in units of 2^unitShift ms
     * @param raw whether offsets are ranks
     */
    static DueLine of(Scratch scratch, LineExceptions exceptions, int unitShift, boolean raw) {
        DueLine line = new DueLine(scratch, exceptions, unitShift, raw);
        return line.fit() ? line : null;
    }

    /**
     * The number of units that a position is due after the one before it.
     *
     * @param offsets the number of offsets that it is behind that one
     * @param code the error of the line: 0, -1, 1, -2, ... as 0, 1, 2, 3, ...
     */
    static long unitsAfter(long slope, long offsets, long code) {
        return foretold(slope, offsets) + (code >>> 1 ^ -(code & 1));
    }

    /** Units an offset, with {@value #FRACTION_BITS} bits of fraction. */
    long slope() {
        return slope;
    }

    /** The Rice parameter of the codes. */
    int errorBits() {
        return errorBits;
    }

    /** The number of bits that {@link #write} writes. */
    long bits() {
        return bits;
    }

    boolean hasExceptions() {
        return exceptions.count() > 0;
    }

    void write(BitWriter writer) {
        exceptions.write(scratch, unitShift);
        for (int i = 0; i < count; i++) {
            writer.writeRice(codes[i], errorBits);
        }
    }

    private boolean fit() {
        // One step far beyond the others would be the mean.
        double mean = meanSlope(MOST_TIMES_THE_MEAN * meanSlope(Double.POSITIVE_INFINITY)) * (1L << FRACTION_BITS);
        if (!(mean >= 1 && mean <= LARGEST_SLOPE)) {
            return false;
        }
        slope = Math.round(mean);
        findCodes();
        RiceFit errors = scratch.gaps;
        errors.reset();
        for (int i = 0; i < count; i++) {
            errors.add(codes[i]);
        }
        errorBits = errors.best();
        bits = exceptions.bits();
        for (int i = 0; i < count; i++) {
            bits += Bits.riceLength(codes[i], errorBits);
        }
        return true;
    }

    /** The mean of the steps within ledgers, units an offset, up to that many. */
    private double meanSlope(double most) {
        double units = 0;
        double offsets = 0;
        for (int i = 1; i < scratch.count; i++) {
            if (isWithin(i) && !exceptions.has(i) && !exceptions.has(i - 1)) {
                long unitsAfter = scratch.dueMillis[i] - scratch.dueMillis[i - 1] >> unitShift;
                long offsetsAfter = offsets(i);
                if (unitsAfter <= most * offsetsAfter) {
                    units += unitsAfter;
                    offsets += offsetsAfter;
                }
            }
        }
        return units / offsets;
    }

    private void findCodes() {
        long dueBefore = scratch.dueMillis[scratch.order[0]];
        long offsetBefore = 0;
        long offset = 0;
        int to = 0;
        for (int i = 0; i < scratch.count; i++) {
            offset += i == 0 ? 0 : offsets(i);
            if (!exceptions.has(i)) {
                long units = scratch.dueMillis[i] - dueBefore >> unitShift;
                long error = units - foretold(slope, offset - offsetBefore);
                codes[to] = error << 1 ^ error >> Long.SIZE - 1;
                to++;
                dueBefore = scratch.dueMillis[i];
                offsetBefore = offset;
            }
        }
    }

    /** The foretold units. They wrap where a product is beyond 63 bits; the code makes up for it. */
    private static long foretold(long slope, long offsets) {
        return slope * offsets + HALF >> FRACTION_BITS;
    }

    private boolean isWithin(int at) {
        return raw || scratch.ledgerIds[at] == scratch.ledgerIds[at - 1];
    }

    private long offsets(int at) {
        return raw || !isWithin(at) ? 1 : scratch.entryIds[at] - scratch.entryIds[at - 1];
    }
}
