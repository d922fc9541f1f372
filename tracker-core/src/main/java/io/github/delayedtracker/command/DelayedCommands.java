/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.command;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Commands on the schedules of the topics that a broker has loaded. Whoever calls them has asked for authorization before. Safe
 * from any thread; no call blocks.
 */
public interface DelayedCommands {

    /** The most message ids of one call. */
    int MOST_IDS = 10_000;

    /** The most times of one look. */
    int MOST_TIMES = 1_000;

    /**
     * The answers of one subscription.
     *
     * @param answers one for each id, in their order
     */
    record Result(String subscription, List<Answer> answers) {
    }

    /**
     * How many messages are due by a time; coarse, never too low.
     *
     * @param untilMillis epoch milliseconds
     */
    record DueBy(long untilMillis, long count) {
    }

    /**
     * What one subscription has scheduled.
     *
     * @param count how many messages wait
     * @param overdue how many of them are due and not handed out
     * @param nextDueMillis when the next is due, epoch milliseconds; empty if none is
     * @param blocked why what is due is not handed out, {@code none} if nothing is due: as {@code overdue_blocked} of the
     *     statistics
     * @param dueBy how many are due by each of the times asked for
     */
    record Schedule(String subscription, long count, long overdue, OptionalLong nextDueMillis, String blocked,
            List<DueBy> dueBy) {
    }

    /**
     * Who asks, for the audit line.
     *
     * @param role the caller's role; empty where nobody is asked for one
     */
    record Caller(String role) {
    }

    /**
     * Cancels messages: they are acknowledged, durably, before the answer.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for all with a schedule here
     * @param ids at most {@link #MOST_IDS}
     * @param wholeBatches whether an id with a batch index stands for its whole entry
     * @return one result a subscription, within 30 s. It fails with a {@link RefusedException} if nothing was done for
     *     any
     */
    CompletableFuture<List<Result>> cancel(String topic, Optional<String> subscription, List<MessageName> ids,
            boolean wholeBatches, Caller caller);

    /**
     * Gives messages another due time, earlier or later, durably, before the answer. It counts until the message is acknowledged,
     * also when it was delivered and comes back.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for all with a schedule here
     * @param ids at most {@link #MOST_IDS}
     * @param dueMillis epoch milliseconds, up to the year 10,895; one that has passed delivers now
     * @param wholeBatches whether an id with a batch index stands for its whole entry
     * @return as of {@link #cancel}
     */
    CompletableFuture<List<Result>> move(String topic, Optional<String> subscription, List<MessageName> ids, long dueMillis,
            boolean wholeBatches, Caller caller);

    /**
     * Looks at the schedule.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for all with a schedule here
     * @param untilMillis ascending times, epoch milliseconds, {@link #MOST_TIMES} at most
     * @return one schedule a subscription. It fails with a {@link RefusedException}
     */
    CompletableFuture<List<Schedule>> look(String topic, Optional<String> subscription, List<Long> untilMillis);
}
