/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What survives every broker: ledgers and cursor records. Also the hand of fate: what may be lost or damaged in it directly. */
public final class DurableWorld {

    private final TreeMap<Long, StoredLedger> ledgers = new TreeMap<>();
    private final Map<String, CursorRecord> cursors = new HashMap<>();
    private long nextLedgerId = 1000;

    /** One entry of a ledger. */
    static final class StoredEntry {
        final byte[] bytes;
        boolean lost;
        boolean corrupt;

        StoredEntry(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    /** A ledger; without owner it is somebody else's. */
    static final class StoredLedger {
        final SnapshotOwner owner;
        final List<StoredEntry> entries = new ArrayList<>();
        boolean sealed;

        StoredLedger(SnapshotOwner owner) {
            this.owner = owner;
        }
    }

    /** A cursor's properties and the version of its record. */
    static final class CursorRecord {
        Map<String, String> properties = Map.of();
        long version;
        StorageLife writer;
    }

    long add(StoredLedger ledger) {
        long id = nextLedgerId++;
        ledgers.put(id, ledger);
        return id;
    }

    StoredLedger find(long ledgerId) {
        return ledgers.get(ledgerId);
    }

    StoredLedger get(long ledgerId) throws StorageException {
        StoredLedger ledger = ledgers.get(ledgerId);
        if (ledger == null) {
            throw new StorageException(StorageException.Kind.NO_SUCH_LEDGER, "ledger " + ledgerId);
        }
        return ledger;
    }

    void remove(long ledgerId) {
        ledgers.remove(ledgerId);
    }

    List<Long> page(long afterLedgerId, int limit) {
        return ledgers.tailMap(afterLedgerId, false).keySet().stream().limit(limit).toList();
    }

    CursorRecord record(String subscription) {
        return cursors.computeIfAbsent(subscription, name -> new CursorRecord());
    }

    /** A subscription's name in scripts and here. */
    public static String subscription(String topic, String cursor) {
        return topic + "/" + cursor;
    }

    /** All ledgers, ascending. */
    public List<Long> ledgerIds() {
        return new ArrayList<>(ledgers.keySet());
    }

    /** The ledgers of one subscription, ascending. */
    public List<Long> ledgersOf(String topic, String cursor) {
        return ledgers.keySet().stream().filter(id -> {
            SnapshotOwner owner = ledgers.get(id).owner;
            return owner != null && owner.topic().equals(topic) && owner.cursor().equals(cursor);
        }).toList();
    }

    /** Whether there is such a ledger. */
    public boolean exists(long ledgerId) {
        return ledgers.containsKey(ledgerId);
    }

    /** Whether a ledger is sealed. */
    public boolean isSealed(long ledgerId) {
        return ledgers.get(ledgerId).sealed;
    }

    /** How many entries a ledger has. */
    public int entriesOf(long ledgerId) {
        return ledgers.get(ledgerId).entries.size();
    }

    /** Another version has written an entry, in as many bytes. */
    public void rewriteEntry(long ledgerId, int entryId, UnaryOperator<byte[]> how) {
        byte[] bytes = ledgers.get(ledgerId).entries.get(entryId).bytes;
        System.arraycopy(how.apply(bytes.clone()), 0, bytes, 0, bytes.length);
    }

    /** The properties of the plugin in a cursor's durable record, by name without the prefix. */
    public Map<String, String> propertiesOf(String topic, String cursor) {
        Map<String, String> ours = new TreeMap<>();
        record(subscription(topic, cursor)).properties.forEach((key, value) -> {
            if (key.startsWith(CatalogueStore.PROPERTY_PREFIX)) {
                ours.put(key.substring(CatalogueStore.PROPERTY_PREFIX.length()), value);
            }
        });
        return ours;
    }

    /** Whether a broker has written a cursor's durable record last. */
    public boolean isWrittenBy(StorageLife life, String topic, String cursor) {
        return record(subscription(topic, cursor)).writer == life;
    }

    /** All properties in a cursor's durable record, by their whole keys. */
    public Map<String, String> allPropertiesOf(String topic, String cursor) {
        return record(subscription(topic, cursor)).properties;
    }

    /** Somebody else has written the properties of the plugin, by name without the prefix; all others stay. */
    public void setProperties(String topic, String cursor, Map<String, String> ours) {
        CursorRecord record = record(subscription(topic, cursor));
        Map<String, String> all = new HashMap<>(record.properties);
        all.keySet().removeIf(key -> key.startsWith(CatalogueStore.PROPERTY_PREFIX));
        ours.forEach((name, value) -> all.put(CatalogueStore.PROPERTY_PREFIX + name, value));
        record.properties = Map.copyOf(all);
        record.version++;
    }

    /** The size of a cursor's record, characters of names and values with prefixes. */
    public long recordSizeOf(String topic, String cursor) {
        return record(subscription(topic, cursor)).properties.entrySet().stream()
                .mapToLong(property -> property.getKey().length() + property.getValue().length()).sum();
    }

    /** A ledger that is none of the plugin's. */
    public long addForeignLedger() {
        StoredLedger ledger = new StoredLedger(null);
        ledger.sealed = true;
        return add(ledger);
    }

    /** Unsubscribe or topic delete: the record is gone, later updates of an old version fail. Ledgers stay. */
    public void deleteCursor(String topic, String cursor) {
        CursorRecord record = record(subscription(topic, cursor));
        record.properties = Map.of();
        record.version++;
    }

    /** What expanding a partitioned topic does: another cursor begins with the same properties. */
    public void copyProperties(String topic, String cursor, String toTopic) {
        CursorRecord to = record(subscription(toTopic, cursor));
        to.properties = record(subscription(topic, cursor)).properties;
        to.version++;
    }

    /** All replicas of a ledger are gone. */
    public void loseLedger(long ledgerId) {
        ledgers.remove(ledgerId);
    }

    /** All replicas of an entry are gone. */
    public void loseEntry(long ledgerId, int entryId) {
        ledgers.get(ledgerId).entries.get(entryId).lost = true;
    }

    /** All replicas of an entry fail their checksum. */
    public void corruptEntry(long ledgerId, int entryId) {
        ledgers.get(ledgerId).entries.get(entryId).corrupt = true;
    }
}
