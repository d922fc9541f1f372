/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.storage.StorageException;

/** A text that this version of the plugin cannot read as a record: damaged, or written by a newer version. */
public abstract sealed class UnreadableRecordException extends Exception
        permits CorruptRecordException, NewerRecordException {

    private static final long serialVersionUID = 1L;

    UnreadableRecordException(String message) {
        super(message);
    }

    /** The same as a failure of the storage: CORRUPT or NEWER_VERSION. */
    StorageException of(String what) {
        return this instanceof NewerRecordException ? StorageException.newer(what, getMessage(), this)
                : StorageException.corrupt(what, getMessage(), this);
    }
}
