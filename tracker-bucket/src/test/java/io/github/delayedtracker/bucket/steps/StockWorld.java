/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.chores.AwakeBuckets;
import io.github.delayedtracker.bucket.chores.BucketKey;
import io.github.delayedtracker.bucket.chores.BucketOrigin;
import io.github.delayedtracker.bucket.chores.BucketOrigin.StockSnapshots;
import io.github.delayedtracker.bucket.chores.BucketServices;
import io.github.delayedtracker.bucket.chores.BucketSettings;
import io.github.delayedtracker.bucket.chores.QuietHost;
import io.github.delayedtracker.bucket.chores.SomeServices;
import io.github.delayedtracker.bucket.chores.SomeSettings;
import io.github.delayedtracker.bucket.chores.SubscriptionBuckets;
import io.github.delayedtracker.bucket.index.BucketIndex;
import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.StockBytes;
import io.github.delayedtracker.bucket.snapshot.StockKey;
import io.github.delayedtracker.bucket.steps.JobWorld.Position;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StockLedgers;
import io.github.delayedtracker.bucket.storage.StockLedgers.StockOwner;
import io.github.delayedtracker.bucket.storage.faults.FaultRates;
import io.github.delayedtracker.index.DelayIndex;
import io.github.delayedtracker.index.PositionSink;
import io.github.delayedtracker.timebucket.SmallTimeBuckets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A cursor with snapshots of the stock tracker, and the buckets of its subscription on it, in virtual time. */
final class StockWorld extends QuietHost {

    static final StockOwner STOCK_OWNER = new StockOwner("persistent://" + JobWorld.TOPIC, JobWorld.CURSOR);
    static final StockOwner OTHER_OWNER = new StockOwner("persistent://" + JobWorld.TOPIC + "-partition-1", JobWorld.CURSOR);

    private static final BucketKey KEY = new BucketKey(JobWorld.TOPIC, JobWorld.CURSOR, BucketKey.WHOLE);
    static final long FIRST_DUE_MILLIS = 10_000_000;
    private static final int STOCK_SEGMENT = 50;
    private static final long STOCK_STEP_MILLIS = 60_000;

    final JobWorld jobs;
    long[] markDelete = {-1, -1};
    /** Whether snapshots are kept and written in the stock form. */
    boolean kept;
    BucketSettings settings = SomeSettings.DEFAULT;
    /** How many merges there may be at a time. */
    int merges = 1;
    SubscriptionBuckets buckets;
    private BucketServices services;

    StockWorld(long seed) {
        jobs = new JobWorld(seed, FaultRates.none());
    }

    /** Positions of one ledger of the topic each, so many, due from {@link #FIRST_DUE_MILLIS} on. */
    static SegmentColumns columns(int firstLedger, int lastLedger, int ofEach) {
        int count = (lastLedger - firstLedger + 1) * ofEach;
        long[] dueMillis = new long[count];
        long[] ledgerIds = new long[count];
        long[] entryIds = new long[count];
        for (int i = 0; i < count; i++) {
            ledgerIds[i] = (long) firstLedger + i / ofEach;
            entryIds[i] = i % ofEach;
            dueMillis[i] = FIRST_DUE_MILLIS + (entryIds[i] * 7919L + ledgerIds[i] * 104_729L) % 200_000;
        }
        return new SegmentColumns(count, dueMillis, ledgerIds, entryIds);
    }

    /** A snapshot as the stock tracker leaves it, without its property. */
    long stockLedger(StockOwner owner, SegmentColumns columns) throws Exception {
        SnapshotWriter writer = jobs.get(jobs.storage().create(new SnapshotOwner(owner.topic(), owner.cursor(), 1)));
        for (byte[] entry : StockBytes.entries(columns, STOCK_SEGMENT, STOCK_STEP_MILLIS)) {
            jobs.get(writer.append(Unpooled.wrappedBuffer(entry)));
        }
        jobs.get(writer.close());
        return writer.ledgerId();
    }

