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

/** Any buckets of a size class may be merged: those of the plugin's own form. */
record MergeAnything(MergeTiers tiers) implements MergeRule {

    MergeAnything(int sealPositions) {
        this(new MergeTiers(sealPositions));
    }

    @Override
    public boolean allows(Collection<Long> live) {
        return true;
    }

    @Override
    public void failed(StorageException failure) {
        // The next one is as large.
    }
}
