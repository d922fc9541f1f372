/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.bucket.index.MergeTiers;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.Collection;

/** Which buckets may be merged. Thread safe. */
interface MergeRule {

    /** Which of all to merge next. */
    MergeTiers tiers();

    /** Whether buckets may be merged at all while these ledgers are recorded as live. */
    boolean allows(Collection<Long> live);

    /** A merge has failed for this reason. */
    void failed(StorageException failure);
}
