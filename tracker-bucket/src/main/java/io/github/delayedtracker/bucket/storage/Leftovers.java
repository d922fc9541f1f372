/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Ledgers that exist, as far as this side knows, and that no successful record names: ledgers being written or waiting to be
 * recorded, and unwanted ledgers, to be deleted. A ledger in neither the record nor here is known only by the owner in its
 * metadata. Thread safe.
 */
public final class Leftovers {

    /** For each ledger whether it may be deleted. */
    private final ConcurrentSkipListMap<Long, Boolean> unwanted = new ConcurrentSkipListMap<>();

    /** Adds a ledger that was made. */
    public void made(long ledgerId) {
        unwanted.put(ledgerId, false);
    }

    /** Marks a ledger as one to delete: no record will name it any more, or a later record has left it out. */
    public void unwanted(long ledgerId) {
        unwanted.put(ledgerId, true);
    }

    /** Removes a ledger: a record that was written names it, or it does not exist any more, or it is not ours. */
    public void settled(long ledgerId) {
        unwanted.remove(ledgerId);
    }

    /** The ledgers that may be deleted, ascending. */
    public List<Long> unwanted() {
        return unwanted.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
    }

    /** All ledgers, ascending. */
    public List<Long> all() {
        return List.copyOf(unwanted.keySet());
    }
}
