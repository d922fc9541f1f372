/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/** A position, in the order of hand-out. */
record Position(long ledgerId, long entryId) implements Comparable<Position> {

    @Override
    public int compareTo(Position other) {
        int order = Long.compare(ledgerId, other.ledgerId);
        return order != 0 ? order : Long.compare(entryId, other.entryId);
    }
}