    void property(long firstLedger, long lastLedger, Object ledgerId) throws Exception {
        jobs.get(jobs.life.putForeignProperty(JobWorld.TOPIC, JobWorld.CURSOR, new StockKey(firstLedger, lastLedger).property(),
                ledgerId.toString()));
    }

    long stock(int firstLedger, int lastLedger, int ofEach) throws Exception {
        long ledgerId = stockLedger(STOCK_OWNER, columns(firstLedger, lastLedger, ofEach));
        property(firstLedger, lastLedger, ledgerId);
        return ledgerId;
    }

    /** The topic is loaded: the tracker is there and begins to recover. */
    BucketIndex load() {
        jobs.life.reloadCursor(JobWorld.TOPIC, JobWorld.CURSOR);
        JobTime time = jobs.time;
        services = SomeServices.in(time, jobs.storage()).allocator(jobs.allocator).newPart(new SmallTimeBuckets()::newIndex)
                .merges(merges, 1 << 20)
                .settings(new SomeSettings(settings).segments(JobWorld.RULE).make()).make();
        buckets = new SubscriptionBuckets(services, origin());
        buckets.start(this);
        return index();
    }

    void removeAll() throws Exception {
        jobs.get(SubscriptionBuckets.removeAll(services, origin()));
    }

    private BucketOrigin origin() {
        return new BucketOrigin() {
            @Override
            public BucketKey key() {
                return KEY;
            }

            @Override
            public CatalogueStore catalogue() {
                return jobs.life.catalogue(JobWorld.TOPIC, JobWorld.CURSOR);
            }

            @Override
            public Optional<StockSnapshots> stock() {
                return Optional.of(stockSnapshots());
            }
        };
    }

    private StockSnapshots stockSnapshots() {
        StockLedgers ledgers = new StockLedgers() {
            @Override
            public CompletableFuture<Optional<StockOwner>> ownerOf(long ledgerId) {
                return jobs.storage().ownerOf(ledgerId).thenApply(found -> found
                        .filter(owner -> owner.topic().startsWith("persistent://"))
                        .map(owner -> new StockOwner(owner.topic(), owner.cursor())));
            }

            @Override
            public CompletableFuture<SnapshotWriter> create(StockOwner owner, String property) {
                return jobs.storage().create(new SnapshotOwner(owner.topic(), owner.cursor(), 1));
            }
        };
        return new StockSnapshots(ledgers, STOCK_OWNER, jobs.life.catalogue(JobWorld.TOPIC, JobWorld.CURSOR, StockKey.PREFIX),
                kept);
    }

    /** Kill -9, and another broker takes the topic. */
    BucketIndex crash() {
        jobs.life.crash();
        jobs.time.close();
        jobs.newLife();
        return load();
    }

    BucketIndex index() {
        return AwakeBuckets.index(buckets);
    }

    boolean recovers() {
        return buckets.samples().get("bucket_recovering") == 1;
    }

    /** Until nothing is left to do before the first position is to be loaded. */
    void settle() {
        jobs.time.runUntil(jobs.time.nowMillis() + 600_000);
    }

    /** Every position with the time at which it is handed out, as far as the clock of the tracker goes. */
    Map<Position, Long> handOut() {
        List<SegmentColumns> all = new ArrayList<>();
        long endMillis = FIRST_DUE_MILLIS + 400_000;
        for (long now = FIRST_DUE_MILLIS - 60_000; now < endMillis; now += 1_000) {
            jobs.time.runUntil(now);
            long due = now;
            buckets.index().takeDue(now, Integer.MAX_VALUE, (l, e) ->
                    all.add(new SegmentColumns(1, new long[] {due}, new long[] {l}, new long[] {e})));
        }
        return JobWorld.map(all);
    }

