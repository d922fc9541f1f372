/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.catalogue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the cursor of a subscription remembers of its snapshots: the live ledgers in the order of sealing, and the doomed ones,
 * which are not to be read and not deleted yet. Immutable.
 *
 * <p>As text: Base64 without padding of numbers of seven bits a byte, the highest bit set while more follow: version, sequence,
 * number of live ledgers, number of doomed ones, then the ids, each as the zigzag difference to the one before. Some five
 * characters a ledger where ids lie within a million of each other.
 *
 * @param sequence grows with each change, so that of two records the later one can be told
 * @param live ledgers whose segments are to be handed out, oldest first
 * @param doomed ledgers to be deleted
 */
public record CatalogueRecord(long sequence, List<Long> live, List<Long> doomed) {

    /** Of a subscription that never had a snapshot. */
    public static final CatalogueRecord EMPTY = new CatalogueRecord(0, List.of(), List.of());

    private static final int VERSION = 1;
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;
    private static final int LONGEST_NUMBER = 10;
    private static final int NUMBERS_BEFORE_IDS = 4;

    /** Refuses an id that is negative or stands twice. */
    public CatalogueRecord {
        live = List.copyOf(live);
        doomed = List.copyOf(doomed);
        Set<Long> seen = new HashSet<>();
        for (List<Long> ids : List.of(live, doomed)) {
            for (long id : ids) {
                if (id < 0 || !seen.add(id)) {
                    throw new IllegalArgumentException("ledger ids of a record are not negative and stand once, got " + id
                            + " in live " + live + ", doomed " + doomed);
                }
            }
        }
        if (sequence < 0) {
            throw new IllegalArgumentException("the sequence of a record is not negative: " + sequence);
        }
    }

    /** With one more live ledger. */
    public CatalogueRecord sealed(long ledgerId) {
        List<Long> more = new ArrayList<>(live);
        more.add(ledgerId);
        return new CatalogueRecord(sequence + 1, more, doomed);
    }

    /** With a live ledger in the place of the oldest of some others, which are doomed. */
    public CatalogueRecord merged(List<Long> sources, long ledgerId) {
        int at = sources.stream().mapToInt(live::indexOf).min().orElseThrow();
        if (!live.containsAll(sources)) {
            throw new IllegalArgumentException("sources of a merge are live, got " + sources + " of " + live);
        }
        List<Long> changed = new ArrayList<>(live);
        changed.set(at, ledgerId);
        changed.removeAll(sources);
        List<Long> more = new ArrayList<>(doomed);
        more.addAll(sources);
        return new CatalogueRecord(sequence + 1, changed, more);
    }

    /** With a ledger doomed that was never live, and live the one that holds what was left in it, if anything was. */
    public CatalogueRecord imported(long foreignLedgerId, Optional<Long> ledgerId) {
        List<Long> changed = new ArrayList<>(live);
        ledgerId.ifPresent(changed::add);
        List<Long> more = new ArrayList<>(doomed);
        if (!more.contains(foreignLedgerId)) {
            more.add(foreignLedgerId);
        }
        return new CatalogueRecord(sequence + 1, changed, more);
    }

    /** With some live ledgers doomed. */
    public CatalogueRecord dropped(List<Long> ledgerIds) {
        List<Long> left = new ArrayList<>(live);
        left.removeAll(ledgerIds);
        List<Long> more = new ArrayList<>(doomed);
        ledgerIds.stream().filter(live::contains).forEach(more::add);
        return new CatalogueRecord(sequence + 1, left, more);
    }

    /** Without some doomed ledgers, which are deleted. */
    public CatalogueRecord deleted(List<Long> ledgerIds) {
        List<Long> left = new ArrayList<>(doomed);
        left.removeAll(ledgerIds);
        return new CatalogueRecord(sequence + 1, live, left);
    }

    /** The text to keep. */
    public String encode() {
        ByteBuffer bytes = ByteBuffer.allocate((NUMBERS_BEFORE_IDS + live.size() + doomed.size()) * LONGEST_NUMBER);
        write(bytes, VERSION);
        write(bytes, sequence);
        write(bytes, live.size());
        write(bytes, doomed.size());
        long before = 0;
        for (List<Long> ids : List.of(live, doomed)) {
            for (long id : ids) {
                long difference = id - before;
                write(bytes, difference << 1 ^ difference >> Long.SIZE - 1);
                before = id;
            }
        }
        byte[] written = new byte[bytes.flip().remaining()];
        bytes.get(written);
        return Base64.getEncoder().withoutPadding().encodeToString(written);
    }

    /**
     * Reads a text.
     *
     * @throws CorruptRecordException naming the rule it breaks
     */
    public static CatalogueRecord decode(String text) throws CorruptRecordException {
        ByteBuffer bytes;
        try {
            bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException("it is Base64", text);
        }
        long version = read(bytes);
        if (version != VERSION) {
            throw new CorruptRecordException("the version is " + VERSION, version);
        }
        long sequence = read(bytes);
        long live = read(bytes);
        long doomed = read(bytes);
        if (live < 0 || doomed < 0 || live > bytes.remaining() || doomed > bytes.remaining() - live) {
            throw new CorruptRecordException("each id has a byte of " + bytes.remaining(), live + " and " + doomed);
        }
        List<Long> ids = new ArrayList<>();
        long before = 0;
        for (long i = 0; i < live + doomed; i++) {
            long zigzag = read(bytes);
            before += zigzag >>> 1 ^ -(zigzag & 1);
            ids.add(before);
        }
        if (bytes.hasRemaining()) {
            throw new CorruptRecordException("nothing follows the ids", bytes.remaining() + " bytes");
        }
        try {
            return new CatalogueRecord(sequence, ids.subList(0, (int) live), ids.subList((int) live, ids.size()));
        } catch (IllegalArgumentException e) {
            throw new CorruptRecordException(e.getMessage(), text);
        }
    }

    private static void write(ByteBuffer to, long number) {
        long left = number;
        while ((left & -MORE) != 0) {
            to.put((byte) (left & MORE - 1 | MORE));
            left >>>= BITS;
        }
        to.put((byte) left);
    }

    private static long read(ByteBuffer from) throws CorruptRecordException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += BITS) {
            if (!from.hasRemaining()) {
                throw new CorruptRecordException("a number ends inside", "the end");
            }
            byte next = from.get();
            number |= (long) (next & MORE - 1) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new CorruptRecordException("a number has at most " + LONGEST_NUMBER + " bytes", "more");
    }
}
