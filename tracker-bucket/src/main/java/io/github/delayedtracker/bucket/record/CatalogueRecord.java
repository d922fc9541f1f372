/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.record.RecordText.RecordField;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The snapshots of a subscription as its cursor remembers them: the live ledgers in the order of sealing, and the doomed ledgers,
 * which are not to be read and not deleted yet. Fields of later versions of the plugin go unchanged from each record to the next.
 * Immutable; {@link RecordText} is its text.
 *
 * @param sequence a number that grows with each change, which tells the later of two records
 * @param live ledgers whose segments are to be handed out, oldest first
 * @param doomed ledgers to be deleted
 * @param fields the fields by ascending number, 4,096 bytes of content at most
 */
public record CatalogueRecord(long sequence, List<Long> live, List<Long> doomed, List<RecordField> fields) {

    /** The record of a subscription that never had a snapshot. */
    public static final CatalogueRecord EMPTY = new CatalogueRecord(0, List.of(), List.of());

    /** Refuses an id that is negative or stands twice, and fields out of order or too long. */
    public CatalogueRecord {
        live = List.copyOf(live);
        doomed = List.copyOf(doomed);
        fields = List.copyOf(fields);
        RecordText.check(fields);
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

    /** A record without fields. */
    public CatalogueRecord(long sequence, List<Long> live, List<Long> doomed) {
        this(sequence, live, doomed, List.of());
    }

    /** The next record, with other ledgers. */
    private CatalogueRecord next(List<Long> nextLive, List<Long> nextDoomed) {
        return new CatalogueRecord(sequence + 1, nextLive, nextDoomed, fields);
    }

    /** The record with other ledgers and the same sequence. */
    public CatalogueRecord withLedgers(List<Long> otherLive, List<Long> otherDoomed) {
        return new CatalogueRecord(sequence, otherLive, otherDoomed, fields);
    }

    /** Whether the record says nothing but its sequence. */
    public boolean saysNothing() {
        return live.isEmpty() && doomed.isEmpty() && fields.isEmpty();
    }

    /** Whether another record says the same, whatever its sequence. */
    public boolean saysTheSameAs(CatalogueRecord other) {
        return live.equals(other.live) && doomed.equals(other.doomed) && fields.equals(other.fields);
    }

    /** The next record, with one more live ledger. */
    public CatalogueRecord sealed(long ledgerId) {
        List<Long> more = new ArrayList<>(live);
        more.add(ledgerId);
        return next(more, doomed);
    }

    /** The next record, with a live ledger in the place of the oldest of some sources, which are doomed. */
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
        return next(changed, more);
    }

    /** The next record, with an imported ledger doomed, and live the ledger that holds its remaining positions, if it had any. */
    public CatalogueRecord imported(long foreignLedgerId, Optional<Long> ledgerId) {
        List<Long> changed = new ArrayList<>(live);
        ledgerId.ifPresent(changed::add);
        List<Long> more = new ArrayList<>(doomed);
        if (!more.contains(foreignLedgerId)) {
            more.add(foreignLedgerId);
        }
        return next(changed, more);
    }

    /** The next record, with some live ledgers doomed. */
    public CatalogueRecord dropped(List<Long> ledgerIds) {
        List<Long> left = new ArrayList<>(live);
        left.removeAll(ledgerIds);
        List<Long> more = new ArrayList<>(doomed);
        ledgerIds.stream().filter(live::contains).forEach(more::add);
        return next(left, more);
    }

    /** The next record, without some doomed ledgers, which are deleted. */
    public CatalogueRecord deleted(List<Long> ledgerIds) {
        List<Long> left = new ArrayList<>(doomed);
        left.removeAll(ledgerIds);
        return next(live, left);
    }

    /** Whether the record has a field that this version of the plugin does not know, which may name more ledgers. */
    public boolean hasUnknownFields() {
        return fields.stream().anyMatch(field -> !RecordText.isKnown(field));
    }

    /** Whether another record names the same ledgers, live and doomed, in whatever order. */
    public boolean namesAsMuchAs(CatalogueRecord other) {
        return Set.copyOf(live).equals(Set.copyOf(other.live)) && Set.copyOf(doomed).equals(Set.copyOf(other.doomed));
    }

    /** The text to keep. */
    public String encode() {
        return RecordText.of(this);
    }

    /** The record among the plugin's properties of a cursor; empty if there is none. Fails as {@link #decode} does. */
    public static CatalogueRecord in(Map<String, String> properties) throws StorageException {
        String text = properties.get(CatalogueKeeper.PROPERTY);
        return text == null ? EMPTY : decode(text);
    }

    /**
     * Reads a text.
     *
     * @throws StorageException CORRUPT, naming the broken rule; NEWER_VERSION if the text is whole, but its version or a required
     *     field is not known
     */
    public static CatalogueRecord decode(String text) throws StorageException {
        return RecordText.read(text);
    }
}
