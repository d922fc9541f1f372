/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.snapshot.StockKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The ledgers of a subscription that hold snapshots in the stock form, and for each the ledgers of the topic between which its
 * positions are. No two snapshots that are written have a ledger of the topic in common. Thread safe.
 */
public final class StockRanges {

    private final Map<Long, StockKey> keys = new ConcurrentHashMap<>();
    private final Map<Long, Long> bytes = new ConcurrentHashMap<>();
    private final AtomicLong lastLedgerId = new AtomicLong(-1);

    public void put(long ledgerId, StockKey key) {
        keys.put(ledgerId, key);
        lastLedgerId.accumulateAndGet(key.lastLedgerId(), Math::max);
    }

    /** Notes the length of a snapshot. */
    public void length(long ledgerId, long snapshotBytes) {
        bytes.put(ledgerId, snapshotBytes);
    }

    /** Forgets a snapshot that nothing names any more. */
    void forget(long ledgerId) {
        keys.remove(ledgerId);
        bytes.remove(ledgerId);
    }

    /** The bytes of all snapshots. */
    public long snapshotBytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether all of some ledgers hold snapshots in the stock form. */
    public boolean containsAll(Collection<Long> ledgerIds) {
        return keys.keySet().containsAll(ledgerIds);
    }

    /** The range from the first to the last ledger of the topic in which some snapshots may have positions. */
    public StockKey around(Collection<Long> ledgerIds) {
        List<StockKey> all = ledgerIds.stream().map(keys::get).toList();
        return new StockKey(all.stream().mapToLong(StockKey::firstLedgerId).min().orElseThrow(),
                all.stream().mapToLong(StockKey::lastLedgerId).max().orElseThrow());
    }

    Optional<StockKey> find(long ledgerId) {
        return Optional.ofNullable(keys.get(ledgerId));
    }

    public boolean contains(long ledgerId) {
        return keys.containsKey(ledgerId);
    }

    /** The last ledger of the topic that any snapshot has reached; -1 if there was none. */
    public long lastLedgerId() {
        return lastLedgerId.get();
    }
}
