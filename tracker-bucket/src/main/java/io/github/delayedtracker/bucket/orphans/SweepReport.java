/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.orphans.SweepReport.SweepPolicy.Fate;
import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.CatalogueRecord;
import io.github.delayedtracker.bucket.record.JournalNames;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.LedgerLabel;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The findings and deletions of a sweep so far. Written by one step of the sweep at a time, read after its end. */
final class SweepReport {

    private static final int MOST_NAMED = 10;

    private final List<Long> someOrphans = new ArrayList<>(MOST_NAMED);
    private long ledgers;
    private long orphans;
    private long deleted;
    private long failures;
    private long newer;
    private long withoutId;
    private long ofAnotherId;
    private boolean endsRound;
    private String firstFailure = "";
    private String firstNewer = "";
    private String endedBy = "";

    void seen(Fate fate) {
        switch (fate) {
            case FOREIGN, UNREAD -> { }
            case WITHOUT_ID -> withoutId++;
            case OF_ANOTHER_ID -> ofAnotherId++;
            default -> ledgers++;
        }
    }

    void roundEnded() {
        endsRound = true;
    }

    void orphan(long ledgerId) {
        orphans++;
        if (someOrphans.size() < MOST_NAMED) {
            someOrphans.add(ledgerId);
        }
    }

    void deleted() {
        deleted++;
    }

    void failed(String why) {
        if (failures++ == 0) {
            firstFailure = why;
        }
    }

    void keptForNewer(String why) {
        if (newer++ == 0) {
            firstNewer = why;
        }
    }

    void endedBy(String why) {
        endedBy = why;
    }

    /** The number of ledgers of this plugin in this cluster. */
    long ledgers() {
        return ledgers;
    }

    long orphans() {
        return orphans;
    }

    long deletedLedgers() {
        return deleted;
    }

    /** The number of ledgers left alone for a failure or a doubt, and 1 more if the sweep ended before the last ledger. */
    long failures() {
        return failures + (endedBy.isEmpty() ? 0 : 1);
    }

    /** The number of ledgers left alone since a newer version has written the record that may name them; none is a failure. */
    long newer() {
        return newer;
    }

    /** The number of ledgers of this plugin that name this cluster and have no id; all were left alone. */
    long withoutId() {
        return withoutId;
    }

    /** The number of ledgers of this plugin and a cluster of the same name with another id; all were left alone. */
    long ofAnotherId() {
        return ofAnotherId;
    }

    /** Whether the last ledger was looked at. */
    boolean endsRound() {
        return endsRound;
    }

    boolean isWorthALine() {
        return orphans > 0 || newer > 0 || failures() > 0;
    }

    @Override
    public String toString() {
        return ledgers + " ledgers seen, " + orphans + " of them orphans" + (orphans == 0 ? "" : " like " + someOrphans) + ", "
                + deleted + " deleted"
                + (failures == 0 ? "" : ", " + failures + " unknown and left, the first because " + firstFailure)
                + (newer == 0 ? "" : ", " + newer + " kept for a newer version, the first because " + firstNewer)
                + (endedBy.isEmpty() ? "" : ", ended before the last one because " + endedBy);
    }

    /**
     * The rules that decide the fate of a ledger by its owner, its age and the record of its owner's cursor. A ledger written
     * lately may be about to be named, so age comes first. A record that cannot be understood may name every ledger, and so may
     * one of a newer version, or with fields that this version does not know. Pure; no state.
     */
    static final class SweepPolicy {

        /** The fate of a ledger. Only an orphan may be deleted. */
        enum Fate {
            /** A ledger of another plugin, or of a cluster of another name. */
            FOREIGN,
            /** A ledger of an unknown cluster of this name: an older version wrote it, or a broker that could not know the id. */
            WITHOUT_ID,
            /** A ledger of a cluster of this name and another id. */
            OF_ANOTHER_ID,
            YOUNG, SUSPECT, NAMED, DOUBTFUL, ORPHAN,
            /** A ledger whose owner's record is whole, and of a newer version. */
            NEWER,
            /** A ledger whose label or whose owner's record could not be read. */
            UNREAD
        }

