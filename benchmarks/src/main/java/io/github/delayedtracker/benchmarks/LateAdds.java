/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The CPU time of adds of which a share comes out of order, beside that of adds in order and of the stock heap, and the bytes.
 * All of them take turns in one process, so that a busy machine slows down all alike; each figure is the median of the rounds
 * of its second half. Time is that of the adding thread alone, and of the same thread where it packs full parts itself.
 *
 * <pre>
 * java -Xmx2g -XX:+UseParallelGC -cp benchmarks/target/benchmarks.jar io.github.delayedtracker.benchmarks.LateAdds 300000 24
 * </pre>
 */
public final class LateAdds {

    private static final double[] SHARES = {0.001, 0.01, 0.05, 0.2, 0.5, 1};
    private static final long TICK_MILLIS = 1_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int FEWEST_WEIGHED = 64;

    private enum Order {
        /** Nothing is late. */
        IN_ORDER,
        /** Each late one comes behind up to 2,000 later ones. */
        NEAR,
        /** Each late one comes behind up to 100,000 later ones. */
        FAR,
        /** Of each 10,000 in a row the late ones come in order behind the others, as when a blocked key goes on. */
        REPLAY;

        private static final int RUN = 10_000;

        /** The place, twice as fine, at which a late message comes. */
        long place(long i, SplittableRandom random) {
            return switch (this) {
                case IN_ORDER -> 2 * i;
                case NEAR -> 2 * (i + random.nextInt(1, 2_001));
                case FAR -> 2 * (i + random.nextInt(1, 100_001));
                case REPLAY -> 2 * (i / RUN * RUN + RUN) - 1;
            };
        }
    }

    private final List<Contest> contests = new ArrayList<>();

    private LateAdds() {
    }

    /** Runs the program of the class; the arguments are the messages of a fill and the rounds. */
    public static void main(String[] arguments) {
        LateAdds run = new LateAdds();
        int messages = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        for (Workload workload : List.of(Workload.UNIFORM_600S, Workload.ONE_PER_LEDGER)) {
            run.compare(workload, messages, rounds);
        }
    }

    private void compare(Workload workload, int messages, int rounds) {
        Messages ascending = workload.messages(messages);
        contests.clear();
        contests.add(new Contest("in order", 0, ascending));
        for (Order order : List.of(Order.NEAR, Order.FAR, Order.REPLAY)) {
            for (double share : SHARES) {
                // A replay of all is in order.
                if (order != Order.REPLAY || share < 1) {
                    contests.add(new Contest(order.name().toLowerCase(Locale.ROOT), share, late(ascending, order, share)));
                }
            }
        }
        for (int round = 0; round < rounds; round++) {
            // The stock heap's buffers are outside the heap and freed with their objects, which are small.
            System.gc();
            for (Contest contest : contests) {
                contest.run(round >= rounds / 2);
            }
        }
        print("%n%s, %,d messages, CPU ns an add%n%n", workload.label(), messages);
        print("| late | share, %% | timebucket | times in order | packing as well | times in order | stock 4.0.7 "
                + "| timebucket, times stock | most bytes, times stock |%n|---|--:|--:|--:|--:|--:|--:|--:|--:|%n");
        Contest inOrder = contests.get(0);
        for (Contest contest : contests) {
            contest.print(inOrder);
        }
    }

    private static Messages late(Messages ascending, Order order, double share) {
        SplittableRandom random = new SplittableRandom(1);
        long[] places = new long[ascending.count()];
        for (int i = 0; i < places.length; i++) {
            places[i] = (random.nextDouble() < share ? order.place(i, random) : 2L * i) << Integer.SIZE | i;
        }
        Arrays.sort(places);
        Messages late = new Messages(places.length);
        for (int place = 0; place < places.length; place++) {
            int i = (int) places[place];
            late.set(place, ascending.ledgerId(i), ascending.entryId(i), ascending.deliverAtMillis(i));
        }
        return late;
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }

    /** One order of the messages, and how long it took each tracker. */
    private static final class Contest {
        private final String name;
        private final double share;
        private final Messages messages;
        private final List<Double> ours = new ArrayList<>();
        private final List<Double> packing = new ArrayList<>();
        private final List<Double> stock = new ArrayList<>();
        private double mostBytes;

        Contest(String name, double share, Messages messages) {
            this.name = name;
            this.share = share;
            this.messages = messages;
        }

        void run(boolean counts) {
            double withWorker = nanos(Backend.TIMEBUCKET, true);
            double alone = nanos(Backend.TIMEBUCKET, false);
            double ofStock = nanos(Backend.STOCK_4_0, false);
            if (counts) {
                ours.add(withWorker);
                packing.add(alone);
                stock.add(ofStock);
            } else if (mostBytes == 0) {
                mostBytes = mostBytes();
            }
        }

        private double nanos(Backend backend, boolean worker) {
            System.setProperty(IndexTracker.WORKER, Boolean.toString(worker));
            try (Tracker tracker = backend.openOrFail(false, TICK_MILLIS)) {
                long before = THREADS.getCurrentThreadCpuTime();
                messages.addTo(tracker);
                return (double) (THREADS.getCurrentThreadCpuTime() - before) / messages.count();
            }
        }

        /** The most bytes of ours, as a multiple of the stock heap's, at 48 sizes of fills from 64 messages up to all. */
        private double mostBytes() {
            double most = 0;
            for (double size = FEWEST_WEIGHED; size < messages.count(); size *= 1.2) {
                try (Tracker tracker = Backend.TIMEBUCKET.openOrFail(false, TICK_MILLIS)) {
                    messages.addTo(tracker, (int) size);
                    most = Math.max(most, (double) tracker.reportedBytes() / StockSizes.heapBytes((int) size));
                }
            }
            return most;
        }

        void print(Contest inOrder) {
            LateAdds.print("| %s | %.1f | %.0f | %.2f | %.0f | %.2f | %.0f | %.2f | %.2f |%n", name, share * 100,
                    median(ours), median(ours) / median(inOrder.ours), median(packing), median(packing) / median(inOrder.packing),
                    median(stock), median(ours) / median(stock), mostBytes);
        }

        private static double median(List<Double> times) {
            double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            return sorted[sorted.length / 2];
        }
    }
}
