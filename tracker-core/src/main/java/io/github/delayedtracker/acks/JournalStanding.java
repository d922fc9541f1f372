/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

/** What the last step of a journal has left. An end is told once the ledgers are deleted. */
public enum JournalStanding {

    /** None was begun, and none that the last load had left has ended. */
    NONE,

    /** Acknowledgements are appended to one. */
    ACTIVE,

    /** One could not be appended to: it counts as it is until another is stamped. */
    GIVEN_UP,

    /** One is deleted: the cursor's record has room for all. */
    NOT_NEEDED,

    /** One is deleted: the cursor was reset. */
    RESET,

    /** One is deleted: the backlog was cleared. */
    CLEARED
}
