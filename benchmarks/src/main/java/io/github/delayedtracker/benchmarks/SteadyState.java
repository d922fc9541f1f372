/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.subscription.TimeRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleConsumer;

/**
 * A run in which messages are published and handed out at the same time, for several times the longest delay. Footprint and
 * messages outstanding are noted as time goes by. The clock advances by a tick, or by more where that makes too many steps.
 */
final class SteadyState {

    private static final int MOST_STEPS = 6_000;
    private static final int POINTS = 120;
    private static final int BATCH = 100;
    private static final long SEED = 2_011;
    private static final double SPANS_FOR_MEANS = 1.6;

    private SteadyState() {
    }

    private record Ack(long atMillis, long ledgerId, long entryId) { }

    /**
     * One reading.
     *
     * @param atMillis the time since the first message was published
     * @param outstanding the number of messages held
     * @param bytes the bytes kept alive, as the tracker says
     */
    record Point(long atMillis, long outstanding, long bytes) {

        double perMessage() {
            return outstanding == 0 ? 0 : (double) bytes / outstanding;
        }
    }

    /**
     * The averages once as many messages come as go.
     *
     * @param outstanding the number of messages held
     * @param bytes the bytes kept alive
     * @param most the most bytes a message
     */
    record Means(double outstanding, double bytes, double most) {

        static Means of(List<Point> points, long sinceMillis) {
            List<Point> steady = points.stream().filter(point -> point.atMillis >= sinceMillis).toList();
            return new Means(steady.stream().mapToLong(Point::outstanding).average().orElse(0),
                    steady.stream().mapToLong(Point::bytes).average().orElse(0),
                    steady.stream().mapToDouble(Point::perMessage).max().orElse(0));
        }

        double perMessage() {
            return outstanding == 0 ? 0 : bytes / outstanding;
        }
    }

    /** The means of a short run, for {@link SizingModel}. */
    static Means means(Traffic traffic, long tickMillis, Backend backend) {
        try (Tracker tracker = backend.openOrFail(false, tickMillis)) {
            return means(traffic, tickMillis, tracker);
        }
    }

    /** The same means of {@code timebucket} with rules of its own. */
    static Means means(Traffic traffic, TimeRules rules) {
        try (Tracker tracker = Backend.timebucket(rules)) {
            return means(traffic, rules.tickMillis(), tracker);
        }
    }

    private static Means means(Traffic traffic, long tickMillis, Tracker tracker) {
        List<Point> points = run(traffic, 0, tickMillis, tracker, SPANS_FOR_MEANS, share -> { });
        return Means.of(points, traffic.delays().longestMillis());
    }

    /**
     * Runs and takes readings.
     *
     * @param ackedShare the share of the messages that is acknowledged one by one before it is due, as likely in any moment
     * @param spans the length of the run, in longest delays
     * @param progress is told the share that is done, now and then
     */
    static List<Point> run(Traffic traffic, double ackedShare, long tickMillis, Tracker tracker, double spans,
            DoubleConsumer progress) {
        long endMillis = Math.round(traffic.delays().longestMillis() * spans);
        long stepMillis = Math.max(tickMillis, endMillis / MOST_STEPS);
        long pointMillis = Math.max(stepMillis, endMillis / POINTS);
        List<Point> points = new ArrayList<>();
        Traffic.Source source = traffic.new Source(SEED);
        source.next();
        SplittableRandom random = new SplittableRandom(SEED);
        PriorityQueue<Ack> acks = new PriorityQueue<>(Comparator.comparingLong(Ack::atMillis));
        long nextPointMillis = pointMillis;
        for (long atMillis = 0; atMillis <= endMillis; atMillis += stepMillis) {
            long nowMillis = Traffic.START_MILLIS + atMillis;
            tracker.setNowMillis(nowMillis);
            while (source.publishMillis() <= nowMillis) {
                tracker.add(source.ledgerId(), source.entryId(), source.deliverAtMillis());
                if (ackedShare > 0 && random.nextDouble() < ackedShare) {
                    long delayMillis = source.deliverAtMillis() - source.publishMillis();
                    acks.add(new Ack(source.publishMillis() + (long) (delayMillis * random.nextDouble()), source.ledgerId(),
                            source.entryId()));
                }
                source.next();
            }
            while (!acks.isEmpty() && acks.peek().atMillis <= nowMillis) {
                Ack ack = acks.remove();
                tracker.acked(ack.ledgerId, ack.entryId);
            }
            while (tracker.hasDue() && tracker.handOut(BATCH) > 0) {
                Thread.onSpinWait();
            }
            if (atMillis >= nextPointMillis) {
                nextPointMillis += pointMillis;
                points.add(new Point(atMillis, tracker.count(), tracker.reportedBytes()));
                progress.accept((double) atMillis / endMillis);
            }
        }
        return points;
    }
}
