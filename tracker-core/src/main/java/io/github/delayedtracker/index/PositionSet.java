/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.Arrays;

/**
 * An exact, compact set of positions, in order.
 *
 * <p>Positions are kept in pages of 4,096 entry ids of a ledger; a page in which every entry is a member costs 20 bytes,
 * one with few costs 2 bytes an entry, any other 1 bit an entry id. Pages stand in blocks of up to 256, sorted by
 * (ledger id, page number), and the blocks in one sorted array. The page used last is found without a search, so
 * ascending adds and removals are O(1); others are O(log n). Memory follows the members down: empty pages and blocks go,
 * neighbouring small blocks are joined.
 *
 * <p>Ledger ids and entry ids are any non-negative longs, in any order. Not thread safe, readers included.
 */
public final class PositionSet {

    private static final int PAGE_BITS = Integer.numberOfTrailingZeros(Pages.SIZE);
    private static final int PAGE_MASK = Pages.SIZE - 1;
    private static final int FIRST_CAPACITY = 2;
    private static final int JOINED_PAGES = PageBlock.MAX_PAGES / 2;
    private static final PageBlock[] NO_BLOCKS = {};
    private static final int OBJECT_BYTES = Footprint.object(2 * Long.BYTES + 3 * Integer.BYTES + Footprint.REFERENCE);

    private PageBlock[] blocks = NO_BLOCKS;
    private int blockCount;
    private long size;
    /** The bytes of blocks and pages. */
    private long contentBytes;
    // The end of the last search, checked against the key before use, so it need not be kept up to date.
    private int lastBlock;
    private int lastSlot;

    /** Adds a position; true if it is new. */
    public boolean add(long ledgerId, long entryId) {
        long pageNumber = entryId >>> PAGE_BITS;
        int entry = (int) entryId & PAGE_MASK;
        if (!find(ledgerId, pageNumber)) {
            insertPage(ledgerId, pageNumber, Pages.single(entry));
            return true;
        }
        PageBlock block = blocks[lastBlock];
        Object page = block.page(lastSlot);
        if (Pages.contains(page, entry)) {
            return false;
        }
        int pageBytes = Pages.retainedBytes(page);
        replacePage(block, lastSlot, 1, pageBytes, Pages.with(page, entry));
        return true;
    }

    /** Removes a position; true if it was a member. */
    public boolean remove(long ledgerId, long entryId) {
        int entry = (int) entryId & PAGE_MASK;
        if (size == 0 || !find(ledgerId, entryId >>> PAGE_BITS)) {
            return false;
        }
        PageBlock block = blocks[lastBlock];
        Object page = block.page(lastSlot);
        if (!Pages.contains(page, entry)) {
            return false;
        }
        int pageBytes = Pages.retainedBytes(page);
        replacePage(block, lastSlot, -1, pageBytes, Pages.without(page, entry));
        return true;
    }

    /** Whether a position is a member. */
    public boolean contains(long ledgerId, long entryId) {
        return size > 0 && find(ledgerId, entryId >>> PAGE_BITS)
                && Pages.contains(blocks[lastBlock].page(lastSlot), (int) entryId & PAGE_MASK);
    }

    /**
     * Removes every position up to and including the given one; returns how many. Linear in the blocks removed.
     *
     * @param entryId -1 stands before the first entry of the ledger, as in a mark-delete position at its start
     */
    public long removeUpTo(long ledgerId, long entryId) {
        if (entryId < 0) {
            return ledgerId <= 0 ? 0 : removeUpTo(ledgerId - 1, Long.MAX_VALUE);
        }
        long before = size;
        long pageNumber = entryId >>> PAGE_BITS;
        int wholeBlocks = 0;
        while (wholeBlocks < blockCount
                && blocks[wholeBlocks].compare(blocks[wholeBlocks].count() - 1, ledgerId, pageNumber) < 0) {
            discount(blocks[wholeBlocks]);
            wholeBlocks++;
        }
        removeBlocks(0, wholeBlocks);
        if (blockCount > 0) {
            PageBlock block = blocks[0];
            discount(block);
            block.remove(0, block.ceilingSlot(ledgerId, pageNumber));
            count(block);
            if (block.isAt(0, ledgerId, pageNumber)) {
                removeUpToInFirstPage(block, (int) entryId & PAGE_MASK);
            }
        }
        return before - size;
    }

