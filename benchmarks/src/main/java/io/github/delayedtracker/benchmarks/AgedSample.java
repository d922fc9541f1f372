/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.DelayIndexProvider;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Consecutive messages of some traffic, of which those due by a moment have been handed out. */
final class AgedSample {

    private static final int TIDY_BUDGET = 1 << 16;
    /** The number of calls: a part that is left alone for some calls is packed. */
    private static final int TIDY_CALLS = 8;
    /** The batch that a broker asks for, and the tidying that goes with it. */
    private static final int BATCH = 100;
    private static final int TIDY_PER_BATCH = 64;

    private final Messages messages;
    private final double perMilli;
    private final long precisionMillis;
    private final long nowMillis;

    /**
     * A sample of messages published from the start on, at a number of them in a millisecond.
     *
     * @param nowMillis the moment; {@link Long#MIN_VALUE} if nothing has been handed out
     */
    AgedSample(Messages messages, double perMilli, long precisionMillis, long nowMillis) {
        this.messages = messages;
        this.perMilli = perMilli;
        this.precisionMillis = precisionMillis;
        this.nowMillis = nowMillis;
    }

    /** The number of messages that are not due. */
    int left() {
        return left(messages.count());
    }

    /** The number of the first messages that are not due. */
    int left(int count) {
        return (int) undue(count).count();
    }

    /** The bytes of an index of the messages left, in the segments that come about as a broker publishes and hands out. */
    long sealedBytes(DelayIndexProvider provider) {
        return sealed(provider).retainedBytes();
    }

    /** The bytes of the position set of such an index. */
    long positionSetBytes(DelayIndexProvider provider) {
        return sealed(provider).positionSetBytes();
    }

    private DelayIndex sealed(DelayIndexProvider provider) {
        DelayIndex index = provider.newIndex();
        long tickMillis = Traffic.START_MILLIS;
        for (int i = 0; i < messages.count(); i++) {
            index.add(roundedMillis(i), messages.ledgerId(i), messages.entryId(i));
            index.takeWork().ifPresent(Runnable::run);
            long publishMillis = Traffic.START_MILLIS + Math.round(i / perMilli);
            if (publishMillis >= tickMillis && nowMillis > Long.MIN_VALUE) {
                tickMillis += precisionMillis;
                handOut(index, Math.min(publishMillis, nowMillis));
            }
        }
        settle(index);
        if (nowMillis > Long.MIN_VALUE) {
            handOut(index, nowMillis);
        }
        return index;
    }

    private static void handOut(DelayIndex index, long untilMillis) {
        while (index.nextDueMillis() <= untilMillis) {
            index.takeDue(untilMillis, BATCH, (ledgerId, entryId) -> { });
            index.tidy(TIDY_PER_BATCH);
        }
    }

    /** The bytes of an index of all messages, none of them handed out, with the open tail as it is. */
    long bytesAsTheyCame(DelayIndexProvider provider) {
        DelayIndex index = provider.newIndex();
        for (int i = 0; i < messages.count(); i++) {
            index.add(roundedMillis(i), messages.ledgerId(i), messages.entryId(i));
            index.takeWork().ifPresent(Runnable::run);
        }
        return index.retainedBytes();
    }

    /** The bytes of the stock cells of the messages left among the first ones. */
    long cellBytes(int count) {
        return StockSizes.cellBytes(undue(count)
                .mapToObj(i -> new StockSizes.Due(Math.floorDiv(roundedMillis(i), precisionMillis), messages.ledgerId(i)))
                .toArray(StockSizes.Due[]::new));
    }

    /** The number of time buckets of the messages left. */
    long buckets() {
        return Occupancy.counted(undue(messages.count()).mapToLong(this::roundedMillis).toArray(), precisionMillis);
    }

    /** The remaining delays of the messages left, a number of them, evenly chosen. */
    LongStream leads(int wanted) {
        long[] all = undue(messages.count()).mapToLong(i -> roundedMillis(i) - nowMillis).toArray();
        int every = Math.max(1, all.length / wanted);
        int count = Math.min(wanted, all.length);
        // Each age has to be of equal weight, so few are repeated.
        return all.length >= wanted ? IntStream.range(0, count).mapToLong(i -> all[i * every])
                : IntStream.range(0, wanted).mapToLong(i -> all[i % all.length]);
    }

    private IntStream undue(int count) {
        return IntStream.range(0, Math.min(count, messages.count())).filter(i -> roundedMillis(i) > nowMillis);
    }

    private long roundedMillis(int i) {
        return messages.deliverAtMillis(i) & -precisionMillis;
    }

    private static void settle(DelayIndex index) {
        for (int i = 0; i < TIDY_CALLS; i++) {
            while (index.tidy(TIDY_BUDGET)) {
                Thread.onSpinWait();
            }
        }
    }
}
