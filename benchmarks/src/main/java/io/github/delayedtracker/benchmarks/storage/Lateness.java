/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The lateness of messages that were handed out, turn by turn. The result is the median over the turns, so that a turn in which
 * the machine stood still for a moment does not decide. Counting is thread safe, the rest is for one thread.
 */
final class Lateness {

    /** One turn with the lateness of each of its messages, in microseconds. */
    private static final class Turn {
        private final int[] micros;
        private final AtomicInteger count = new AtomicInteger();

        private Turn(int most) {
            micros = new int[most];
        }
    }

    private final int mostInATurn;
    private final List<Turn> turns = new ArrayList<>();
    /** The turn that is counted, or null. */
    private volatile Turn current;

    Lateness(int mostInATurn) {
        this.mostInATurn = mostInATurn;
    }

    void begin() {
        Turn turn = new Turn(mostInATurn);
        turns.add(turn);
        current = turn;
    }

    void end() {
        current = null;
    }

    /** Counts a message; does nothing between turns. */
    void count(long lateMicros) {
        Turn turn = current;
        int at = turn == null ? mostInATurn : turn.count.getAndIncrement();
        if (at < mostInATurn) {
            turn.micros[at] = (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, lateMicros));
        }
    }

    /** The number of messages in all turns. */
    int messages() {
        return turns.stream().mapToInt(turn -> Math.min(turn.count.get(), mostInATurn)).sum();
    }

    /** The milliseconds that such a part of the messages of a turn did not exceed, for each turn, ascending. */
    double[] quantileMillis(double quantile) {
        return turns.stream().mapToDouble(turn -> {
            int messages = Math.min(turn.count.get(), mostInATurn);
            int[] sorted = Arrays.copyOf(turn.micros, messages);
            Arrays.sort(sorted);
            return messages == 0 ? 0 : sorted[(int) Math.min(messages - 1, (long) (quantile * messages))] / 1e3;
        }).sorted().toArray();
    }

    /** The same time as the median of the turns; the lower one of two. */
    double medianMillis(double quantile) {
        double[] ofTurns = quantileMillis(quantile);
        return ofTurns[(ofTurns.length - 1) / 2];
    }
}
