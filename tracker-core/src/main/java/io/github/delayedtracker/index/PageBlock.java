/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

import java.util.Arrays;

/**
 * Up to {@link #MAX_PAGES} pages of a {@link PositionSet} in the order of their keys (ledger id, page number): three
 * parallel arrays that grow by an eighth and shrink when three quarters are unused. The block knows how many members its pages
 * have and how many bytes they take, so that it can be dropped without a look at them.
 */
final class PageBlock {

    static final int MAX_PAGES = 256;

    private static final int OBJECT_BYTES = Footprint.object(Integer.BYTES + 2 * Character.BYTES + 3 * Footprint.REFERENCE);
    /** The unit of the bytes of pages, which are whole objects. */
    private static final int UNIT_BYTES = 8;

    private long[] ledgerIds;
    private long[] pageNumbers;
    private Object[] pages;
    private int members;
    // As small as they can be: with an int more an object of 32 bytes would take 40.
    private char pageUnits;
    private char count;

    PageBlock(int capacity) {
        ledgerIds = new long[capacity];
        pageNumbers = new long[capacity];
        pages = new Object[capacity];
    }

    int count() {
        return count;
    }

    /** The number of positions in the pages. */
    int members() {
        return members;
    }

    /** Bytes of the pages. */
    int pageBytes() {
        return pageUnits * UNIT_BYTES;
    }

    /** Notes that a page was changed in place. */
    void changed(int moreMembers, int moreBytes) {
        members += moreMembers;
        pageUnits += (char) (moreBytes / UNIT_BYTES);
    }

    boolean isFull() {
        return count == MAX_PAGES;
    }

    long ledgerId(int slot) {
        return ledgerIds[slot];
    }

    long pageNumber(int slot) {
        return pageNumbers[slot];
    }

    Object page(int slot) {
        return pages[slot];
    }

    void setPage(int slot, Object page) {
        pages[slot] = page;
    }

    /** Whether a slot exists and has this key. */
    boolean isAt(int slot, long ledgerId, long pageNumber) {
        return slot < count && pageNumbers[slot] == pageNumber && ledgerIds[slot] == ledgerId;
    }

    /** Sign of the slot's key less the given one. */
    int compare(int slot, long ledgerId, long pageNumber) {
        int byLedger = Long.compare(ledgerIds[slot], ledgerId);
        return byLedger != 0 ? byLedger : Long.compare(pageNumbers[slot], pageNumber);
    }

    /** The first slot whose key is not below the given one; the count if there is none. */
    int ceilingSlot(long ledgerId, long pageNumber) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (compare(middle, ledgerId, pageNumber) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    void insert(int slot, long ledgerId, long pageNumber, Object page) {
        if (count == ledgerIds.length) {
            resize(Math.min(MAX_PAGES, count + (count >> 3) + 1));
        }
        int behind = count - slot;
        System.arraycopy(ledgerIds, slot, ledgerIds, slot + 1, behind);
        System.arraycopy(pageNumbers, slot, pageNumbers, slot + 1, behind);
        System.arraycopy(pages, slot, pages, slot + 1, behind);
        ledgerIds[slot] = ledgerId;
        pageNumbers[slot] = pageNumber;
        pages[slot] = page;
        count++;
        changed(Pages.count(page), Pages.retainedBytes(page));
    }

    /** Removes the slots from the first (inclusive) to the second (exclusive). */
    void remove(int fromSlot, int toSlot) {
        for (int slot = fromSlot; slot < toSlot; slot++) {
            changed(-Pages.count(pages[slot]), -Pages.retainedBytes(pages[slot]));
        }
        close(fromSlot, toSlot);
    }

    /** Takes out a page whose members and bytes are no longer counted here. */
    void removeEmptied(int slot) {
        close(slot, slot + 1);
    }

    private void close(int fromSlot, int toSlot) {
        int behind = count - toSlot;
        System.arraycopy(ledgerIds, toSlot, ledgerIds, fromSlot, behind);
        System.arraycopy(pageNumbers, toSlot, pageNumbers, fromSlot, behind);
        System.arraycopy(pages, toSlot, pages, fromSlot, behind);
        int left = count - (toSlot - fromSlot);
        Arrays.fill(pages, left, count, null);
        count = (char) left;
        if (count > 0 && count <= ledgerIds.length / 4) {
            resize(count * 2);
        }
    }

    /** Moves the upper half of a full block into a new one. */
    PageBlock split() {
        int from = count / 2;
        PageBlock upper = new PageBlock(count - from);
        upper.appendFrom(this, from);
        remove(from, count);
        resize(from);
        return upper;
    }

    /** Appends the other block's pages from a slot on; their keys must be above this block's. */
    void appendFrom(PageBlock other, int fromSlot) {
        int added = other.count - fromSlot;
        if (count + added > ledgerIds.length) {
            resize(Math.min(MAX_PAGES, Math.max(count + added, ledgerIds.length * 2)));
        }
        System.arraycopy(other.ledgerIds, fromSlot, ledgerIds, count, added);
        System.arraycopy(other.pageNumbers, fromSlot, pageNumbers, count, added);
        System.arraycopy(other.pages, fromSlot, pages, count, added);
        count += (char) added;
        for (int slot = count - added; slot < count; slot++) {
            changed(Pages.count(pages[slot]), Pages.retainedBytes(pages[slot]));
        }
    }

    /** Bytes of the block without its pages. */
    int retainedBytes() {
        return OBJECT_BYTES + 2 * Footprint.array(ledgerIds.length, Long.BYTES)
                + Footprint.array(pages.length, Footprint.REFERENCE);
    }

    private void resize(int capacity) {
        ledgerIds = Arrays.copyOf(ledgerIds, capacity);
        pageNumbers = Arrays.copyOf(pageNumbers, capacity);
        pages = Arrays.copyOf(pages, capacity);
    }
}
