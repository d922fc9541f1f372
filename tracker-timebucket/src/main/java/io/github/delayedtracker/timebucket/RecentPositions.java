/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.Footprint;
import java.util.Arrays;

/**
 * The largest positions that were added since it was made, without their times. It answers for many a position that it was not
 * added, so that no part needs to be asked whether it has it; of the others nothing is known. Positions that leave stay noted.
 * 1 bit for each entry id, 4 kB for 32,768 of them at full size, eight times that at most; a look takes some ns.
 *
 * <p>Implementation note: a page is a bitmap of the positions of a range, by entry id, with the ledgers of the range put over
 * one another. The newest page has no end: when it has filled, another one begins behind the largest position there is, and the
 * oldest of eight is dropped. Positions that lie before all pages are not noted.
 */
final class RecentPositions {

    private static final int MOST_PAGES = 8;
    /** The bits for a position in another ledger than the largest, so that few of those that hash to a bit share it. */
    private static final int BITS_OF_OTHER_LEDGER = 4;
    /** A ledger that fills this part of a page, one divided by it, shares it with no later one. */
    private static final int LEDGERS_OF_A_PAGE = 8;
    /** 2^64 divided by the golden ratio: neighbours are spread evenly. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;
    private static final int OBJECT_BYTES = Footprint.object(2 * Long.BYTES + 4 * Integer.BYTES + 3 * Footprint.REFERENCE)
            + Footprint.array(MOST_PAGES, Footprint.REFERENCE) + 2 * Footprint.array(MOST_PAGES, Long.BYTES);

    private final int pageBits;
    /** The newest first. */
    private final long[][] pages = new long[MOST_PAGES][];
    /** The positions that the ranges of the pages begin behind. */
    private final long[] fromLedgerIds = new long[MOST_PAGES];
    private final long[] fromEntryIds = new long[MOST_PAGES];
    private int pageCount;
    /** The bits of the newest page that are used up, or may be. */
    private int filled;
    /** Those of them that are of the largest ledger. */
    private int inLedger;
    /** The largest position so far. */
    private long lastLedgerId = Long.MIN_VALUE;
    private long lastEntryId;

    /** Notes nothing yet but what lies behind all that is left out; a page has a power of two of bits, from 64 on. */
    RecentPositions(int pageBits) {
        this.pageBits = pageBits;
    }

    /** Leaves out all positions up to one that may have been added before. Only while nothing was noted. */
    void leaveOut(long ledgerId, long entryId) {
        raiseLast(ledgerId, entryId);
    }

    /** Leaves out all positions up to the last one of a tail. Only while nothing was noted. */
    void leaveOut(Tail tail) {
        if (tail.count() > 0) {
            leaveOut(tail.ledgerId(tail.count() - 1), tail.entryId(tail.count() - 1));
        }
    }

    /** Notes all positions of a tail. Linear, some ns a position. */
    void noteAll(Tail tail) {
        for (int i = 0; i < tail.count(); i++) {
            boolean unused = note(tail.ledgerId(i), tail.entryId(i));
        }
    }

    /** Notes a position that is about to be added; true if it was certainly not added before. O(1). */
    boolean note(long ledgerId, long entryId) {
        if (pageCount == 0 || ledgerId > lastLedgerId && inLedger >= pageBits / LEDGERS_OF_A_PAGE) {
            openPage();
        }
        int at = pageOf(ledgerId, entryId);
        if (at == pageCount) {
            return false;
        }
        int bit = bit(ledgerId, entryId);
        long before = pages[at][bit >>> 6];
        pages[at][bit >>> 6] = before | 1L << bit;
        if (at == 0) {
            noteInNewest(ledgerId, entryId);
        }
        return (before >>> bit & 1) == 0;
    }

    /** Whether a position was certainly not added. O(1). */
    boolean isUnknown(long ledgerId, long entryId) {
        int at = pageOf(ledgerId, entryId);
        int bit = bit(ledgerId, entryId);
        return at < pageCount && (pages[at][bit >>> 6] >>> bit & 1) == 0;
    }

    /** The newest page with the position in its range; the number of pages if there is none. */
    private int pageOf(long ledgerId, long entryId) {
        int at = 0;
        while (at < pageCount && !isBehind(fromLedgerIds[at], fromEntryIds[at], ledgerId, entryId)) {
            at++;
        }
        return at;
    }

    private int bit(long ledgerId, long entryId) {
        return (int) (ledgerId * SPREAD >>> Integer.SIZE) + (int) entryId & pageBits - 1;
    }

    private void noteInNewest(long ledgerId, long entryId) {
        if (ledgerId != lastLedgerId) {
            filled += BITS_OF_OTHER_LEDGER;
            inLedger = ledgerId > lastLedgerId ? 0 : inLedger;
        } else if (entryId > lastEntryId) {
            int distance = (int) Math.min(entryId - lastEntryId, pageBits);
            filled += distance;
            inLedger += distance;
        }
        raiseLast(ledgerId, entryId);
        if (filled >= pageBits) {
            openPage();
        }
    }

    private void raiseLast(long ledgerId, long entryId) {
        if (isBehind(lastLedgerId, lastEntryId, ledgerId, entryId)) {
            lastLedgerId = ledgerId;
            lastEntryId = entryId;
        }
    }

    private static boolean isBehind(long fromLedgerId, long fromEntryId, long ledgerId, long entryId) {
        return ledgerId > fromLedgerId || ledgerId == fromLedgerId && entryId > fromEntryId;
    }

    private void openPage() {
        long[] oldest = pages[MOST_PAGES - 1];
        System.arraycopy(pages, 0, pages, 1, MOST_PAGES - 1);
        System.arraycopy(fromLedgerIds, 0, fromLedgerIds, 1, MOST_PAGES - 1);
        System.arraycopy(fromEntryIds, 0, fromEntryIds, 1, MOST_PAGES - 1);
        pageCount = Math.min(pageCount + 1, MOST_PAGES);
        if (oldest == null) {
            pages[0] = new long[pageBits >>> 6];
        } else {
            Arrays.fill(oldest, 0);
            pages[0] = oldest;
        }
        fromLedgerIds[0] = lastLedgerId;
        fromEntryIds[0] = lastEntryId;
        filled = 0;
        inLedger = 0;
    }

    long retainedBytes() {
        return OBJECT_BYTES + (long) pageCount * Footprint.array(pageBits >>> 6, Long.BYTES);
    }
}
