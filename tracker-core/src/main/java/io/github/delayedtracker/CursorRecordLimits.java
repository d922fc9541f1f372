/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.acks.AckedPositions;
import java.util.Locale;
import java.util.Optional;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.pulsar.broker.ServiceConfiguration;

/**
 * The limits of the record that a cursor writes of single acknowledgements. The broker writes it to the metadata store as
 * ranges, up to {@code managedLedgerMaxUnackedRangesToPersist} of them, whenever the cursor has no ledger that it can write to:
 * at the unload of a topic that was idle since its load, and once a cursor ledger has failed. ZooKeeper drops the connection of
 * a client that sends more than 1 MB, and the broker sends the same record again without end. Delayed messages make such
 * records: one that waits holds mark-delete back, and all behind it are acknowledged one by one.
 *
 * <p>Set are the limits that the topic's managed ledger has in memory. A change of a policy brings the broker's own back, so
 * they are set again and again. None is ever raised. Immutable.
 *
 * @param mostRanges ranges in a record
 * @param bitmaps whether the broker's settings have cursors write bitmaps instead of ranges to their ledgers
 */
record CursorRecordLimits(int mostRanges, boolean bitmaps) {

    /** A range takes 19 to 26 bytes, so these take 0.8 MB at most. */
    static final int MOST_PLAIN_RANGES = 30_000;

    /** Every codec of the broker leaves at most 15 bytes of a range: 0.9 MB. */
    static final int MOST_COMPRESSED_RANGES = 60_000;

    /** Ranges that are closed to the metadata store though the cursor's ledger can be written. */
    static final int MOST_RANGES_IN_METADATA_STORE = 1_000;

    /**
     * Those of a broker, by its metadata store and how it compresses the records there. A store on its own disk takes them all.
     */
    static CursorRecordLimits of(ServiceConfiguration configuration) {
        String url = configuration.getMetadataStoreUrl();
        boolean local = url != null && (url.startsWith("rocksdb:") || url.startsWith("memory:"));
        int mostRanges = isCompressed(configuration) ? MOST_COMPRESSED_RANGES : MOST_PLAIN_RANGES;
        return new CursorRecordLimits(local ? Integer.MAX_VALUE : mostRanges,
                configuration.isManagedLedgerPersistIndividualAckAsLongArray());
    }

    private static boolean isCompressed(ServiceConfiguration configuration) {
        String codec = configuration.getManagedCursorInfoCompressionType();
        return codec != null && !codec.isBlank() && !codec.toUpperCase(Locale.ROOT).equals("NONE");
    }

    /**
     * Whether a broker cannot read a compressed record that has a property, and loads its topic no more. Brokers of 4.2 and 5.0.0
     * release the bytes of such a record before they read the names in it.
     */
    static boolean loseProperties(ServiceConfiguration configuration, String brokerVersion) {
        return isCompressed(configuration) && (brokerVersion.startsWith("4.2.") || brokerVersion.startsWith("5.0.0"));
    }

    /** Why a broker keeps no journal of acknowledgements, with the key that ends that; empty where it keeps one. */
    static Optional<String> reasonForNoJournal(ServiceConfiguration configuration, String brokerVersion) {
        if (loseProperties(configuration, brokerVersion)) {
            return Optional.of("this broker cannot load a topic again whose cursor has a property and a compressed record;"
                    + " managedCursorInfoCompressionType=NONE ends that");
        }
        return configuration.isManagedLedgerUnackedRangesOpenCacheSetEnabled() ? Optional.empty()
                : Optional.of("a cursor cannot tell at once what is acknowledged;"
                        + " managedLedgerUnackedRangesOpenCacheSetEnabled=true ends that");
    }

    /** Whether there is any. */
    boolean exist() {
        return mostRanges < Integer.MAX_VALUE;
    }

    /**
     * Lowers the limits of a topic that are higher: a few field accesses.
     *
     * @return whether there were any
     */
    boolean lower(ManagedLedgerConfig topic) {
        boolean lowers = false;
        if (topic.getMaxUnackedRangesToPersist() > mostRanges) {
            topic.setMaxUnackedRangesToPersist(mostRanges);
            lowers = true;
        }
        if (exist() && topic.getMaxUnackedRangesToPersistInMetadataStore() > MOST_RANGES_IN_METADATA_STORE) {
            topic.setMaxUnackedRangesToPersistInMetadataStore(MOST_RANGES_IN_METADATA_STORE);
            lowers = true;
        }
        return lowers;
    }

    /**
     * Has the only cursor of a topic write bitmaps where it would lose fewer acknowledgements with them than with ranges; where
     * it would not, and for several cursors, the broker's settings hold.
     */
    void chooseForm(ManagedLedgerConfig topic, AckedPositions acknowledged, boolean alone) {
        long most = topic.getMaxUnackedRangesToPersist();
        boolean better = alone && acknowledged.entriesBehindLedgers(most) < acknowledged.entriesBehindRanges(most);
        topic.setPersistIndividualAckAsLongArray(bitmaps || better);
    }
}
