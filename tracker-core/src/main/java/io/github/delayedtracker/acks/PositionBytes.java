/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static io.github.delayedtracker.acks.JournalFrame.NUMBERS;
import static io.github.delayedtracker.acks.JournalFrame.NUMBER_BYTES;

import io.github.delayedtracker.bytes.Varint;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Acknowledged positions as bytes: a chunk for each ledger and each {@value #CHUNK_ENTRIES} of its entries, ascending. A chunk
 * is the ledger's id, the number of the chunk in the ledger, twice its bytes and one more for a bitmap, and the shorter of two
 * forms: ranges, each the gap before it and its length, about a byte a range; or a bitmap, its first word and its words without
 * the zero bytes at the end. Where that would be longer than a piece may be, several chunks of one number have parts of it.
 *
 * <p>A range is one number where it has one entry: twice the gap. Else it is twice the gap and one, then the length less 2.
 */
final class PositionBytes {

    private static final int CHUNK_ENTRIES = 1 << 16;
    private static final int CHUNK_WORDS = CHUNK_ENTRIES / Long.SIZE;
    /** The longest chunk of one word: four numbers and the word. */
    static final int LEAST_BYTES = 4 * NUMBER_BYTES + Long.BYTES;

    private final int mostBytes;
    private final List<ByteBuffer> done = new ArrayList<>();
    private ByteBuffer current;

    /** Bytes are cut into pieces of at most that many, at least {@link #LEAST_BYTES}. */
    PositionBytes(int mostBytes) {
        if (mostBytes < LEAST_BYTES) {
            throw new IllegalArgumentException("a piece has room for a chunk of " + LEAST_BYTES + " bytes: " + mostBytes);
        }
        this.mostBytes = mostBytes;
    }

    List<ByteBuffer> encode(AckedPositions positions) {
        positions.bitmaps().forEach((ledgerId, words) -> {
            for (int from = 0; from < words.length; from += CHUNK_WORDS) {
                long[] chunk = Arrays.copyOfRange(words, from, Math.min(words.length, from + CHUNK_WORDS));
                if (AckedPositions.next(chunk, 0, true) >= 0) {
                    append(ledgerId, from / CHUNK_WORDS, chunk);
                }
            }
        });
        finish();
        return done;
    }

    private void append(long ledgerId, int number, long[] chunk) {
        ByteBuffer ranges = ranges(chunk);
        boolean isBitmap = ranges == null;
        ByteBuffer body = isBitmap ? bitmap(chunk) : ranges;
        if (body.remaining() + 3 * NUMBER_BYTES > mostBytes) {
            appendHalves(ledgerId, number, chunk);
            return;
        }
        makeRoom(body.remaining() + 3 * NUMBER_BYTES);
        Varint.write(current, ledgerId);
        Varint.write(current, number);
        Varint.write(current, 2L * body.remaining() + (isBitmap ? 1 : 0));
        current.put(body);
    }

    /** Cuts in the middle of the words that have positions: there are two of them or more. */
    private void appendHalves(long ledgerId, int number, long[] chunk) {
        int first = AckedPositions.next(chunk, 0, true) / Long.SIZE;
        int end = chunk.length;
        while (chunk[end - 1] == 0) {
            end--;
        }
        int middle = (first + end) / 2;
        append(ledgerId, number, Arrays.copyOf(chunk, middle));
        long[] upper = Arrays.copyOf(chunk, end);
        Arrays.fill(upper, 0, middle, 0);
        append(ledgerId, number, upper);
    }

    /** A piece grows as it is filled: most have a few bytes. */
    private void makeRoom(int bytes) {
        if (current != null && current.position() + bytes > mostBytes) {
            finish();
        }
        if (current == null) {
            current = ByteBuffer.allocate(bytes);
        } else if (current.remaining() < bytes) {
            int capacity = Math.min(mostBytes, Math.max(current.position() + bytes, 2 * current.capacity()));
            current = ByteBuffer.allocate(capacity).put(current.flip());
        }
    }

    private void finish() {
        if (current != null) {
            done.add(current.flip());
            current = null;
        }
    }

    /** The ranges of a chunk; null where its bitmap is not longer. */
    private static ByteBuffer ranges(long[] chunk) {
        ByteBuffer bytes = ByteBuffer.allocate(bitmap(chunk).remaining() + 2 * NUMBER_BYTES);
        int longest = bytes.capacity() - 2 * NUMBER_BYTES;
        int end = 0;
        int start = AckedPositions.next(chunk, 0, true);
        while (start >= 0) {
            int gap = start - end;
            end = AckedPositions.next(chunk, start, false);
            end = end < 0 ? chunk.length * Long.SIZE : end;
            int length = end - start;
            Varint.write(bytes, 2L * gap + (length > 1 ? 1 : 0));
            if (length > 1) {
                Varint.write(bytes, length - 2);
            }
            if (bytes.position() >= longest) {
                return null;
            }
            start = end < chunk.length * Long.SIZE ? AckedPositions.next(chunk, end, true) : -1;
        }
        return bytes.flip();
    }

    private static ByteBuffer bitmap(long[] chunk) {
        int first = AckedPositions.next(chunk, 0, true) / Long.SIZE;
        ByteBuffer bytes = ByteBuffer.allocate(NUMBER_BYTES + (chunk.length - first) * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        Varint.write(bytes, first);
        for (int word = first; word < chunk.length; word++) {
            bytes.putLong(chunk[word]);
        }
        while (bytes.get(bytes.position() - 1) == 0) {
            bytes.position(bytes.position() - 1);
        }
        return bytes.flip();
    }

    /** Adds the positions to bitmaps. */
    static void decode(ByteBuffer from, ReadBitmaps bitmaps) throws DamagedJournalException {
        while (from.hasRemaining()) {
            long ledgerId = NUMBERS.read(from);
            long number = NUMBERS.read(from);
            long form = NUMBERS.read(from);
            if (number > Integer.MAX_VALUE / CHUNK_ENTRIES || form / 2 > from.remaining()) {
                throw DamagedJournalException.damaged("a chunk ends within its entry", form / 2 + " bytes of chunk " + number);
            }
            ByteBuffer body = from.slice(from.position(), (int) (form / 2)).order(ByteOrder.LITTLE_ENDIAN);
            from.position(from.position() + (int) (form / 2));
            int begin = (int) number * CHUNK_WORDS;
            if (form % 2 == 1) {
                readBitmap(body, bitmaps, ledgerId, begin);
            } else {
                readRanges(body, bitmaps, ledgerId, begin);
            }
        }
    }

    private static void readBitmap(ByteBuffer body, ReadBitmaps bitmaps, long ledgerId, int begin)
            throws DamagedJournalException {
        long first = NUMBERS.read(body);
        if (first > CHUNK_WORDS || first * Long.BYTES + body.remaining() > CHUNK_WORDS * Long.BYTES) {
            throw DamagedJournalException.damaged("a bitmap has at most " + CHUNK_WORDS + " words", "more");
        }
        int end = (int) first + (body.remaining() + Long.BYTES - 1) / Long.BYTES;
        long[] words = bitmaps.withRoom(ledgerId, begin + end);
        for (int i = (int) first * Long.BYTES; body.hasRemaining(); i++) {
            words[begin + i / Long.BYTES] |= (body.get() & 0xFFL) << i % Long.BYTES * Byte.SIZE;
        }
    }

    private static void readRanges(ByteBuffer body, ReadBitmaps bitmaps, long ledgerId, int begin)
            throws DamagedJournalException {
        long end = 0;
        while (body.hasRemaining()) {
            long gap = NUMBERS.read(body);
            long start = end + gap / 2;
            end = start + (gap % 2 == 1 ? NUMBERS.read(body) + 2 : 1);
            if (start < 0 || end <= start || end > CHUNK_ENTRIES) {
                throw DamagedJournalException.damaged("a range ends within its chunk", "one from " + start + " to " + end);
            }
            long[] words = bitmaps.withRoom(ledgerId, begin + ((int) end - 1) / Long.SIZE + 1);
            for (int entry = (int) start; entry < end; entry++) {
                words[begin + (entry >> 6)] |= 1L << entry;
            }
        }
    }
}
