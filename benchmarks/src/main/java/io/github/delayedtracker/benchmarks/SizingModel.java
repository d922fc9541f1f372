/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.timebucket.TimeBucketIndexProvider;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The model of the memory that the index of one subscription takes for some traffic, without running all of it.
 *
 * <p>Ours: a real index is filled with a sample of consecutive messages and scaled up. An open tail and half a chunk, which do
 * not grow with the messages, come on top. The stock time buckets: the cells of the sample are counted and scaled; the buckets
 * of a fill are counted, and those of a steady state follow from how densely due times lie; sizes are those of
 * {@link StockSizes}. In a steady state samples of several ages are taken, each without the messages due by then.
 */
final class SizingModel {

    /** The number of positions that {@code timebucket} seals at a time. */
    private static final int SEGMENT = 1 << 14;
    /** The last segment of a sample is not full until it is sealed, so nothing is left of it in an open tail. */
    private static final int SAMPLE = 4 * SEGMENT - 1;
    private static final int HALF_SAMPLE = 2 * SEGMENT - 1;
    private static final long SAMPLE_SEED = 4_711;
    private static final int LARGEST_CELL_SAMPLE = 1 << 18;
    /** After these the late part and what is noted of late positions are as large as they ever are, and go round in as many. */
    private static final int SEGMENTS_WITH_LATE = 14;
    private static final int AGES = 24;
    private static final int TAILS = 4;
    /** The least messages left in a sample; a sample with fewer says little, and stands for few. */
    private static final int LEAST_LEFT = 16;
    private static final int LEADS_PER_AGE = 2_000;
    private static final int TRIPLE_BYTES = 24;
    private static final int HEAP_CHUNK_BYTES = TRIPLE_BYTES << 14;
    /** The messages in the longest delay below which the steady state is run instead of sampled. */
    static final double SMALL = 1_500_000;

    private final Traffic traffic;
    private final TimeRules rules;
    private final long precisionMillis;

    SizingModel(Traffic traffic, long precisionMillis) {
        this(traffic, new TimeRules(false, precisionMillis, precisionMillis));
    }

    /** The model where {@code timebucket} rounds by rules of its own; the others take their precision only. */
    SizingModel(Traffic traffic, TimeRules rules) {
        this.traffic = traffic;
        this.rules = rules;
        this.precisionMillis = rules.precisionMillis();
    }

    /** The bytes after a fill with that number of messages from which nothing was drained. */
    Map<Backend, Long> filled(long messages) {
        Map<Backend, Long> bytes = new EnumMap<>(Backend.class);
        bytes.put(Backend.TIMEBUCKET, filledTimeBucket(messages));
        int count = (int) Math.min(messages, SAMPLE);
        long heapBytes = sample(count, Long.MIN_VALUE).sealedBytes(new HeapIndexProvider());
        bytes.put(Backend.HEAP,
                count < messages ? heapBytes * messages / count + HEAP_CHUNK_BYTES / 2 : heapBytes);
        bytes.put(Backend.STOCK_4_0, StockSizes.heapBytes(messages));
        int cellCount = cellSample(messages);
        long cellBytes = sample(cellCount, Long.MIN_VALUE).cellBytes(cellCount);
        bytes.put(Backend.STOCK_4_2, Math.round((double) cellBytes * messages / cellCount)
                + StockSizes.bucketBytes(filledBuckets(messages)));
        return bytes;
    }

    /**
     * The bytes while messages are published and handed out at the same rate, with this model's own count of messages
     * outstanding. An open tail of mean size is in it; see {@link #mostTailBytes}.
     */
    Map<Backend, Long> steady() {
        double outstanding = outstanding();
        Map<Backend, Long> bytes = new EnumMap<>(Backend.class);
        bytes.put(Backend.STOCK_4_0, StockSizes.heapBytes(Math.round(outstanding)));
        if (traffic.perMilli() * traffic.delays().longestMillis() <= SMALL) {
            SteadyState.Means ours = SteadyState.means(traffic, rules);
            bytes.put(Backend.TIMEBUCKET, Math.round(ours.bytes()));
            bytes.put(Backend.HEAP, Math.round(SteadyState.means(traffic, precisionMillis, Backend.HEAP).bytes()));
            bytes.put(Backend.STOCK_4_2, snapshotBytes());
        } else {
            sampled(outstanding, bytes);
        }
        return bytes;
    }

    /** The most bytes of the open tail of {@code timebucket}, whatever the number of messages. */
    long mostTailBytes() {
        return outstanding() < SEGMENT
                ? rounded((int) Math.ceil(outstanding()), Long.MIN_VALUE).bytesAsTheyCame(new TimeBucketIndexProvider())
                : tailBytes(SEGMENT - 1);
    }

    private long meanTailBytes() {
        long sum = 0;
        for (int i = 0; i < TAILS; i++) {
            sum += tailBytes((2 * i + 1) * SEGMENT / (2 * TAILS));
        }
        return sum / TAILS;
    }

    /** The bytes of the open tail of an index that has sealed before. */
    private long tailBytes(int messages) {
        return rounded(SEGMENT + messages, Long.MIN_VALUE).bytesAsTheyCame(new TimeBucketIndexProvider())
                - Math.round(sealedBytesPerMessage() * SEGMENT);
    }

    /** The number of messages outstanding in a steady state, on average. */
    double outstanding() {
        return traffic.perMilli() * traffic.delays().meanMillis();
    }

