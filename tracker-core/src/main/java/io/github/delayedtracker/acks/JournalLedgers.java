/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The ledgers of the journals of one cursor, and their names in the cursor's record. Every future answers in bounded time; a
 * failure is a {@link JournalException}. Safe from any thread.
 */
public interface JournalLedgers {

    /** The longest entry, bytes. */
    int mostBytes();

    /** Makes an empty ledger. */
    CompletableFuture<Writer> create();

    /** All entries of a ledger; who still wrote to it cannot any more. */
    CompletableFuture<List<ByteBuffer>> read(long ledgerId);

    /** Deletes a ledger; one that is not there is deleted already. */
    CompletableFuture<Void> delete(long ledgerId);

    /** The ledgers that the cursor's record names, so that they are found and deleted with the subscription. */
    List<Long> named();

    /** Names these and no others. */
    CompletableFuture<Void> name(List<Long> ledgerIds);

    /**
     * Ends the updates of the record: none is begun after this.
     *
     * @return when the updates under way have ended, in bounded time; never fails
     */
    default CompletableFuture<Void> close() {
        return CompletableFuture.completedFuture(null);
    }

    /** The one writer of a ledger. */
    interface Writer {

        /** The ledger's id. */
        long ledgerId();

        /** Appends an entry and answers its number once it is durable: 0, 1, 2, ... After a failure all that follow fail. */
        CompletableFuture<Long> append(ByteBuffer entry);

        /** Ends the ledger. It stays. */
        CompletableFuture<Void> close();
    }

    /** A call that failed. */
    final class JournalException extends Exception {

        private static final long serialVersionUID = 1;

        /** The kind of a failure. */
        public enum Kind {
            /** There is no such ledger. */
            GONE,
            /** The storage cannot answer now: the same call may succeed later. */
            AWAY,
            /** Any other. */
            FAILED
        }

        private final Kind kind;

        /** A failure with what is behind it, or null. */
        public JournalException(String message, Kind kind, Throwable cause) {
            super(message, cause);
            this.kind = kind;
        }

        /** One that the plugin has found itself. */
        public static JournalException failed(String message) {
            return new JournalException(message, Kind.FAILED, null);
        }

        /** Whether there is no such ledger. */
        public boolean isGone() {
            return kind == Kind.GONE;
        }

        /** Whether the same call may succeed later. */
        public boolean isAway() {
            return kind == Kind.AWAY;
        }
    }
}
