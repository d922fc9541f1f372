/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.List;
import java.util.UUID;

/**
 * What tells a cluster from every other one, of whatever name: random, made once, never changed.
 *
 * @param uuid the id
 */
record ClusterId(UUID uuid) {

    /** The name of the value that the brokers of the cluster share. */
    static final String NAME = "cluster-id";

    private static final String WHAT = "the id of the cluster";

    String encode() {
        return SharedText.of(uuid.toString());
    }

    /** Fails with NEWER_VERSION or CORRUPT. */
    static ClusterId decode(String text) throws StorageException {
        List<String> words = SharedText.words(WHAT, text);
        try {
            UUID uuid = UUID.fromString(words.get(0));
            if (words.size() == 1 && uuid.toString().equals(words.get(0))) {
                return new ClusterId(uuid);
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // Told below.
        }
        throw SharedText.corrupt(WHAT, text);
    }

    /** As labels have it. */
    @Override
    public String toString() {
        return uuid.toString();
    }
}
