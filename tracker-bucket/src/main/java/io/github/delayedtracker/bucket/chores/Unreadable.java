/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.chores.BucketFigures.Figure;
import io.github.delayedtracker.bucket.index.Losses;
import io.github.delayedtracker.bucket.index.SegmentLoading.SegmentRef;
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

    private final GuardedIndex index;
    private final ChoreTasks tasks;
    private final ChoreClock clock;
    private final ChoreReport report;
    private final long unreadableMillis;
    private final Runnable whenGivenUp;
    /** The time of each segment that is being read: what ends it. */
    private final Map<SegmentRef, WakeUpTimer.Armed> times = new ConcurrentHashMap<>();
    /** Those whose time is over. */
    private final Set<SegmentRef> late = ConcurrentHashMap.newKeySet();
    private final Alarm alarm;

    /**
     * Nothing is being read.
     *
     * @param unreadableMillis how long an overdue segment is read for
     */
    Unreadable(GuardedIndex index, ChoreTasks tasks, ChoreClock clock, ChoreReport report, long unreadableMillis,
            Runnable whenGivenUp) {
        this.index = index;
        this.tasks = tasks;
        this.clock = clock;
        this.report = report;
        this.unreadableMillis = unreadableMillis;
        this.whenGivenUp = whenGivenUp;
        this.alarm = tasks.alarm(this::lookSoon);
    }

    /** A segment is read now, for the first time or again. */
    void begun(SegmentRef ref) {
        times.computeIfAbsent(ref, begun -> tasks.after(unreadableMillis, () -> {
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
        tasks.soon(this::look);
    }

    /** Gives a bucket up if there is one to give up and it is its turn; without the lock. */
    void look() {
        if (tasks.isClosed() || late.isEmpty()) {
            return;
        }
        long nowMillis = clock.nowMillis();
        Optional<Long> givenUp = index.changeAndGet(known ->
                known.losses().giveUpOverdue(late, nowMillis, "it could not be read, and is overdue"));
        alarm.at(index.read(known -> nextDueMillis(known.losses(), nowMillis)), nowMillis);
        givenUp.ifPresent(ledgerId -> {
            report.count(Figure.LOST_BUCKETS_TOTAL);
            report.warn("Ledger " + ledgerId + " is given up; its positions are read again from the topic",
                    new StorageException(StorageException.Kind.UNAVAILABLE, "what is due in it was not read within "
                            + unreadableMillis + " ms"));
            whenGivenUp.run();
        });
    }

    /** When the next segment that is late falls due, or never. */
    private long nextDueMillis(Losses losses, long nowMillis) {
        return late.stream().mapToLong(losses::dueMillis).filter(dueMillis -> dueMillis > nowMillis).min().orElse(Long.MAX_VALUE);
    }

    void close() {
        alarm.close();
        times.values().forEach(WakeUpTimer.Armed::cancel);
        times.clear();
        late.clear();
    }
}