        /**
         * The prefix under which the stock tracker keeps the ids of its snapshots; a backend that writes its format names ledgers
         * there.
         */
        private static final String STOCK_PREFIX = "#pulsar.internal.delayed.bucket";

        private final long minAgeMillis;

        SweepPolicy(long minAgeMillis) {
            this.minAgeMillis = minAgeMillis;
        }

        /**
         * The fate by the label: FOREIGN, WITHOUT_ID, OF_ANOTHER_ID, YOUNG, or SUSPECT if its cursor is to be read. A ledger with
         * a time of creation yet to come is young.
         */
        Fate byLabel(Optional<LedgerLabel> label, String clusterId, long nowMillis) {
            if (label.isEmpty()) {
                return Fate.FOREIGN;
            }
            if (label.get().clusterId().isEmpty()) {
                return Fate.WITHOUT_ID;
            }
            if (!label.get().clusterId().get().equals(clusterId)) {
                return Fate.OF_ANOTHER_ID;
            }
            long createdAtMillis = label.get().owner().createdAtMillis();
            boolean old = createdAtMillis <= nowMillis && nowMillis - createdAtMillis >= minAgeMillis;
            return old ? Fate.SUSPECT : Fate.YOUNG;
        }

        /** The fate by the properties of the owner's cursor, none if there is no cursor: NAMED, DOUBTFUL, NEWER or ORPHAN. */
        Fate byRecord(long ledgerId, Map<String, String> properties) {
            Fate fate = Fate.ORPHAN;
            for (Map.Entry<String, String> property : properties.entrySet()) {
                String key = property.getKey();
                if (key.startsWith(STOCK_PREFIX)) {
                    if (property.getValue().equals(Long.toString(ledgerId))) {
                        return Fate.NAMED;
                    }
                } else if (key.equals(CatalogueStore.PROPERTY_PREFIX + CatalogueKeeper.PROPERTY)) {
                    Fate recorded = byCatalogue(ledgerId, property.getValue());
                    if (recorded == Fate.NAMED) {
                        return recorded;
                    }
                    fate = moreDoubtful(fate, recorded);
                } else if (isOfJournal(key)) {
                    Fate named = byJournal(ledgerId, property.getValue());
                    if (named == Fate.NAMED) {
                        return named;
                    }
                    fate = moreDoubtful(fate, named);
                } else if (key.startsWith(CatalogueStore.PROPERTY_PREFIX)) {
                    // A property of a version that is not known here.
                    fate = moreDoubtful(fate, Fate.NEWER);
                }
            }
            return fate;
        }

        private static Fate moreDoubtful(Fate one, Fate other) {
            return one == Fate.DOUBTFUL || other == Fate.ORPHAN ? one : other;
        }

        private static Fate unreadable(StorageException why) {
            return why.kind() == StorageException.Kind.NEWER_VERSION ? Fate.NEWER : Fate.DOUBTFUL;
        }

        private static boolean isOfJournal(String key) {
            return key.startsWith(CatalogueStore.PROPERTY_PREFIX)
                    && JournalNames.PROPERTIES.contains(key.substring(CatalogueStore.PROPERTY_PREFIX.length()));
        }

        private static Fate byJournal(long ledgerId, String text) {
            try {
                return JournalNames.decode(text).contains(ledgerId) ? Fate.NAMED : Fate.ORPHAN;
            } catch (StorageException e) {
                return unreadable(e);
            }
        }

        private static Fate byCatalogue(long ledgerId, String text) {
            try {
                CatalogueRecord record = CatalogueRecord.decode(text);
                return record.live().contains(ledgerId) || record.doomed().contains(ledgerId) ? Fate.NAMED
                        : record.hasUnknownFields() ? Fate.NEWER : Fate.ORPHAN;
            } catch (StorageException e) {
                return unreadable(e);
            }
        }
    }
}
