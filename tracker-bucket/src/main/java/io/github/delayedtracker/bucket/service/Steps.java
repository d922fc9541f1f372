/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.service;

import io.github.delayedtracker.bucket.jobs.Leftovers;
import io.github.delayedtracker.bucket.jobs.MergeSnapshots;
import io.github.delayedtracker.bucket.jobs.ReadSnapshot;
import io.github.delayedtracker.bucket.jobs.RecoverBucket;
import io.github.delayedtracker.bucket.jobs.Retries;
import io.github.delayedtracker.bucket.jobs.WriteSnapshot;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;

/** The storage steps of one subscription that are given up together. */
record Steps(Retries retries, WriteSnapshot write, ReadSnapshot read, MergeSnapshots merge, RecoverBucket recover) {

    static Steps of(BucketServices services, SnapshotOwner owner, Leftovers leftovers) {
        Retries retries = new Retries(services.timer(), services.threads(), services.jitter(), services.limits());
        ReadSnapshot read = new ReadSnapshot(services.storage(), owner, retries);
        return new Steps(retries,
                new WriteSnapshot(services.storage(), owner, retries, leftovers, services.allocator(), services.wallMillis()),
                read,
                new MergeSnapshots(services.storage(), owner, retries, leftovers, services.allocator(), services.wallMillis()),
                new RecoverBucket(read));
    }
}
