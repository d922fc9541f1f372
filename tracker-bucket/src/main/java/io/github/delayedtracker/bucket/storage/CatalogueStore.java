/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The properties of one cursor in which the catalogue of its snapshots stands. Names and values are short: each update rewrites
 * the cursor's whole record.
 *
 * <p>Updates of one store are carried out one by one in the order of the calls. No call blocks or throws; futures complete on any
 * thread, also inside the call, and carry {@link StorageException}s only.
 *
 * <p><b>A failed update has no known outcome.</b> It may have taken effect, or may do so later, and {@link #readAll} need not
 * show it; only a later update that succeeds settles the record, to what {@code readAll} says after it. That holds for CONFLICT
 * too, which merely says why it failed. CLOSED alone means that nothing was begun. After an update that took effect and failed,
 * every later one may fail with CONFLICT until the topic is loaded anew.
 *
 * <p>A caller that no longer waits cancels the future: an update that has not begun never will, one that has begun has no known
 * outcome, and the next one goes on.
 */
public interface CatalogueStore {

    /** The prefix of every property of this plugin in the cursor's record. */
    String PROPERTY_PREFIX = "#pulsar.internal.delayedtracker.";

    /** The properties of this plugin as the broker knows them, by name without the prefix. A copy. */
    CompletableFuture<Map<String, String>> readAll();

    /** The properties as {@link #readAll} gives them, without one that cannot be read. */
    default CompletableFuture<Map<String, String>> readAllBut(String name) {
        return readAll().thenApply(all -> {
            Map<String, String> others = new HashMap<>(all);
            others.remove(name);
            return others;
        });
    }

    /**
     * The properties as they stand in the metadata store at this moment, written by any broker: another one may own the topic by
     * now without this broker having heard of it.
     */
    CompletableFuture<Map<String, String>> readStored();

    /** Sets a property, by name without the prefix. Durable once it answers. */
    CompletableFuture<Void> put(String name, String value);

    /** Removes a property; one that is not there is removed already. Durable once it answers. */
    CompletableFuture<Void> remove(String name);

    /**
     * Closes the store. No update begins after this: waiting and later ones fail with CLOSED, and none is tried again after a
     * conflict. Answers when the broker has answered each update begun, given up or not; never, if it does not. Never fails.
     */
    CompletableFuture<Void> close();

    /** The records of the cluster's cursors, loaded by this broker, by another one or by none. Safe from any thread. */
    interface CursorRecords {

        /**
         * The durable properties of a cursor, by their whole keys; none if there is no such cursor. Fails while that cannot be
         * known for certain. Neither blocks nor throws.
         *
         * @param topic name of the managed ledger
         * @param cursor name of the cursor
         */
        CompletableFuture<Map<String, String>> propertiesOf(String topic, String cursor);
    }
}
