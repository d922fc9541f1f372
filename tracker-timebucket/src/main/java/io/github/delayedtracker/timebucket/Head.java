/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/** The first position of a part of the index in (time, ledger, entry) order, if it has one. */
final class Head {

    boolean exists;
    long dueMillis;
    long ledgerId;
    long entryId;

    void set(long due, long ledger, long entry) {
        exists = true;
        dueMillis = due;
        ledgerId = ledger;
        entryId = entry;
    }

    /** Whether it exists and comes before the given one. */
    boolean isBefore(long due, long ledger, long entry) {
        if (!exists) {
            return false;
        }
        if (dueMillis != due) {
            return dueMillis < due;
        }
        return ledgerId != ledger ? ledgerId < ledger : entryId < entry;
    }
}
