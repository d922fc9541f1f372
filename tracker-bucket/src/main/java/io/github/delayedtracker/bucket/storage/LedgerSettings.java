/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import org.apache.bookkeeper.client.api.DigestType;

/**
 * How snapshot ledgers are made: the broker's managed-ledger defaults.
 *
 * @param ensembleSize bookies a ledger is spread over ({@code managedLedgerDefaultEnsembleSize})
 * @param writeQuorum copies of an entry ({@code managedLedgerDefaultWriteQuorum})
 * @param ackQuorum copies waited for ({@code managedLedgerDefaultAckQuorum})
 * @param digestType checksum of an entry ({@code managedLedgerDigestType})
 * @param clusterName the cluster they are of ({@code clusterName}); bookies may serve several
 * @param maxMessageBytes the largest message of the cluster ({@code maxMessageSize}); a bookie may take no larger request
 */
public record LedgerSettings(int ensembleSize, int writeQuorum, int ackQuorum, DigestType digestType, String clusterName,
        int maxMessageBytes) {

    /** What a request carries besides the entry, with room to spare. */
    static final int REQUEST_OVERHEAD_BYTES = 10 * 1024;

    /** Refuses what BookKeeper would. */
    public LedgerSettings {
        clusterName = clusterName == null ? "" : clusterName;
        if (ackQuorum < 1 || writeQuorum < ackQuorum || ensembleSize < writeQuorum) {
            throw new IllegalArgumentException("a ledger needs 1 <= ack quorum <= write quorum <= ensemble, got "
                    + ackQuorum + ", " + writeQuorum + ", " + ensembleSize);
        }
        if (maxMessageBytes <= REQUEST_OVERHEAD_BYTES) {
            throw new IllegalArgumentException("the largest message must have more than " + REQUEST_OVERHEAD_BYTES
                    + " bytes, got " + maxMessageBytes);
        }
    }

    /** The largest entry that fits into a request. */
    int maxEntryBytes() {
        return maxMessageBytes - REQUEST_OVERHEAD_BYTES;
    }

    /** The same password as the broker's own ledgers of this kind: none. */
    byte[] password() {
        return new byte[0];
    }
}