    /** Removes and passes on, in ascending order, at most {@code limit} positions strictly below the given one. */
    public int takeBelow(long ledgerId, long entryId, int limit, PositionSink sink) {
        int taken = 0;
        while (taken < limit && firstIsBelow(ledgerId, entryId)) {
            long firstLedgerId = blocks[0].ledgerId(0);
            long firstEntryId = firstEntryId();
            remove(firstLedgerId, firstEntryId);
            sink.accept(firstLedgerId, firstEntryId);
            taken++;
        }
        return taken;
    }

    /** Whether there is a member strictly below the given position. O(1). */
    public boolean firstIsBelow(long ledgerId, long entryId) {
        if (size == 0) {
            return false;
        }
        long firstLedgerId = blocks[0].ledgerId(0);
        return firstLedgerId < ledgerId || firstLedgerId == ledgerId && firstEntryId() < entryId;
    }

    /** Passes on every member in ascending order. */
    public void forEach(PositionSink sink) {
        for (int i = 0; i < blockCount; i++) {
            PageBlock block = blocks[i];
            for (int slot = 0; slot < block.count(); slot++) {
                Pages.forEach(block.page(slot), block.ledgerId(slot), block.pageNumber(slot) << PAGE_BITS, sink);
            }
        }
    }

    /** A way through the members in ascending order, a page of up to 4,096 at a time, whatever changes meanwhile. */
    public PositionWalk walk() {
        return new PageWalk();
    }

    private final class PageWalk implements PositionWalk {
        private long nextLedgerId;
        private long nextPageNumber;

        @Override
        public boolean step(int budget, PositionSink sink) {
            for (int passed = 0; passed < budget && blockCount > 0; nextPageNumber++) {
                find(nextLedgerId, nextPageNumber);
                if (lastSlot == blocks[lastBlock].count()) {
                    lastBlock++;
                    lastSlot = 0;
                }
                if (lastBlock == blockCount) {
                    return false;
                }
                PageBlock block = blocks[lastBlock];
                nextLedgerId = block.ledgerId(lastSlot);
                nextPageNumber = block.pageNumber(lastSlot);
                Object page = block.page(lastSlot);
                passed += Pages.count(page);
                Pages.forEach(page, nextLedgerId, nextPageNumber << PAGE_BITS, sink);
            }
            return blockCount > 0;
        }
    }

    /** Whether there are no members. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** The number of members. O(1). */
    public long size() {
        return size;
    }

    /** Bytes of heap kept alive, this object included. O(1). */
    public long retainedBytes() {
        return OBJECT_BYTES + contentBytes + (blocks.length == 0 ? 0 : Footprint.array(blocks.length, Footprint.REFERENCE));
    }

    /** Removes everything. */
    public void clear() {
        blocks = NO_BLOCKS;
        blockCount = 0;
        size = 0;
        contentBytes = 0;
        lastBlock = 0;
        lastSlot = 0;
    }

    /**
     * Checks every invariant, for tests.
     *
     * @throws IllegalStateException naming the invariant that does not hold
     */
    public void validate() {
        long members = 0;
        long bytes = 0;
        long beforeLedgerId = -1;
        long beforePageNumber = -1;
        for (int i = 0; i < blockCount; i++) {
            PageBlock block = blocks[i];
            check(block.count() >= 1 && block.count() <= PageBlock.MAX_PAGES, "pages in a block", block.count());
            bytes += block.retainedBytes();
            long membersBefore = members;
            long bytesBefore = bytes;
            for (int slot = 0; slot < block.count(); slot++) {
                check(block.compare(slot, beforeLedgerId, beforePageNumber) > 0, "keys ascend", block.ledgerId(slot));
                beforeLedgerId = block.ledgerId(slot);
                beforePageNumber = block.pageNumber(slot);
                Pages.validate(block.page(slot));
                members += Pages.count(block.page(slot));
                bytes += Pages.retainedBytes(block.page(slot));
            }
            check(members - membersBefore == block.members(), "a block counts its members: " + (members - membersBefore),
                    block.members());
            check(bytes - bytesBefore == block.pageBytes(), "a block counts the bytes of its pages: " + (bytes - bytesBefore),
                    block.pageBytes());
        }
        check(members == size, "size is the number of members: " + size, members);
        check(bytes == contentBytes, "bytes are accounted: " + contentBytes, bytes);
    }

    private static void check(boolean holds, String invariant, long value) {
        if (!holds) {
            throw new IllegalStateException("position set: " + invariant + ", found " + value);
        }
    }

