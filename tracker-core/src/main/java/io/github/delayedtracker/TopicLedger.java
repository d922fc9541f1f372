/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.Position;

/**
 * A ledger of a topic, as the broker lists it.
 *
 * @param entries that it has, as far as the topic has confirmed them
 * @param closedMillis when it was closed, epoch milliseconds; empty for the one that is written
 */
record TopicLedger(long ledgerId, long entries, long bytes, OptionalLong closedMillis) {

    /**
     * The ledgers of a topic, ascending.
     *
     * <p>Implementation note: the broker's class for them has another name on each line, and the same methods.
     */
    static List<TopicLedger> of(ManagedLedger topic) {
        NavigableMap<Long, ?> listed = topic.getLedgersInfo();
        Position last = topic.getLastConfirmedEntry();
        List<TopicLedger> ledgers = new ArrayList<>(listed.size());
        long bytesBefore = 0;
        for (var each : listed.entrySet()) {
            long bytes = number(each.getValue(), "getSize");
            long closedMillis = number(each.getValue(), "getTimestamp");
            if (closedMillis > 0) {
                ledgers.add(new TopicLedger(each.getKey(), number(each.getValue(), "getEntries"), bytes,
                        OptionalLong.of(closedMillis)));
            } else {
                boolean hasLast = last != null && last.getLedgerId() == each.getKey();
                ledgers.add(new TopicLedger(each.getKey(), hasLast ? last.getEntryId() + 1 : 0,
                        Math.max(0, topic.getTotalSize() - bytesBefore), OptionalLong.empty()));
            }
            bytesBefore += bytes;
        }
        return ledgers;
    }

    /** The closed ledgers of a topic from one on, ascending. */
    static List<TopicLedger> closedFrom(ManagedLedger topic, long ledgerId) {
        List<TopicLedger> closed = new ArrayList<>();
        for (var each : topic.getLedgersInfo().tailMap(ledgerId, true).entrySet()) {
            long closedMillis = number(each.getValue(), "getTimestamp");
            if (closedMillis > 0) {
                closed.add(new TopicLedger(each.getKey(), number(each.getValue(), "getEntries"),
                        number(each.getValue(), "getSize"), OptionalLong.of(closedMillis)));
            }
        }
        return closed;
    }

    /** Whether the ledger before another one is closed. */
    static boolean isClosedBefore(ManagedLedger topic, long ledgerId) {
        var before = topic.getLedgersInfo().lowerEntry(ledgerId);
        return before != null && number(before.getValue(), "getTimestamp") > 0;
    }

    private static long number(Object ledger, String method) {
        try {
            return (long) ledger.getClass().getMethod(method).invoke(ledger);
        } catch (IllegalAccessException | NoSuchMethodException | InvocationTargetException e) {
            throw new IllegalStateException("the ledgers of this broker cannot be read: " + e, e);
        }
    }
}
