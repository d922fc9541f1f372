/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;

/**
 * A sequence of ascending numbers in about 2 bits a number plus the logarithm of their mean distance, with access by
 * index and by value and no object but this descriptor. The words it lies in are passed with each call.
 *
 * <p>Implementation note: Elias (1974) and Fano (1971). The lowest {@code lowBits} of each number lie in fields of that
 * width; of the rest, number i sets bit {@code high + i} of the upper bits, of which each 128th is sampled.
 */
final class EliasFano {

    /** The length of the longest sequence, so that a sample has room for any bit of the upper part. */
    static final int MAX_COUNT = 1 << 17;

    private static final int SAMPLE_EVERY = 128;
    private static final int SAMPLE_BITS = 20;
    static final int OBJECT_BYTES = Footprint.object(4 * Long.BYTES + 2 * Integer.BYTES);

    private final int count;
    private final long max;
    private final int lowBits;
    private final long samplesAt;
    private final long upperAt;
    private final long lowAt;

    /**
     * Describes a sequence that begins at a word.
     *
     * @param count the length of the sequence, 1 or more
     * @param max the last and largest number
     */
    EliasFano(int firstWord, int count, long max) {
        this.count = count;
        this.max = max;
        lowBits = lowBits(count, max);
        samplesAt = (long) firstWord << 6;
        upperAt = alignedUp(samplesAt + (long) samples(count) * SAMPLE_BITS);
        lowAt = alignedUp(upperAt + count + (max >>> lowBits) + 1);
    }

    /** The number of words that such a sequence takes. */
    static long words(int count, long max) {
        return new EliasFano(0, count, max).endWord();
    }

    /** Appends the sequence from the next word on. */
    static void write(BitWriter writer, long[] ascending, int count) {
        writer.align();
        int lowBits = lowBits(count, ascending[count - 1]);
        for (int i = 0; i < count; i += SAMPLE_EVERY) {
            writer.write((ascending[i] >>> lowBits) + i, SAMPLE_BITS);
        }
        writer.align();
        long before = 0;
        for (int i = 0; i < count; i++) {
            long high = ascending[i] >>> lowBits;
            writer.skip(high - before);
            writer.write(1, 1);
            before = high;
        }
        writer.write(0, 1);
        writer.align();
        long mask = (1L << lowBits) - 1;
        for (int i = 0; i < count; i++) {
            writer.write(ascending[i] & mask, lowBits);
        }
        writer.align();
    }

    /** The word behind the last one. */
    int endWord() {
        return (int) (alignedUp(lowAt + (long) count * lowBits) >>> 6);
    }

    /** The length of the sequence. */
    int count() {
        return count;
    }

    /** The number at an index. */
    long get(long[] words, int index) {
        int sampled = index / SAMPLE_EVERY;
        long bit = Bits.read(words, samplesAt + (long) sampled * SAMPLE_BITS, SAMPLE_BITS);
        int left = index - sampled * SAMPLE_EVERY;
        if (left > 0) {
            bit = onesAfter(words, bit, left);
        }
        return bit - index << lowBits | Bits.read(words, lowAt + (long) index * lowBits, lowBits);
    }

    /** The last index whose number is at most the given one, or -1. */
    int floorIndex(long[] words, long number) {
        if (number >= max) {
            return count - 1;
        }
        long high = number >>> lowBits;
        int sample = lastSampleUpTo(words, number);
        if (sample >= 0 && highOfSample(words, sample) == high) {
            int from = sample * SAMPLE_EVERY;
            return lastUpTo(words, from, from + onesFrom(words, high + from), lowBitsOf(number));
        }
        long bit = bucketStart(words, high, sample);
        int from = (int) (bit - high);
        return lastUpTo(words, from, from + onesFrom(words, bit), lowBitsOf(number));
    }

    /** The last sampled number that is at most the given one, or -1. */
    private int lastSampleUpTo(long[] words, long number) {
        int low = 0;
        int above = samples(count);
        while (low < above) {
            int middle = low + above >>> 1;
            long distance = highOfSample(words, middle) - (number >>> lowBits);
            if (distance < 0 || distance == 0 && low(words, middle * SAMPLE_EVERY) <= lowBitsOf(number)) {
                low = middle + 1;
            } else {
                above = middle;
            }
        }
        return low - 1;
    }

