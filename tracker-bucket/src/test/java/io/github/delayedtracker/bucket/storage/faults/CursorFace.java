/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.StorageException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerException;

/**
 * A managed cursor as far as its properties go, as a broker has it in memory: each update writes the whole record at the version
 * the broker knows, and only a good answer changes what the broker knows. After an update that took effect and failed, every
 * later one conflicts until the topic is loaded anew. A cursor that is closed writes its position at the version it knows.
 */
final class CursorFace {

    private final StorageLife life;
    private final String subscription;
    private final ManagedCursor cursor;
    private Map<String, String> known;
    private long knownVersion;
    /** When each update that is under way was begun. */
    private final List<Long> underWaySinceMillis = new ArrayList<>();
    private boolean tellsOfUpdates;

    CursorFace(StorageLife life, String subscription, String name) {
        this.life = life;
        this.subscription = subscription;
        DurableWorld.CursorRecord stored = life.world().record(subscription);
        known = stored.properties;
        knownVersion = stored.version;
        cursor = (ManagedCursor) Proxy.newProxyInstance(CursorFace.class.getClassLoader(), new Class<?>[] {ManagedCursor.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getName", "toString" -> name;
                    case "getMarkDeletedPosition" -> null;
                    case "getCursorProperties" -> known;
                    case "putCursorProperty" -> put((String) arguments[0], (String) arguments[1]);
                    case "removeCursorProperty" -> remove((String) arguments[0]);
                    default -> throw new UnsupportedOperationException("the model cursor has no " + method.getName());
                });
    }

    ManagedCursor cursor() {
        return cursor;
    }

    String subscription() {
        return subscription;
    }

    /** Whether somebody else has written the record since, so that every update is refused. */
    boolean isStale() {
        return life.world().record(subscription).version != knownVersion;
    }

    Map<String, String> known() {
        return known;
    }

    /**
     * The topic is unloaded.
     *
     * @param counts whether later updates are told of
     * @return whether the cursor could write its position: not while the version it knows is about to be overtaken
     */
    boolean close(boolean counts) {
        tellsOfUpdates = counts;
        return underWaySinceMillis.isEmpty();
    }

    /** Whether an update is under way that was begun before a time. */
    boolean isHeldUpSince(long millis) {
        return underWaySinceMillis.stream().anyMatch(sinceMillis -> sinceMillis < millis);
    }

    /** A write of the cursor's own met another version and looked which: the properties it knows stay as they are. */
    void refresh() {
        knownVersion = life.world().record(subscription).version;
    }

    private CompletableFuture<Void> put(String key, String value) {
        Map<String, String> changed = new HashMap<>(known);
        changed.put(key, value);
        return update(Operation.PUT, changed);
    }

    private CompletableFuture<Void> remove(String key) {
        Map<String, String> changed = new HashMap<>(known);
        changed.remove(key);
        return update(Operation.REMOVE, changed);
    }

    private CompletableFuture<Void> update(Operation operation, Map<String, String> changed) {
        if (tellsOfUpdates) {
            life.updateAfterClose();
        }
        Long beginMillis = life.parent().later().nowMillis();
        underWaySinceMillis.add(beginMillis);
        long version = knownVersion;
        Work<Void> work = new Work<>() {
            @Override
            Void take() throws StorageException {
                DurableWorld.CursorRecord stored = life.world().record(subscription);
                if (stored.version != version) {
                    throw new StorageException(StorageException.Kind.CONFLICT, "the record of " + subscription
                            + " has version " + stored.version + ", not " + version);
                }
                stored.properties = Map.copyOf(changed);
                stored.version++;
                stored.writer = life;
                return null;
            }

            @Override
            void accepted() {
                known = Map.copyOf(changed);
                knownVersion = version + 1;
            }
        };
        CompletableFuture<Void> begun;
        try {
            begun = life.begin(operation, subscription, work);
        } catch (RuntimeException | Error e) {
            underWaySinceMillis.remove(beginMillis);
            throw e;
        }
        return begun.handle((done, failure) -> {
            underWaySinceMillis.remove(beginMillis);
            if (failure != null) {
                throw new CompletionException(asTheBroker(failure));
            }
            return null;
        });
    }

    private static ManagedLedgerException asTheBroker(Throwable failure) {
        return failure instanceof StorageException known && known.kind() == StorageException.Kind.CONFLICT
                ? new ManagedLedgerException.BadVersionException(known)
                : new ManagedLedgerException.MetaStoreException(failure);
    }
}
