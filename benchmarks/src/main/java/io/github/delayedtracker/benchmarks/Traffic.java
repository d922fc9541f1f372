/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.subscription.TimeRules;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * The messages that are published to one topic.
 *
 * @param delays the delays of the messages
 * @param perMilli the delayed messages published in a millisecond
 * @param layout the positions that the messages get
 * @param arrivals when they are published, and in which order a tracker meets them
 */
record Traffic(Delays delays, double perMilli, Layout layout, Arrivals arrivals) {

    /** The time at which the first message is published; every due time lies more than a tick after the start of the clock. */
    static final long START_MILLIS = 1_750_000_000_000L;

    /** Messages at an even rate, in order. */
    Traffic(Delays delays, double perMilli, Layout layout) {
        this(delays, perMilli, layout, Arrivals.EVEN);
    }

    /** The first messages, in the order in which a tracker meets them; the same for the same seed. */
    Messages messages(int count, long seed) {
        Messages messages = new Messages(count);
        Source source = new Source(seed);
        IntUnaryOperator places = arrivals.places(count, seed);
        for (int i = 0; i < count; i++) {
            source.next();
            messages.set(places.applyAsInt(i), source.ledgerId(), source.entryId(), source.deliverAtMillis());
        }
        return messages;
    }

    /** The same messages with the times that an index keeps of them, each offered in the moment of its publication. */
    Messages messages(int count, long seed, TimeRules rules) {
        Messages messages = new Messages(count);
        Source source = new Source(seed);
        IntUnaryOperator places = arrivals.places(count, seed);
        for (int i = 0; i < count; i++) {
            source.next();
            messages.set(places.applyAsInt(i), source.ledgerId(), source.entryId(),
                    rules.round(source.deliverAtMillis(), source.publishMillis()));
        }
        return messages;
    }

    /** An endless source of messages in the order of their publication. */
    final class Source {
        private final SplittableRandom random;
        private final Layout.Positions positions;
        private long count;
        private double published;
        private double meansPassed;
        private long publishMillis;
        private long deliverAtMillis;

        Source(long seed) {
            random = new SplittableRandom(seed);
            positions = layout.new Positions(random);
        }

        void next() {
            positions.next();
            publishMillis = START_MILLIS + (long) (publishedMeans() / perMilli);
            deliverAtMillis = publishMillis + delays.nextMillis(count, random);
            count++;
        }

        private double publishedMeans() {
            if (arrivals.rhythm() == Arrivals.Rhythm.EVEN) {
                return positions.published();
            }
            meansPassed += arrivals.step(count, positions.published() - published, random);
            published = positions.published();
            return meansPassed;
        }

        long ledgerId() {
            return positions.ledgerId();
        }

        long entryId() {
            return positions.entryId();
        }

        long publishMillis() {
            return publishMillis;
        }

        long deliverAtMillis() {
            return deliverAtMillis;
        }
    }
}
