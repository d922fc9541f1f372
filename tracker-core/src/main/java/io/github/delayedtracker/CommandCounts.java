/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.metrics.Samples;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/** What the commands of one subscription have come to since its tracker was made. Thread safe. */
final class CommandCounts {

    private final Map<Answer, Long> answers = new ConcurrentHashMap<>();
    private final Map<Reason, Long> refusals = new ConcurrentHashMap<>();

    /** A command was answered, or has failed. */
    void ended(List<Answer> each, Throwable failure) {
        if (failure == null) {
            each.forEach(answer -> answers.merge(answer, 1L, Long::sum));
            return;
        }
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RefusedException refused) {
            refusals.merge(refused.reason(), 1L, Long::sum);
        }
    }

    /** Puts the figures for the statistics. */
    void putSamples(Samples samples, PositionTimes moved) {
        samples.put(TrackerMetrics.CANCELLED, answers.getOrDefault(Answer.CANCELLED, 0L))
                .put(TrackerMetrics.MOVED, answers.getOrDefault(Answer.MOVED, 0L))
                .put(TrackerMetrics.MOVED_HELD, moved.size()).put(TrackerMetrics.MOVED_BYTES, moved.retainedBytes());
        refusals.forEach((reason, count) -> samples.put(TrackerMetrics.COMMANDS_REFUSED, count,
                reason.name().toLowerCase(Locale.ROOT)));
    }
}