    private void sampled(double outstanding, Map<Backend, Long> bytes) {
        long constantBytes = constantBytes();
        double ours = 0;
        double sets = 0;
        double cells = 0;
        double weight = 0;
        LongStream.Builder leads = LongStream.builder();
        int count = cellSample(Long.MAX_VALUE);
        Messages messages = traffic.messages(Math.max(SAMPLE, count), SAMPLE_SEED);
        Messages rounded = traffic.messages(messages.count(), SAMPLE_SEED, rules);
        long middleMillis = Traffic.START_MILLIS + Math.round(SAMPLE / 2.0 / traffic.perMilli());
        for (int i = 0; i < AGES; i++) {
            long nowMillis = middleMillis + Math.round(ageAt((i + 0.5) / AGES));
            AgedSample sample = sample(messages, nowMillis);
            if (sample.left() < LEAST_LEFT) {
                continue;
            }
            AgedSample own = sample(rounded, nowMillis);
            weight += 1;
            ours += (double) (own.sealedBytes(new TimeBucketIndexProvider()) - constantBytes) / own.left();
            sets += (double) sample.positionSetBytes(new HeapIndexProvider()) / sample.left();
            cells += (double) sample.cellBytes(count) / Math.max(1, sample.left(count));
            sample.leads(LEADS_PER_AGE).forEach(leads::add);
        }
        double buckets = Occupancy.buckets(leads.build().toArray(), outstanding, precisionMillis);
        bytes.put(Backend.TIMEBUCKET, constantBytes + meanTailBytes() + Math.round(ours / weight * outstanding));
        bytes.put(Backend.HEAP, Math.round((TRIPLE_BYTES + sets / weight) * outstanding) + HEAP_CHUNK_BYTES / 2);
        bytes.put(Backend.STOCK_4_2, Math.round(cells / weight * outstanding) + StockSizes.bucketBytes(buckets));
    }

    private long filledTimeBucket(long messages) {
        int round = SEGMENT * (hasLate() ? SEGMENTS_WITH_LATE : 1);
        int withTail = round + (int) (messages % round);
        if (messages < Math.max(SAMPLE, withTail)) {
            return rounded((int) messages, Long.MIN_VALUE).bytesAsTheyCame(new TimeBucketIndexProvider());
        }
        return rounded(withTail, Long.MIN_VALUE).bytesAsTheyCame(new TimeBucketIndexProvider())
                + Math.round(sealedBytesPerMessage() * (messages - withTail));
    }

    private boolean hasLate() {
        return traffic.arrivals().lateShare() > 0;
    }

    /** The bytes a sealed message, from the difference of two fills, which is whole segments and nothing else. */
    private double sealedBytesPerMessage() {
        return (double) (sealedBytes(SAMPLE) - sealedBytes(HALF_SAMPLE)) / (SAMPLE - HALF_SAMPLE);
    }

    /** The bytes that an index takes besides its segments. */
    private long constantBytes() {
        return Math.max(0, 2 * sealedBytes(HALF_SAMPLE) - sealedBytes(SAMPLE));
    }

    private long sealedBytes(int count) {
        return rounded(count, Long.MIN_VALUE).sealedBytes(new TimeBucketIndexProvider());
    }

    /** The age below which the given share of the messages outstanding is. */
    private double ageAt(double share) {
        double wanted = share * traffic.delays().meanMillis();
        double low = 0;
        double high = traffic.delays().longestMillis();
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (youngerThan(middle) < wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The share of messages outstanding, integrated up to an age. */
    private double youngerThan(double age) {
        double sum = 0;
        for (Delays.Piece piece : traffic.delays().pieces()) {
            double from = piece.fromMillis();
            double width = piece.toMillis() - from;
            double whole = Math.min(age, from);
            double past = Math.min(Math.max(age - from, 0), width);
            sum += piece.weight() * (whole + (width == 0 ? 0 : past - past * past / (2 * width)));
        }
        return sum;
    }

    /** The size of a sample of whole ledgers, so that no cell is cut. */
    private int cellSample(long messages) {
        double perLedger = Math.max(1, traffic.layout().entriesPerLedger() * traffic.layout().delayedShare());
        double whole = Math.ceil(SAMPLE / perLedger) * perLedger;
        return (int) Math.min(messages, Math.min(LARGEST_CELL_SAMPLE, Math.round(whole)));
    }

    private AgedSample sample(int count, long nowMillis) {
        return sample(traffic.messages(count, SAMPLE_SEED), nowMillis);
    }

    private AgedSample rounded(int count, long nowMillis) {
        return sample(traffic.messages(count, SAMPLE_SEED, rules), nowMillis);
    }

    private AgedSample sample(Messages messages, long nowMillis) {
        return new AgedSample(messages, traffic.perMilli(), precisionMillis, nowMillis);
    }

    private double filledBuckets(long messages) {
        DistinctCount buckets = new DistinctCount();
        Traffic.Source source = traffic.new Source(SAMPLE_SEED);
        for (long i = 0; i < messages; i++) {
            source.next();
            buckets.add(Math.floorDiv(source.deliverAtMillis(), precisionMillis));
        }
        return buckets.estimate();
    }

    /** The bytes of the stock time buckets at one moment of a steady state, counted. */
    private long snapshotBytes() {
        long longestMillis = traffic.delays().longestMillis();
        int count = (int) Math.max(1, Math.round(traffic.perMilli() * longestMillis));
        AgedSample left = sample(count, Traffic.START_MILLIS + longestMillis);
        return left.cellBytes(count) + StockSizes.bucketBytes(left.buckets());
    }
}
