/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import com.google.common.collect.MapMaker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;

/**
 * What the topics of a broker keep for schedules alone, as the last pass of each subscription has found it. Subscriptions that
 * keep nothing so take no room. Thread safe.
 */
final class HeldLedgers {

    @GuardedBy("this")
    private final Map<ManagedCursor, Held> byCursor = new MapMaker().weakKeys().makeMap();

    /**
     * What one subscription keeps.
     *
     * @param firstForElse the ledger from which on it keeps them for something else
     * @param bytes of the ledgers before that, from the first that it needs
     * @param bytesOfTopic of those that no other subscription needs for something else, if it is the one that is furthest behind
     */
    private record Held(long firstForElse, long bytes, long bytesOfTopic) {
    }

    /** Takes the place of what was found before. Linear in the topic's cursors and ledgers. */
    synchronized void put(ManagedCursor cursor, HeldLook look) {
        long bytes = look.bytesBefore(Long.MAX_VALUE);
        if (bytes == 0) {
            byCursor.remove(cursor);
        } else {
            byCursor.put(cursor, new Held(look.firstForElse(), bytes, look.bytesBefore(firstForElseOfOthers(cursor))));
        }
    }

    /** The first ledger that another subscription needs for something else; 0 if it lies further behind than this one. */
    @GuardedBy("this")
    private long firstForElseOfOthers(ManagedCursor cursor) {
        long first = Long.MAX_VALUE;
        for (ManagedCursor other : cursor.getManagedLedger().getCursors()) {
            if (other != cursor) {
                if (isFurtherBehind(other, cursor)) {
                    return 0;
                }
                long needed = other.getMarkDeletedPosition().getLedgerId();
                Held known = byCursor.get(other);
                first = Math.min(first, known == null ? needed : Math.max(needed, known.firstForElse()));
            }
        }
        return first;
    }

    /** Of two at the same position the one with the lesser name is. */
    private static boolean isFurtherBehind(ManagedCursor other, ManagedCursor cursor) {
        Position ofOther = other.getMarkDeletedPosition();
        Position own = cursor.getMarkDeletedPosition();
        if (ofOther == null || own == null) {
            return true;
        }
        int order = ofOther.compareTo(own);
        return order < 0 || order == 0 && other.getName().compareTo(cursor.getName()) < 0;
    }

    /** Forgets a subscription that has no tracker any more. */
    synchronized void remove(ManagedCursor cursor) {
        byCursor.remove(cursor);
    }

    /** The bytes that one subscription keeps. */
    synchronized long bytes(ManagedCursor cursor) {
        Held held = byCursor.get(cursor);
        return held == null ? 0 : held.bytes();
    }

    /** The bytes that all topics keep for schedules alone, each ledger once. Linear in the subscriptions that keep some. */
    synchronized long bytesOfTopics() {
        long bytes = 0;
        for (Held held : byCursor.values()) {
            bytes += held.bytesOfTopic();
        }
        return bytes;
    }
}
