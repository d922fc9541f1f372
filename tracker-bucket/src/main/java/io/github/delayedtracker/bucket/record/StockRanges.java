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
 * Which ledgers of a subscription hold snapshots in the stock form, and between which ledgers of the topic the positions of each
 * are. Of those that are written no two have a ledger of the topic in common. Thread safe.
 */
public final class StockRanges {

    private final Map<Long, StockKey> keys = new ConcurrentHashMap<>();
    private final Map<Long, Long> bytes = new ConcurrentHashMap<>();
    private final AtomicLong lastLedgerId = new AtomicLong(-1);

    public void put(long ledgerId, StockKey key) {
        keys.put(ledgerId, key);
        lastLedgerId.accumulateAndGet(key.lastLedgerId(), Math::max);
    }

    /** How long a snapshot is. */
    public void length(long ledgerId, long snapshotBytes) {
        bytes.put(ledgerId, snapshotBytes);
    }

    /** A snapshot that nothing names any more. */
    void forget(long ledgerId) {
        keys.remove(ledgerId);
        bytes.remove(ledgerId);
    }

    /** Bytes of all snapshots. */
    public long snapshotBytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether all of some ledgers hold snapshots in the stock form. */
    public boolean containsAll(Collection<Long> ledgerIds) {
        return keys.keySet().containsAll(ledgerIds);
    }

    /** From the first to the last ledger of the topic that any of some snapshots may have positions in. */
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

    /** The last ledger of the topic that any of them has reached; -1 if there was none. */
    public long lastLedgerId() {
        return lastLedgerId.get();
    }
}
