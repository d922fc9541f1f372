/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

/** What the failure of a step that reads a snapshot says about the snapshot. */
public enum Verdict {
    /** Nothing: the storage is not there now. The same step later. */
    TRY_LATER,
    /** It is gone or damaged for good: forget the bucket, let its positions be read again, delete the ledger. */
    LOST,
    /** It is somebody else's: forget it and never delete it. */
    FOREIGN,
    /** It is whole, and of a newer version: forget the bucket, let its positions be read again, never delete it. */
    NEWER,
    /** Nothing: this side closed or gave up. */
    GIVEN_UP;

    /** Of a failure's kind. A snapshot that fails for an unknown reason is not given up for it. */
    public static Verdict of(StorageException failure) {
        return switch (failure.kind()) {
            case NO_SUCH_LEDGER, NO_SUCH_ENTRY, CORRUPT -> LOST;
            case UNAUTHORIZED -> FOREIGN;
            case NEWER_VERSION -> NEWER;
            case CLOSED -> GIVEN_UP;
            case CONFLICT, UNAVAILABLE, OUTCOME_UNKNOWN, UNEXPECTED, TOO_LARGE, FENCED -> TRY_LATER;
        };
    }
}