    /** The due times of some positions, rounded up to whole seconds, as {@link #handOut} finds them. */
    static Map<Position, Long> wholeSeconds(SegmentColumns... parts) {
        Map<Position, Long> map = new TreeMap<>();
        for (SegmentColumns part : parts) {
            for (int i = 0; i < part.count(); i++) {
                map.put(new Position(part.ledgerId(i), part.entryId(i)), (part.dueMillis(i) + 999) / 1_000 * 1_000);
            }
        }
        return map;
    }

    Map<String, String> stockProperties() {
        Map<String, String> stock = new TreeMap<>();
        jobs.faulty.world().allPropertiesOf(JobWorld.TOPIC, JobWorld.CURSOR).forEach((key, value) -> {
            if (key.startsWith(StockKey.PREFIX)) {
                stock.put(key, value);
            }
        });
        return stock;
    }

    /** What the stock tracker would find by the properties: ledgers there, ranges apart or nested, positions within. */
    Map<Position, Long> asStockSees() throws Exception {
        Map<Position, Long> all = new TreeMap<>();
        long before = -1;
        List<StockKey> keys = new ArrayList<>();
        stockProperties().keySet().forEach(name ->
                keys.add(StockKey.parse(name.substring(StockKey.PREFIX.length())).orElseThrow()));
        keys.sort(Comparator.comparingLong(StockKey::firstLedgerId)
                .thenComparing(Comparator.comparingLong(StockKey::lastLedgerId).reversed()));
        for (StockKey key : keys) {
            if (key.lastLedgerId() <= before) {
                // What a merge has not cleared away yet: of two such stock takes the one around the other.
                entriesOf(Long.parseLong(stockProperties().get(key.property())));
                continue;
            }
            if (key.firstLedgerId() <= before || key.lastLedgerId() < key.firstLedgerId()) {
                throw new AssertionError("ranges are apart: " + keys);
            }
            before = key.lastLedgerId();
            long ledgerId = Long.parseLong(stockProperties().get(key.property()));
            for (Map.Entry<String, Long> each : StockBytes.read(entriesOf(ledgerId)).entrySet()) {
                String[] position = each.getKey().split(":");
                Position found = new Position(Long.parseLong(position[0]), Long.parseLong(position[1]));
                if (found.ledgerId() < key.firstLedgerId() || found.ledgerId() > key.lastLedgerId()) {
                    throw new AssertionError(found + " is within " + key);
                }
                all.put(found, (each.getValue() + 999) / 1_000 * 1_000);
            }
        }
        return all;
    }

    private List<byte[]> entriesOf(long ledgerId) throws Exception {
        SnapshotReader reader = jobs.get(jobs.storage().open(ledgerId));
        List<byte[]> entries = new ArrayList<>();
        for (ByteBuf entry : jobs.get(reader.read(0, reader.lastEntryId()))) {
            entries.add(ByteBufUtil.getBytes(entry));
            entry.release();
        }
        reader.close();
        return entries;
    }

    /** The broker offers some positions that are not tracked, in their order, a second for each ledger. */
    void offer(SegmentColumns columns) {
        offer(columns, 1_000);
    }

    void offerAtOnce(SegmentColumns columns) {
        offer(columns, 0);
    }

    private void offer(SegmentColumns columns, long millis) {
        for (int i = 0; i < columns.count(); i++) {
            if (i > 0 && columns.ledgerId(i) != columns.ledgerId(i - 1) && millis > 0) {
                jobs.time.runUntil(jobs.time.nowMillis() + millis);
            }
            DelayIndex index = buckets.index();
            if (!index.contains(columns.ledgerId(i), columns.entryId(i))) {
                index.add(columns.dueMillis(i), columns.ledgerId(i), columns.entryId(i));
                index.takeWork().ifPresent(Runnable::run);
            }
        }
    }

    List<Long> stockLedgers(StockOwner owner) {
        return jobs.faulty.world().ledgersOf(owner.topic(), owner.cursor());
    }

    @Override
    public void markDelete(PositionSink sink) {
        sink.accept(markDelete[0], markDelete[1]);
    }
}
