/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleBiFunction;

/**
 * The fewest bits a message that can tell in which time bucket each message of some traffic is due, if nothing was drained: the
 * entropy of the function from positions to buckets. Ledger boundaries cost next to nothing and are left out.
 *
 * <p>Random delays: the entropy of the bucket given the moment of publication, on average over where in a bucket that moment
 * lies. One fixed delay: the function is a staircase with one step a bucket on average, at any messages. Messages at an even rate
 * can be told in less. A share of delayed entries and a ledger for each message: the entropy of the positions on top.
 */
final class InformationBound {

    /** The moments within a bucket over which the entropy is averaged. */
    private static final int PHASES = 64;
    private static final int AGES = 200;
    private static final double LN_2 = Math.log(2);

    private InformationBound() {
    }

    /** The bits a message after a fill from which nothing was drained. */
    static double bits(Traffic traffic, long precisionMillis) {
        return dueBits(traffic, precisionMillis) + positionBits(traffic.layout());
    }

    /**
     * The bits an outstanding message while messages are published and handed out at the same rate. Those that have left leave
     * holes, and those left have other delays than all. On average over the ages of the messages outstanding. The moments of
     * publication are taken as known, so that a fixed delay costs nothing.
     *
     * @param ackedShare the share of the messages that is acknowledged before it is due, as likely in any moment
     */
    static double steadyBits(Traffic traffic, long precisionMillis, double ackedShare) {
        return steadyPositionBits(traffic, ackedShare) + meanOverAges(traffic, ackedShare, (share, left) -> {
            List<Delays.Piece> ofThese = left.stream().map(piece -> piece.times(1 / share)).toList();
            return average(ofThese, precisionMillis);
        });
    }

    /** The part of {@link #steadyBits} that tells which of all positions are outstanding. */
    static double steadyPositionBits(Traffic traffic, double ackedShare) {
        Layout layout = traffic.layout();
        return meanOverAges(traffic, ackedShare, (share, left) -> {
            double present = layout.delayedShare() * share;
            return layout.ledgerGap() > 0 ? positionBits(layout) - log2(share) : binary(present) / present;
        });
    }

    /** A mean over the messages outstanding, of a function of the share that is left at an age and of their delays. */
    private static double meanOverAges(Traffic traffic, double ackedShare,
            ToDoubleBiFunction<Double, List<Delays.Piece>> bitsAtAge) {
        double bits = 0;
        double outstanding = 0;
        for (int i = 0; i < AGES; i++) {
            long ageMillis = Math.round(traffic.delays().longestMillis() * (i + 0.5) / AGES);
            List<Delays.Piece> left = traffic.delays().left(ageMillis, ackedShare);
            double share = left.stream().mapToDouble(Delays.Piece::weight).sum();
            if (share > 0) {
                bits += share * bitsAtAge.applyAsDouble(share, left);
                outstanding += share;
            }
        }
        return bits / outstanding;
    }

    /** The bits a message that tell which of all messages a share is made of. */
    static double choiceBits(double share) {
        return binary(share);
    }

    private static double dueBits(Traffic traffic, long precisionMillis) {
        Delays delays = traffic.delays();
        if (delays.stepMillis() > 0) {
            return 0;
        }
        List<Delays.Piece> pieces = delays.pieces();
        if (delays.jitterMillis() > 0) {
            return normal(delays.jitterMillis() / precisionMillis);
        }
        if (pieces.size() == 1 && pieces.get(0).isFixed()) {
            return staircase(traffic.perMilli() * precisionMillis);
        }
        return average(pieces, precisionMillis);
    }

    private static double average(List<Delays.Piece> pieces, long precisionMillis) {
        double sum = 0;
        for (int i = 0; i < PHASES; i++) {
            sum += mixture(pieces, precisionMillis, (i + 0.5) / PHASES);
        }
        return sum / PHASES;
    }

    private static double positionBits(Layout layout) {
        double share = layout.delayedShare();
        double holes = share < 1 ? binary(share) / share : 0;
        int gap = layout.ledgerGap();
        return gap > 0 ? log2(Math.E * gap) + log2(layout.entriesPerLedger()) : holes;
    }

    /** The bits a message that tell one of all monotone staircases, with a step after that number of messages on average. */
    static double staircase(double messagesPerBucket) {
        double steps = 1 / messagesPerBucket;
        return (1 + steps) * log2(1 + steps) - steps * log2(steps);
    }

    /** The entropy of the bucket of a normal variable whose deviation is given in buckets. */
    static double normal(double deviation) {
        double sum = 0;
        for (int i = 0; i < PHASES * 16; i++) {
            double phase = (i + 0.5) / (PHASES * 16);
            int reach = (int) Math.ceil(8 * deviation) + 1;
            for (int bucket = -reach; bucket <= reach; bucket++) {
                sum += entropy(cumulative((bucket + 1 - phase) / deviation) - cumulative((bucket - phase) / deviation));
            }
        }
        return sum / (PHASES * 16);
    }

    /** The entropy of the bucket of a delay for a message published at a phase of its bucket. */
    private static double mixture(List<Delays.Piece> pieces, long width, double phase) {
        TreeSet<Long> edges = new TreeSet<>();
        for (Delays.Piece piece : pieces) {
            edges.add((long) Math.floor((double) piece.fromMillis() / width + phase));
            edges.add((long) Math.floor((double) piece.toMillis() / width + phase));
        }
        double bits = 0;
        long next = Long.MIN_VALUE;
        for (long edge : edges) {
            if (next < edge && next != Long.MIN_VALUE) {
                // No range begins or ends in the buckets between two edges, so all are equally likely.
                bits += (edge - next) * entropy(share(pieces, next, width, phase));
            }
            bits += entropy(share(pieces, edge, width, phase));
            next = edge + 1;
        }
        return bits;
    }

    private static double share(List<Delays.Piece> pieces, long bucket, long width, double phase) {
        double share = 0;
        for (Delays.Piece piece : pieces) {
            double from = (double) piece.fromMillis() / width + phase;
            double to = (double) piece.toMillis() / width + phase;
            if (piece.isFixed()) {
                share += Math.floor(from) == bucket ? piece.weight() : 0;
            } else {
                share += piece.weight() * Math.max(0, Math.min(bucket + 1, to) - Math.max(bucket, from)) / (to - from);
            }
        }
        return share;
    }

    private static double binary(double share) {
        return entropy(share) + entropy(1 - share);
    }

    private static double entropy(double share) {
        return share <= 0 ? 0 : -share * log2(share);
    }

    private static double log2(double value) {
        return Math.log(value) / LN_2;
    }

    /** The normal distribution function, to 1e-7 (Abramowitz and Stegun 26.2.17). */
    private static double cumulative(double x) {
        double t = 1 / (1 + 0.2316419 * Math.abs(x));
        double tail = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI)
                * t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return x < 0 ? tail : 1 - tail;
    }
}
