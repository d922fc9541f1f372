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
 * Ledgers that exist, as far as this side knows, and that no successful record names: those being written or waiting to be
 * recorded, and those nobody wants any more, to be deleted. What is in neither the record nor here is known only by the owner in
 * its metadata. Thread safe.
 */
public final class Leftovers {

    /** Whether each of them may be deleted. */
    private final ConcurrentSkipListMap<Long, Boolean> unwanted = new ConcurrentSkipListMap<>();

    /** A ledger was made. */
    public void made(long ledgerId) {
        unwanted.put(ledgerId, false);
    }

    /** Nobody will record the ledger any more, or a later record has left it out: it may be deleted. */
    public void unwanted(long ledgerId) {
        unwanted.put(ledgerId, true);
    }

    /** The ledger is named by a record that was written, or does not exist any more, or is not ours. */
    public void settled(long ledgerId) {
        unwanted.remove(ledgerId);
    }

    /** Those that may be deleted, ascending. */
    public List<Long> unwanted() {
        return unwanted.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
    }

    /** All of them, ascending. */
    public List<Long> all() {
        return List.copyOf(unwanted.keySet());
    }
}
