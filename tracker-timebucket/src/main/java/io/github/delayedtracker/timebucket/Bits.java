/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/** A reader of bit fields in an array of words, lowest bits first. A field may reach into the next word. */
final class Bits {

    /** The quotient from which on a Rice code gives way to the value itself. */
    static final int RICE_ESCAPE = 24;

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long SIGN_OF_EACH_BYTE = 0x8080_8080_8080_8080L;
    /** The index of the n-th bit of a byte that is set, at 256 n + byte. */
    private static final byte[] SELECT_IN_BYTE = selectInByte();

    private Bits() {
    }

    /** A field of 0 to 64 bits. */
    static long read(long[] words, long bit, int width) {
        int word = (int) (bit >>> 6);
        int shift = (int) bit & 63;
        long value = words[word] >>> shift;
        if (shift + width > Long.SIZE) {
            value |= words[word + 1] << Long.SIZE - shift;
        }
        return width == Long.SIZE ? value : value & (1L << width) - 1;
    }

    /** The 64 bits from a bit on; bits behind the last word are 0. */
    static long window(long[] words, long bit) {
        int word = (int) (bit >>> 6);
        int shift = (int) bit & 63;
        long value = words[word] >>> shift;
        return shift == 0 || word + 1 >= words.length ? value : value | words[word + 1] << Long.SIZE - shift;
    }

    /**
     * The index of the n-th bit of a word that is set, counting from 0; the word must have that many. Vigna, Broadword
     * implementation of rank/select queries (2008): a multiplication sums the bytes, a subtraction compares all of them.
     */
    static int select(long word, int n) {
        long sums = word - (word >>> 1 & 0x5555_5555_5555_5555L);
        sums = (sums & 0x3333_3333_3333_3333L) + (sums >>> 2 & 0x3333_3333_3333_3333L);
        // How many are set up to each byte, it included.
        sums = (sums + (sums >>> 4) & 0x0f0f_0f0f_0f0f_0f0fL) * EACH_BYTE;
        int shift = Long.bitCount(n * EACH_BYTE + SIGN_OF_EACH_BYTE - sums & SIGN_OF_EACH_BYTE) << 3;
        int inByte = n - (int) (sums << Byte.SIZE >>> shift & 0xff);
        return shift + SELECT_IN_BYTE[inByte << Byte.SIZE | (int) (word >>> shift) & 0xff];
    }

    private static byte[] selectInByte() {
        byte[] table = new byte[Byte.SIZE << Byte.SIZE];
        for (int value = 0; value < 1 << Byte.SIZE; value++) {
            int n = 0;
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                if ((value >>> bit & 1) != 0) {
                    table[n << Byte.SIZE | value] = (byte) bit;
                    n++;
                }
            }
        }
        return table;
    }

    /** The number below another one that a window begins with, phased in. */
    static int phasedIn(long window, int below) {
        if (below == 1) {
            return 0;
        }
        int width = phasedInWidth(below);
        int shorter = (1 << width) - below;
        int low = (int) window & (1 << width - 1) - 1;
        // Without a branch, which would be mispredicted every other time: -1 where the last bit counts, else 0.
        int isLonger = shorter - 1 - low >> 31;
        return low + (low + (int) (window >>> width - 1 & 1) - shorter & isLonger);
    }

    /** How many bits a number below another one takes phased in: one less than the largest, where it is small. */
    static int phasedInBits(int number, int below) {
        int width = phasedInWidth(below);
        return width + (number - (1 << width) + below >> 31);
    }

    /** How many bits the largest number below another one takes. */
    static int phasedInWidth(int below) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(below - 1);
    }

    /** The Rice parameter that codes geometrically distributed values of this mean shortest. */
    static int riceBits(long sum, long count) {
        // 0.9624 is twice the logarithm of the golden ratio.
        double scaled = count == 0 ? 0 : (double) sum / count * 0.9624 + 0.5;
        return scaled < 2 ? 0 : Math.min(62, Math.getExponent(scaled));
    }

    /** Reads a Rice code, {@link #riceLength} bits. */
    static long rice(long[] words, long bit, int riceBits) {
        int quotient = Long.numberOfTrailingZeros(window(words, bit));
        return quotient < RICE_ESCAPE ? (long) quotient << riceBits | read(words, bit + quotient + 1, riceBits)
                : read(words, bit + RICE_ESCAPE + 1, Long.SIZE);
    }

    /** The number of bits that a value, any 64 bits, takes in Rice code. */
    static int riceLength(long value, int bits) {
        long quotient = value >>> bits;
        return Long.compareUnsigned(quotient, RICE_ESCAPE) < 0 ? (int) quotient + 1 + bits : RICE_ESCAPE + 1 + Long.SIZE;
    }
}
