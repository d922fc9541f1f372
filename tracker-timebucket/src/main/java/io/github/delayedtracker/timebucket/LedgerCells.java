/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import it.unimi.dsi.fastutil.longs.Long2ObjectAVLTreeMap;

/** The cells of a time bucket of several ledgers, by ledger id. */
final class LedgerCells extends Long2ObjectAVLTreeMap<Cell> {

    /** Bytes of the map itself; {@link HeapSizes#AVL_ENTRY} and the cell come on top for each ledger. */
    static final int SHELL_BYTES = HeapSizes.AVL_MAP;

    private static final long serialVersionUID = 1;

    /** The first cell from a ledger id on, or null. */
    Cell firstFrom(long ledgerId) {
        Cell exact = get(ledgerId);
        if (exact != null || isEmpty() || lastLongKey() < ledgerId) {
            return exact;
        }
        return get(tailMap(ledgerId).firstLongKey());
    }

    /** The first cell behind a ledger id, or null. */
    Cell firstAfter(long ledgerId) {
        return ledgerId == Long.MAX_VALUE ? null : firstFrom(ledgerId + 1);
    }
}
