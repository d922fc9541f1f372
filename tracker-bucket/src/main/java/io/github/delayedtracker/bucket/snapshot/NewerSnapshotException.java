/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

/** The head of a snapshot that is whole, by its checksum, and of a version that is not known: a newer one has written it. */
public final class NewerSnapshotException extends Exception {

    private static final long serialVersionUID = 1L;

    NewerSnapshotException(int version, int known) {
        super("a head of version " + version + ", known are those up to " + known);
    }
}
