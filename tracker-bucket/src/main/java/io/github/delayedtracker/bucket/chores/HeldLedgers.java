/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Holds doomed ledgers of one subscription back from being deleted for a while from when the record dooms them: another broker
 * may have loaded the topic just before and go by the record of then, and this one, whose last update came in between, has not
 * heard of it yet. One call at a time.
 */
final class HeldLedgers {

    private final HoldLimit limit;
    private final long holdMillis;
    private final Map<Long, Long> doomedAtMillis = new HashMap<>();

    HeldLedgers(HoldLimit limit, long holdMillis) {
        this.limit = limit;
        this.holdMillis = holdMillis;
    }

    /** Those of all doomed ones that are not to be deleted yet; their time begins when they are first among them. */
    Set<Long> of(Set<Long> doomed) {
        int before = doomedAtMillis.size();
        long nowMillis = limit.nowMillis();
        Set<Long> held = new HashSet<>();
        doomedAtMillis.keySet().retainAll(doomed);
        for (long ledgerId : doomed) {
            doomedAtMillis.putIfAbsent(ledgerId, nowMillis);
            if (nowMillis - doomedAtMillis.get(ledgerId) < holdMillis) {
                held.add(ledgerId);
            }
        }
        limit.changedBy(doomedAtMillis.size() - before);
        return held;
    }

    /** By the clock of the limit, when the first of those that are held may be deleted, or never. */
    long nextMillis() {
        long nowMillis = limit.nowMillis();
        return doomedAtMillis.values().stream().mapToLong(since -> since + holdMillis).filter(millis -> millis > nowMillis).min()
                .orElse(Long.MAX_VALUE);
    }

    /** Nothing is held any more, whatever becomes of it. */
    void end() {
        limit.changedBy(-doomedAtMillis.size());
        doomedAtMillis.clear();
    }
}
