/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.subscription.ScheduleWalk;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A pass over the whole schedule of a subscription, in no order: all that is in memory, and a page of what is stored. It is given
 * up after {@value #MOST_MILLIS} ms, since other looks wait for its thread.
 *
 * @param after where to go on; empty to begin
 */
record WholePass(SubscriptionTracker tracker, Executor looks, Optional<String> after) {

    private static final long MOST_MILLIS = 12_000;

    /**
     * Passes on each row.
     *
     * @param gone whether a position is acknowledged, and so left out
     * @param answer made once all are passed on, with the place to go on; on the thread for looks
     * @return fails with a {@link RefusedException}
     */
    <T> CompletableFuture<T> over(PositionTimes moved, PositionTimes.Test gone, PositionTimes.Sink sink,
            Function<Optional<String>, T> answer) {
        DueWithin all = new DueWithin(0, Long.MAX_VALUE, after);
        TrackerServices services = tracker.cursor().services();
        return new Listing(tracker, looks).look(all, moved, gone, Optional.empty(), (walk, behind) -> {
            long endMillis = services.nowMillis() + MOST_MILLIS;
            try {
                return answer.apply(walk.passAll(behind, () -> services.nowMillis() < endMillis, sink).map(Listing::text));
            } catch (ScheduleWalk.EndedException e) {
                throw new RefusedException(Reason.UNREAD, "the schedule cannot be passed within " + MOST_MILLIS + " ms");
            }
        });
    }
}