    private long firstEntryId() {
        return (blocks[0].pageNumber(0) << PAGE_BITS) + Pages.first(blocks[0].page(0));
    }

    /** Puts the last block and slot where the key is, or, answering false, where it would be inserted. */
    private boolean find(long ledgerId, long pageNumber) {
        if (lastBlock < blockCount && blocks[lastBlock].isAt(lastSlot, ledgerId, pageNumber)) {
            return true;
        }
        int low = 0;
        int high = blockCount - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (blocks[middle].compare(0, ledgerId, pageNumber) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        lastBlock = low;
        lastSlot = blockCount == 0 ? 0 : blocks[low].ceilingSlot(ledgerId, pageNumber);
        return blockCount > 0 && blocks[low].isAt(lastSlot, ledgerId, pageNumber);
    }

    private void insertPage(long ledgerId, long pageNumber, Object page) {
        if (blockCount == 0) {
            insertBlock(0, new PageBlock(FIRST_CAPACITY));
        } else if (blocks[lastBlock].isFull()) {
            boolean appending = lastBlock == blockCount - 1 && lastSlot == PageBlock.MAX_PAGES;
            PageBlock block = blocks[lastBlock];
            discount(block);
            PageBlock upper = appending ? new PageBlock(FIRST_CAPACITY) : block.split();
            count(block);
            insertBlock(lastBlock + 1, upper);
            if (lastSlot >= block.count()) {
                lastSlot -= block.count();
                lastBlock++;
            }
        }
        PageBlock block = blocks[lastBlock];
        discount(block);
        block.insert(lastSlot, ledgerId, pageNumber, page);
        count(block);
    }

    private void removeUpToInFirstPage(PageBlock block, int entry) {
        Object page = block.page(0);
        int count = Pages.count(page);
        int pageBytes = Pages.retainedBytes(page);
        Object rest = Pages.withoutUpTo(page, entry);
        lastBlock = 0;
        replacePage(block, 0, (rest == null ? 0 : Pages.count(rest)) - count, pageBytes, rest);
    }

    /**
     * Puts a page in the place of what it was made from, perhaps in place.
     *
     * @param moreMembers how many members it has more than before
     * @param pageBytes bytes of the page before
     * @param replacement null for an empty page
     */
    private void replacePage(PageBlock block, int slot, int moreMembers, int pageBytes, Object replacement) {
        int moreBytes = (replacement == null ? 0 : Pages.retainedBytes(replacement)) - pageBytes;
        size += moreMembers;
        contentBytes += moreBytes;
        block.changed(moreMembers, moreBytes);
        if (replacement != null) {
            block.setPage(slot, replacement);
            return;
        }
        discount(block);
        block.removeEmptied(slot);
        if (block.count() == 0) {
            removeBlocks(lastBlock, lastBlock + 1);
        } else {
            count(block);
            joinWithNext(block);
        }
    }

    private void joinWithNext(PageBlock block) {
        if (lastBlock + 1 < blockCount && block.count() + blocks[lastBlock + 1].count() <= JOINED_PAGES) {
            PageBlock next = blocks[lastBlock + 1];
            discount(block);
            discount(next);
            block.appendFrom(next, 0);
            count(block);
            removeBlocks(lastBlock + 1, lastBlock + 2);
        }
    }

    private void count(PageBlock block) {
        size += block.members();
        contentBytes += block.retainedBytes() + block.pageBytes();
    }

    private void discount(PageBlock block) {
        size -= block.members();
        contentBytes -= block.retainedBytes() + block.pageBytes();
    }

    private void insertBlock(int at, PageBlock block) {
        if (blockCount == blocks.length) {
            blocks = Arrays.copyOf(blocks, blockCount + (blockCount >> 1) + 1);
        }
        System.arraycopy(blocks, at, blocks, at + 1, blockCount - at);
        blocks[at] = block;
        blockCount++;
        count(block);
    }

    /** Takes blocks out of the array; their bytes are accounted for by the caller. */
    private void removeBlocks(int from, int to) {
        if (from == to) {
            return;
        }
        System.arraycopy(blocks, to, blocks, from, blockCount - to);
        int left = blockCount - (to - from);
        Arrays.fill(blocks, left, blockCount, null);
        blockCount = left;
        if (blockCount <= blocks.length / 4) {
            blocks = blockCount == 0 ? NO_BLOCKS : Arrays.copyOf(blocks, blockCount * 2);
        }
    }
}
