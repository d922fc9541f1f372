/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.record.StockRanges;
import io.github.delayedtracker.bucket.steps.ImportSnapshot;
import io.github.delayedtracker.bucket.steps.MergeSnapshots;
import io.github.delayedtracker.bucket.steps.ReadSnapshot;
import io.github.delayedtracker.bucket.steps.RecoverBucket;
import io.github.delayedtracker.bucket.steps.SnapshotWriting;
import io.github.delayedtracker.bucket.steps.StockWriting;
import io.github.delayedtracker.bucket.steps.WriteSnapshot;
import io.github.delayedtracker.bucket.steps.WriteStockSnapshot;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.Retries;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import java.util.Optional;

/**
 * The storage steps of one subscription that are given up together.
 *
 * @param load reads what is about to be due, and tries more often than the others
 */
record Steps(Retries retries, Retries loadRetries, SnapshotWriting write, ReadSnapshot read, ReadSnapshot load,
        MergeSnapshots merge, RecoverBucket recover, ImportSnapshot imports) {

    /** Something that cannot be read is tried about so often at least before it is given up. */
    private static final int LOAD_TRIES = 12;

    /** The longest wait of a load between two tries. */
    static long loadRestMillis(BucketSettings settings) {
        return Math.max(1, Math.min(settings.pauseMillis(), settings.unreadableMillis() / LOAD_TRIES));
    }

    static Steps of(BucketServices services, SnapshotStorage storage, SnapshotOwner owner, Leftovers leftovers,
            Optional<StockWriting> stock) {
        Retries retries = new Retries(services.timer(), services.threads(), services.jitter(), services.limits());
        Retries loadRetries = new Retries(services.timer(), services.threads(), services.jitter(),
                services.limits().withBackOffUpTo(loadRestMillis(services.settings())));
        StockRanges ranges = stock.map(StockWriting::ranges).orElseGet(StockRanges::new);
        ReadSnapshot read = new ReadSnapshot(storage, owner, retries, ranges);
        ReadSnapshot load = new ReadSnapshot(storage, owner, loadRetries, ranges);
        MergeSnapshots merge =
                new MergeSnapshots(storage, owner, retries, leftovers, services.allocator(), services.wallMillis(), stock);
        SnapshotWriting write = stock.isPresent()
                ? new WriteStockSnapshot(storage.maxEntryBytes(), owner, retries, leftovers, services.allocator(),
                        services.wallMillis(), stock.get())
                : new WriteSnapshot(storage, owner, retries, leftovers, services.allocator(), services.wallMillis());
        return new Steps(retries, loadRetries, write, read, load, merge, new RecoverBucket(read),
                new ImportSnapshot(storage, owner, retries, merge));
    }

    /** Ends every wait and begins nothing more. Idempotent. */
    void abandon() {
        retries.abandon();
        loadRetries.abandon();
    }
}
