/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Counts decoded segments that something still refers to, whatever it be. */
final class WatchedSource implements SegmentSource {

    private final SegmentSource source;
    private final List<WeakReference<SegmentColumns>> decoded;
    /** When this source had just decoded one, of all sources. */
    private long mostAlive;

    WatchedSource(SegmentSource source, List<WeakReference<SegmentColumns>> decoded) {
        this.source = source;
        this.decoded = decoded;
    }

    long mostAlive() {
        return mostAlive;
    }

    @Override
    public long ledgerId() {
        return source.ledgerId();
    }

    @Override
    public int segments() {
        return source.segments();
    }

    @Override
    public long positions() {
        return source.positions();
    }

    @Override
    public int bytes(int number) {
        return source.bytes(number);
    }

    @Override
    public CompletableFuture<SegmentColumns> read(int number) {
        return source.read(number).thenApply(columns -> {
            if (decoded.size() % 3 == 0) {
                System.gc();
                mostAlive = Math.max(mostAlive, 1 + decoded.stream().filter(each -> !each.refersTo(null)).count());
            }
            decoded.add(new WeakReference<>(columns));
            return columns;
        });
    }

    @Override
    public Optional<StorageException> failure() {
        return source.failure();
    }

    @Override
    public void close() {
        source.close();
    }
}
