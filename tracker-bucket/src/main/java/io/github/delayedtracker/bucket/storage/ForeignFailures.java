/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.function.Function;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.mledger.ManagedLedgerException;

/** The edge: failures of BookKeeper and the managed ledger, as {@link StorageException}s. No other class looks at them. */
final class ForeignFailures {

    private ForeignFailures() {
    }

    /** A failure of a ledger operation. */
    static StorageException ofLedger(Throwable failure, String what) {
        return translated(failure, what,
                cause -> cause instanceof BKException known ? kindOf(known.getCode()) : Kind.UNEXPECTED);
    }

    /** A failure of an update of the cursor's record: a conflict, or of unknown outcome. */
    static StorageException ofUpdate(Throwable failure, String what) {
        return translated(failure, what, cause ->
                cause instanceof ManagedLedgerException.BadVersionException ? Kind.CONFLICT : Kind.OUTCOME_UNKNOWN);
    }

    private static StorageException translated(Throwable failure, String what, Function<Throwable, Kind> kind) {
        Throwable cause = Futures.cause(failure);
        return cause instanceof StorageException known ? known
                : new StorageException(kind.apply(cause), what + " failed: " + cause, cause);
    }

    private static Kind kindOf(int code) {
        return switch (code) {
            case BKException.Code.NoSuchLedgerExistsException, BKException.Code.NoSuchLedgerExistsOnMetadataServerException ->
                Kind.NO_SUCH_LEDGER;
            case BKException.Code.NoSuchEntryException -> Kind.NO_SUCH_ENTRY;
            case BKException.Code.DigestMatchException, BKException.Code.MetadataSerializationException -> Kind.CORRUPT;
            case BKException.Code.UnauthorizedAccessException -> Kind.UNAUTHORIZED;
            case BKException.Code.LedgerFencedException -> Kind.FENCED;
            case BKException.Code.LedgerClosedException, BKException.Code.ClientClosedException -> Kind.CLOSED;
            case BKException.Code.MetadataVersionException -> Kind.CONFLICT;
            case BKException.Code.IncorrectParameterException, BKException.Code.IllegalOpException,
                 BKException.Code.UnexpectedConditionException -> Kind.UNEXPECTED;
            default -> Kind.UNAVAILABLE;
        };
    }
}
