/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The delays of messages: a mixture of fixed delays and uniform ranges, drawn anew for each message.
 *
 * @param pieces the mixture; weights add up to 1
 * @param jitterMillis the standard deviation of normal noise that is added to every delay, 0 for none
 * @param stepMillis the time by which each message is delayed longer than the one before it, 0 for none
 */
record Delays(List<Piece> pieces, double jitterMillis, long stepMillis) {

    private static final int PARTS = 32;

    /**
     * A share of the messages, uniform between two delays, or fixed where both are equal.
     *
     * @param weight its share, above 0 and up to 1
     * @param fromMillis shortest delay
     * @param toMillis end of the range, exclusive; equal to the shortest for a fixed delay
     */
    record Piece(double weight, long fromMillis, long toMillis) {

        boolean isFixed() {
            return fromMillis == toMillis;
        }

        Piece times(double factor) {
            return new Piece(weight * factor, fromMillis, toMillis);
        }
    }

    static Delays fixed(long millis) {
        return new Delays(List.of(new Piece(1, millis, millis)), 0, 0);
    }

    static Delays uniform(long fromMillis, long toMillis) {
        return new Delays(List.of(new Piece(1, fromMillis, toMillis)), 0, 0);
    }

    /** A choice of fixed delays; the weights need not add up to 1. */
    static Delays menu(long[] millis, double[] weights) {
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < millis.length; i++) {
            pieces.add(new Piece(weights[i] / sum, millis[i], millis[i]));
        }
        return new Delays(List.copyOf(pieces), 0, 0);
    }

    /** Equally frequent levels, each twice the one before, plus a uniform part of up to the first level. */
    static Delays backoff(long firstMillis, int levels) {
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < levels; i++) {
            pieces.add(new Piece(1.0 / levels, firstMillis << i, (firstMillis << i) + firstMillis));
        }
        return new Delays(List.copyOf(pieces), 0, 0);
    }

    /** Several of these, each with its share; shares need not add up to 1. */
    static Delays mix(List<Delays> parts, List<Double> shares) {
        double sum = shares.stream().mapToDouble(Double::doubleValue).sum();
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            double factor = shares.get(i) / sum;
            parts.get(i).pieces.forEach(piece -> pieces.add(piece.times(factor)));
        }
        return new Delays(List.copyOf(pieces), 0, 0);
    }

    Delays withJitter(double millis) {
        return new Delays(pieces, millis, stepMillis);
    }

    Delays withStep(long millis) {
        return new Delays(pieces, jitterMillis, millis);
    }

    /** The delay of the next message, which is the i-th. */
    long nextMillis(long i, SplittableRandom random) {
        Piece piece = choose(pieces.size() == 1 ? 0 : random.nextDouble());
        long millis = piece.fromMillis + i * stepMillis;
        if (!piece.isFixed()) {
            millis += random.nextLong(piece.toMillis - piece.fromMillis);
        }
        return jitterMillis == 0 ? millis : millis + Math.round(jitterMillis * normal(random));
    }

    private Piece choose(double at) {
        double left = at;
        for (Piece piece : pieces) {
            left -= piece.weight;
            if (left < 0) {
                return piece;
            }
        }
        return pieces.get(pieces.size() - 1);
    }

    /**
     * The delays of the messages that are outstanding at an age, each piece with the share of all messages that it is.
     *
     * @param ackedShare the share of the messages that leaves before it is due, as likely in any moment
     */
    List<Piece> left(long ageMillis, double ackedShare) {
        List<Piece> left = new ArrayList<>();
        for (Piece piece : pieces) {
            long from = Math.max(piece.fromMillis, ageMillis);
            long width = piece.toMillis - piece.fromMillis;
            // How many of a delay are left depends on the delay where some leave early.
            int parts = width == 0 || ackedShare == 0 ? 1 : PARTS;
            for (int i = 0; i < parts && (width == 0 ? piece.fromMillis > ageMillis : piece.toMillis > from); i++) {
                long begin = from + (piece.toMillis - from) * i / parts;
                long end = from + (piece.toMillis - from) * (i + 1) / parts;
                double share = width == 0 ? 1 : (double) (end - begin) / width;
                double stay = 1 - ackedShare * 2 * ageMillis / (begin + end);
                if (share > 0) {
                    left.add(new Piece(piece.weight * share * stay, begin, end));
                }
            }
        }
        return left;
    }

    /** The mean delay without the part that grows from message to message. */
    double meanMillis() {
        return pieces.stream().mapToDouble(piece -> piece.weight * (piece.fromMillis + piece.toMillis) / 2).sum();
    }

    /** The longest delay without noise and without the part that grows. */
    long longestMillis() {
        return pieces.stream().mapToLong(Piece::toMillis).max().orElse(0);
    }

    /** The share of messages with a delay above the given one. */
    double shareAbove(double millis) {
        double share = 0;
        for (Piece piece : pieces) {
            if (piece.isFixed()) {
                share += piece.fromMillis > millis ? piece.weight : 0;
            } else {
                double above = (piece.toMillis - millis) / (piece.toMillis - piece.fromMillis);
                share += piece.weight * Math.min(1, Math.max(0, above));
            }
        }
        return share;
    }

    private static double normal(SplittableRandom random) {
        return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
    }
}
