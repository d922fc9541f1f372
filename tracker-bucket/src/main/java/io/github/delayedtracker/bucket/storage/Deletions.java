/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What became of ledgers that were to be deleted.
 *
 * @param gone do not exist any more
 * @param foreign are somebody else's and were left alone
 * @param left may still exist, and why; to be deleted again
 */
public record Deletions(Set<Long> gone, Set<Long> foreign, Map<Long, StorageException> left) {

    /** Of no ledgers. */
    public static final Deletions NONE = new Deletions(Set.of(), Set.of(), Map.of());

    /** Whether nothing is deleted, nor known to be somebody else's. */
    public boolean isInVain() {
        return gone.isEmpty() && foreign.isEmpty();
    }

    /** None of some ledgers, all for one reason. */
    public static Deletions none(Set<Long> left, StorageException why) {
        Map<Long, StorageException> all = new HashMap<>();
        left.forEach(ledgerId -> all.put(ledgerId, why));
        return new Deletions(Set.of(), Set.of(), all);
    }
}
