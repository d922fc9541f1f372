/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.CatalogueKeeper;
import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.bucket.steps.ReadSnapshot.OpenSnapshot;
import io.github.delayedtracker.bucket.steps.ReadSnapshot.RecoverBucket;
import io.github.delayedtracker.bucket.steps.SnapshotSteps.WrittenSnapshot;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import io.github.delayedtracker.timebucket.CutRule;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A faulty storage in virtual time with the steps of one subscription on it, and what has to hold when they are over. */
public final class JobWorld {

    public static final String TOPIC = "topic";
    public static final String CURSOR = "cursor";
    public static final SnapshotOwner OWNER = new SnapshotOwner(TOPIC, CURSOR, 1);
    /** Where segments end if a test does not say otherwise. */
    public static final CutRule RULE = new CutRule(100, 1, 300_000);

    public final JobTime time;
    public final FaultyStorage faulty;
    /** Without caches, so that what is not given back shows. */
    final PooledByteBufAllocator allocator = new PooledByteBufAllocator(true, 1, 1, 8192, 3, 0, 0, false);
    public Leftovers leftovers;
    public StorageLife life;
    public Retries retries;
    private final JobLimits limits;
    private final CutRule segments;
    private final Random jitter;

    public JobWorld(long seed, FaultRates rates, JobLimits limits, CutRule segments) {
        time = new JobTime(seed);
        faulty = new FaultyStorage(seed, rates, time);
        jitter = new Random(seed);
        this.limits = limits;
        this.segments = segments;
        newLife();
    }

    public JobWorld(long seed) {
        this(seed, FaultRates.none());
    }

    public JobWorld(long seed, FaultRates rates) {
        this(seed, rates, JobLimits.DEFAULT, RULE);
    }

    /** The next broker process; the one before was crashed or is to be let go. */
    public void newLife() {
        life = faulty.newLife();
        leftovers = new Leftovers();
        retries = time.retries(jitter::nextLong, limits);
    }

    public SnapshotStorage storage() {
        return life.storage();
    }

    WriteSnapshot writes() {
        return writes(OWNER, allocator);
    }

    WriteSnapshot writes(SnapshotOwner owner, ByteBufAllocator buffers) {
        return new WriteSnapshot(storage(), owner, segments, retries, leftovers, buffers, time::nowMillis);
    }

    ReadSnapshot reads() {
        return new ReadSnapshot(storage(), OWNER, retries, new StockRanges());
    }

    MergeSnapshots merges() {
        return new MergeSnapshots(writes());
    }

    RecoverBucket recovers() {
        return new RecoverBucket(reads());
    }

    public CatalogueKeeper keeper() {
        return keeper(life.catalogue(TOPIC, CURSOR));
    }

    public CatalogueKeeper keeper(CatalogueStore store) {
        return new CatalogueKeeper(store, storage(), OWNER, retries, leftovers);
    }

    public CatalogueKeeper loadedKeeper() throws Exception {
        CatalogueKeeper keeper = keeper();
        get(keeper.load());
        return keeper;
    }

    public <T> T get(CompletableFuture<T> answer) throws Exception {
        return time.get(answer);
    }

    public WrittenSnapshot write(SegmentColumns columns) throws Exception {
        return get(writes().write(columns));
    }

    /** The future fails with a storage exception of a kind, and not wrapped in another. */
    public StorageException failure(Kind kind, CompletableFuture<?> answer) {
        StorageException failure = assertThrows(StorageException.class, () -> get(answer));
        assertEquals(kind, failure.kind(), failure.getMessage());
        assertSame(failure, answer.handle((value, raw) -> raw).join(), "not wrapped");
        return failure;
    }

    /** Each segment ends where the rule says, the last one anywhere before. */
    static void assertFollows(CutRule rule, List<SegmentEntry> segments, String context) {
        for (int i = 0; i < segments.size(); i++) {
            SegmentEntry segment = segments.get(i);
            assertFalse(rule.endsBefore(segment.positions() - 1, segment.lastDueMillis() - segment.firstDueMillis()),
                    () -> "it would have ended before: " + segment + ", " + context);
            assertTrue(i + 1 == segments.size() || rule.endsBefore(segment.positions(),
                    segments.get(Math.min(i + 1, segments.size() - 1)).firstDueMillis() - segment.firstDueMillis()),
                    () -> "it would not end yet: " + segment + ", " + context);
        }
    }

    /** All events over: nothing is open, held, armed or under way. */
    public void assertNothingHeld(String context) {
        time.runAll();
        assertEquals(0, life.callsUnderWay(), "calls under way " + context);
        assertEquals(0, life.openReaders(), "open readers " + context);
        assertEquals(0, life.openWriters(), "open writers " + context);
        assertEquals(0, life.unreleasedBuffers(), "unreleased buffers " + context);
        assertEquals(0, time.armedCount(), "armed timers " + context);
        long active = allocator.metric().directArenas().stream().mapToLong(PoolArenaMetric::numActiveAllocations).sum();
        assertEquals(0, active, "buffers not given back to the pool " + context);
    }

    /** Distinct positions in random order of their times. */
    public static SegmentColumns columns(long seed, int count, long firstMillis, long spanMillis) {
        Random random = new Random(seed);
        long[] dueMillis = new long[count];
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        for (int i = 0; i < count; i++) {
            ledgerIds[i] = 5L + i / 70;
            entryIds[i] = i % 70 * 3L + random.nextInt(3);
            dueMillis[i] = firstMillis + random.nextLong(spanMillis);
        }
        return new SegmentColumns(count, dueMillis, ledgerIds, entryIds);
    }

    record Position(long ledgerId, long entryId) implements Comparable<Position> {
        @Override
        public int compareTo(Position other) {
            int byLedger = Long.compare(ledgerId, other.ledgerId);
            return byLedger != 0 ? byLedger : Long.compare(entryId, other.entryId);
        }
    }

    static Map<Position, Long> map(List<SegmentColumns> parts) {
        Map<Position, Long> map = new TreeMap<>();
        for (SegmentColumns part : parts) {
            for (int i = 0; i < part.count(); i++) {
                Long before = map.put(new Position(part.ledgerId(i), part.entryId(i)), part.dueMillis(i));
                assertEquals(null, before, "a position stands twice");
            }
        }
        return map;
    }

    /** What a snapshot says, read segment by segment. */
    Map<Position, Long> contentOf(long ledgerId) throws Exception {
        OpenSnapshot snapshot = get(reads().open(ledgerId));
        List<SegmentColumns> parts = new ArrayList<>();
        for (int i = 0; i < snapshot.head().segments().size(); i++) {
            parts.add(get(snapshot.segments().read(i)));
        }
        snapshot.close();
        Map<Position, Long> content = map(parts);
        for (Position each : content.keySet()) {
            assertTrue(snapshot.head().positions().contains(each.ledgerId(), each.entryId()), each + " is in the head");
        }
        assertEquals(content.size(), snapshot.head().positions().size());
        return content;
    }
}
