/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.Arrays;

/** A writer of bit fields into an array of words that grows, lowest bits first. Reused: {@link #reset} keeps the array. */
final class BitWriter {

    private long[] words = new long[1 << 10];
    private long bits;

    /** Removes all bits. */
    void reset() {
        Arrays.fill(words, 0, usedWords(), 0);
        bits = 0;
    }

    /** Removes all bits from a bit on. */
    void truncate(long toBits) {
        int word = (int) (toBits >>> 6);
        int end = usedWords();
        if (word < end) {
            words[word] &= (1L << toBits) - 1;
            Arrays.fill(words, word + 1, end, 0);
        }
        bits = toBits;
    }

    /** The number of bits written. */
    long bits() {
        return bits;
    }

    int usedWords() {
        return (int) (bits + Long.SIZE - 1 >>> 6);
    }

    /** Appends the lowest bits of a value that has no others. */
    void write(long value, int width) {
        if (width == 0) {
            return;
        }
        int word = (int) (bits >>> 6);
        int shift = (int) bits & 63;
        if (word + 2 > words.length) {
            words = Arrays.copyOf(words, words.length * 2);
        }
        words[word] |= value << shift;
        // Without a branch, which would be mispredicted; no bits are left for the next word mostly.
        words[word + 1] |= value >>> 1 >>> Long.SIZE - 1 - shift;
        bits += width;
    }

    /** Appends a value, any 64 bits, in Rice code. */
    void writeRice(long value, int riceBits) {
        long quotient = value >>> riceBits;
        if (Long.compareUnsigned(quotient, Bits.RICE_ESCAPE) >= 0) {
            write(1L << Bits.RICE_ESCAPE, Bits.RICE_ESCAPE + 1);
            write(value, Long.SIZE);
            return;
        }
        int unary = (int) quotient + 1;
        long low = value & (1L << riceBits) - 1;
        if (unary + riceBits <= Long.SIZE) {
            write((1L << quotient) | low << unary, unary + riceBits);
        } else {
            write(1L << quotient, unary);
            write(low, riceBits);
        }
    }

    /** Appends a number below another, in a bit less than that takes where it is small. */
    void writePhasedIn(int value, int below) {
        int bits = Bits.phasedInBits(value, below);
        write(phasedInCode(value, below, bits), bits);
    }

    /** Appends a value in Rice code and a number below another phased in. */
    void writeRiceAndPhasedIn(long rice, int riceBits, int value, int below) {
        long quotient = rice >>> riceBits;
        if (quotient >= Bits.RICE_ESCAPE) {
            writeRice(rice, riceBits);
            writePhasedIn(value, below);
            return;
        }
        int bits = Bits.phasedInBits(value, below);
        int length = (int) quotient + 1 + riceBits;
        long code = 1L << quotient | (rice & (1L << riceBits) - 1) << quotient + 1;
        write(code | phasedInCode(value, below, bits) << length, length + bits);
    }

    /** Appends two numbers phased in. */
    void writePhasedIn(int first, int belowFirst, int second, int belowSecond) {
        int firstBits = Bits.phasedInBits(first, belowFirst);
        int secondBits = Bits.phasedInBits(second, belowSecond);
        write(phasedInCode(first, belowFirst, firstBits) | phasedInCode(second, belowSecond, secondBits) << firstBits,
                firstBits + secondBits);
    }

    private static long phasedInCode(int value, int below, int bits) {
        int width = Bits.phasedInWidth(below);
        // Without a branch: 1 where the number takes the last bit too.
        int isLonger = bits - width + 1;
        int code = value + ((1 << width) - below & -isLonger);
        return code >>> isLonger | (long) (code & isLonger) << width - 1;
    }

    /** Appends zeros. */
    void skip(long count) {
        bits += count;
        while (usedWords() + 1 > words.length) {
            words = Arrays.copyOf(words, words.length * 2);
        }
    }

    /** Appends zeros up to the next word. */
    void align() {
        skip(-bits & 63);
    }

    /** Puts a whole word where one was skipped. */
    void set(int word, long value) {
        words[word] = value;
    }

    /** A copy of the words written, with room for {@code extraWords} more. */
    long[] copy(int extraWords) {
        return Arrays.copyOf(words, usedWords() + extraWords);
    }
}
