/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.index.SegmentRef;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which segments of one subscription are being read and do not come. Once one was not read for a time and is overdue its bucket
 * is given up, one bucket after the other, so that the topic is read instead. The time runs from the moment at which its first
 * read was begun, not from when it was asked for, and goes on while tries fail. Thread safe.
 */
final class Unreadable {

    private final Site site;
    private final Runnable whenGivenUp;
    /** The time of each segment that is being read: what ends it. */
    private final Map<SegmentRef, WakeUpTimer.Armed> times = new ConcurrentHashMap<>();
    /** Those whose time is over. */
    private final Set<SegmentRef> late = ConcurrentHashMap.newKeySet();
    private final Alarm alarm;

    Unreadable(Site site, Runnable whenGivenUp) {
        this.site = site;
        this.whenGivenUp = whenGivenUp;
        this.alarm = new Alarm(site.services.timer(), this::lookSoon);
    }

    /** A segment is read now, for the first time or again. */
    void begun(SegmentRef ref) {
        times.computeIfAbsent(ref, begun -> site.services.timer().arm(site.settings().unreadableMillis(), () -> {
            times.computeIfPresent(ref, (same, time) -> {
                late.add(ref);
                return time;
            });
            lookSoon();
        }));
    }

    /** It was read, or nobody wants it any more. */
    void ended(SegmentRef ref) {
        times.computeIfPresent(ref, (same, time) -> {
            time.cancel();
            late.remove(ref);
            return null;
        });
    }

    private void lookSoon() {
        site.soon(this::look);
    }

    /** Gives a bucket up if there is one to give up and it is its turn; without the lock. */
    void look() {
        if (site.isClosed() || late.isEmpty()) {
            return;
        }
        long nowMillis = site.nowMillis();
        long[] nextMillis = {Long.MAX_VALUE};
        Optional<Long> givenUp = site.locked(() -> {
            Optional<Long> now = site.index.losses().giveUpOverdue(late, nowMillis, "it could not be read, and is overdue");
            for (SegmentRef ref : late) {
                long dueMillis = site.index.losses().dueMillis(ref);
                nextMillis[0] = dueMillis > nowMillis ? Math.min(nextMillis[0], dueMillis) : nextMillis[0];
            }
            return now;
        });
        alarm.at(nextMillis[0], nowMillis);
        givenUp.ifPresent(ledgerId -> {
            site.figures.add(Figure.LOST_BUCKETS_TOTAL, 1);
            site.warn("Ledger " + ledgerId + " is given up; its positions are read again from the topic",
                    new StorageException(StorageException.Kind.UNAVAILABLE, "what is due in it was not read within "
                            + site.settings().unreadableMillis() + " ms"));
            whenGivenUp.run();
        });
    }

    void close() {
        alarm.close();
        times.values().forEach(WakeUpTimer.Armed::cancel);
        times.clear();
        late.clear();
    }
}