    /** The last index of a range, its end exclusive, whose low bits are at most the given ones; else the one before the range. */
    private int lastUpTo(long[] words, int from, int end, long lowest) {
        int first = from;
        int behind = end;
        while (first < behind) {
            int middle = first + behind >>> 1;
            if (low(words, middle) <= lowest) {
                first = middle + 1;
            } else {
                behind = middle;
            }
        }
        return first - 1;
    }

    private long low(long[] words, int index) {
        return Bits.read(words, lowAt + (long) index * lowBits, lowBits);
    }

    private long lowBitsOf(long number) {
        return number & (1L << lowBits) - 1;
    }

    /**
     * Whether words from elsewhere hold such a sequence, so that no access can leave it.
     *
     * @param strict whether no number may come twice
     */
    boolean isValid(long[] words, boolean strict) {
        long bit = upperAt;
        long before = -1;
        for (int i = 0; i < count; i++) {
            while (bit < lowAt && (words[(int) (bit >>> 6)] >>> bit & 1) == 0) {
                bit++;
            }
            if (bit >= lowAt) {
                return false;
            }
            long upperBit = bit - upperAt;
            long number = upperBit - i << lowBits | Bits.read(words, lowAt + (long) i * lowBits, lowBits);
            boolean sampled = i % SAMPLE_EVERY != 0
                    || Bits.read(words, samplesAt + (long) (i / SAMPLE_EVERY) * SAMPLE_BITS, SAMPLE_BITS) == upperBit;
            if (!sampled || number < before || strict && number == before || number > max) {
                return false;
            }
            before = number;
            bit++;
        }
        while (bit < lowAt) {
            if ((words[(int) (bit >>> 6)] >>> bit & 1) != 0) {
                return false;
            }
            bit++;
        }
        return before == max;
    }

    /** The first upper bit of the numbers with these high bits: just behind as many zeros, and behind a sample. */
    private long bucketStart(long[] words, long high, int sample) {
        if (sample < 0) {
            return zerosAfter(words, 0, high);
        }
        long sampleHigh = highOfSample(words, sample);
        return zerosAfter(words, sampleHigh + (long) sample * SAMPLE_EVERY, high - sampleHigh);
    }

    private long highOfSample(long[] words, int sample) {
        return Bits.read(words, samplesAt + (long) sample * SAMPLE_BITS, SAMPLE_BITS) - (long) sample * SAMPLE_EVERY;
    }

    /** The number of set bits that follow each other from an upper bit on, as far as the next sample; a 0 ends the upper part. */
    private int onesFrom(long[] words, long bit) {
        int word = (int) (upperAt + bit >>> 6);
        int ones = Long.numberOfTrailingZeros(~(words[word] >>> bit));
        int inWord = Long.SIZE - ((int) bit & 63);
        while (ones == inWord && ones < SAMPLE_EVERY) {
            word++;
            ones += Long.numberOfTrailingZeros(~words[word]);
            inWord += Long.SIZE;
        }
        return ones;
    }

    /** The upper bit that is the n-th set one behind a set bit. */
    private long onesAfter(long[] words, long bit, int n) {
        int word = (int) (upperAt + bit + 1 >>> 6);
        long rest = words[word] & -1L << (bit + 1 & 63);
        int left = n;
        int ones = Long.bitCount(rest);
        while (ones < left) {
            left -= ones;
            word++;
            rest = words[word];
            ones = Long.bitCount(rest);
        }
        return ((long) word << 6) - upperAt + Bits.select(rest, left - 1);
    }

    /** The upper bit just behind the n-th zero from a bit on; there must be that many zeros. */
    private long zerosAfter(long[] words, long bit, long n) {
        if (n == 0) {
            return bit;
        }
        int word = (int) (upperAt + bit >>> 6);
        long rest = ~words[word] & -1L << (bit & 63);
        long left = n;
        int zeros = Long.bitCount(rest);
        while (zeros < left) {
            left -= zeros;
            word++;
            rest = ~words[word];
            zeros = Long.bitCount(rest);
        }
        return ((long) word << 6) - upperAt + Bits.select(rest, (int) left - 1) + 1;
    }

    private static int samples(int count) {
        return (count + SAMPLE_EVERY - 1) / SAMPLE_EVERY;
    }

    private static int lowBits(int count, long max) {
        long mean = max / count;
        return mean == 0 ? 0 : 63 - Long.numberOfLeadingZeros(mean);
    }

    private static long alignedUp(long bit) {
        return bit + 63 & ~63L;
    }
}
