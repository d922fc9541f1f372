/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.config.TrackerSettings;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.subscription.TimeRules;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * The configuration of one subscription at the time its tracker is made. Subscriptions without settings of their own share one.
 *
 * @param backend name of the index backend in use
 * @param newIndex makes an empty index of that backend, in memory
 * @param rules the rules in force from the start
 * @param precisionOfTick the width of a time bucket for a tick, both in milliseconds
 * @param ackFlushMillis how soon acknowledgements are written that the broker has not written; 0: the broker's own time
 * @param ackJournal whether acknowledgements that the broker's record leaves out are kept in a journal
 * @param problems how many subscription properties were bad and ignored
 * @param info what the statistics say of this configuration
 */
record SubscriptionSetup(String backend, Supplier<DelayIndex> newIndex, TimeRules rules, LongUnaryOperator precisionOfTick,
        long ackFlushMillis, boolean ackJournal, int problems, InfoSeries info) {

    SubscriptionSetup(String backend, Supplier<DelayIndex> newIndex, TimeRules rules, LongUnaryOperator precisionOfTick,
            long ackFlushMillis, boolean ackJournal, int problems) {
        this(backend, newIndex, rules, precisionOfTick, ackFlushMillis, ackJournal, problems, new InfoSeries(backend));
    }

    /** Settings as they apply to a backend: one that does not round keeps every millisecond, near and far. */
    static SubscriptionSetup of(DelayIndexProvider provider, TrackerSettings settings, long tickMillis, int problems) {
        boolean rounds = provider.roundsTimes();
        LongUnaryOperator precisionOfTick = rounds ? settings::precisionMillis : anyTickMillis -> 1;
        AdaptivePrecision adaptive = rounds && settings.adaptiveRatio() > 0
                ? new AdaptivePrecision(settings.adaptiveRatio(), settings.adaptiveMaxMillis()) : AdaptivePrecision.OFF;
        return new SubscriptionSetup(provider.backendName(), provider::newIndex,
                new TimeRules(settings.strict(), tickMillis, precisionOfTick.applyAsLong(tickMillis), adaptive),
                precisionOfTick, settings.ackFlushMillis(), settings.ackJournal(), problems);
    }
}
