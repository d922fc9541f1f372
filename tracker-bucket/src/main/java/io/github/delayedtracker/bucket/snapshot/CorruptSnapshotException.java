/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.snapshot;

/** The failure of reading bytes that are not a snapshot written by this plugin, or were damaged since. */
public final class CorruptSnapshotException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Names the rule, in words that go before "found". */
    public CorruptSnapshotException(String rule, long found) {
        super("not a snapshot: " + rule + ", found " + found);
    }
}
