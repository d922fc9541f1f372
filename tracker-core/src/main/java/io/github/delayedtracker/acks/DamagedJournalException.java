/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

/** A journal that cannot be read: an entry breaks a rule of the format, or was written by a newer version. */
public final class DamagedJournalException extends Exception {

    private static final long serialVersionUID = 1;

    private final boolean newer;

    private DamagedJournalException(String message, boolean newer) {
        super(message);
        this.newer = newer;
    }

    /** A rule of the format is broken. */
    public static DamagedJournalException damaged(String rule, Object found) {
        return new DamagedJournalException("a journal is damaged: " + rule + ", found " + found, false);
    }

    /** A newer version. */
    public static DamagedJournalException newer(String rule, Object found) {
        return new DamagedJournalException("a journal is of a newer version: " + rule + ", found " + found,
                true);
    }

    /** Whether a newer version wrote it: then it is left as it is. */
    public boolean isNewer() {
        return newer;
    }
}
