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

    /** What every property of this plugin begins with in the cursor's record. */
    String PROPERTY_PREFIX = "#pulsar.internal.delayedtracker.";

    /** The properties of this plugin as the broker knows them, by name without the prefix. A copy. */
    CompletableFuture<Map<String, String>> readAll();

    /** The same without one of them, which cannot be read. */
    default CompletableFuture<Map<String, String>> readAllBut(String name) {
        return readAll().thenApply(all -> {
            Map<String, String> others = new HashMap<>(all);
            others.remove(name);
            return others;
        });
    }

    /**
     * The same as they stand in the metadata store at this moment, whoever wrote them last: another broker may have the topic by
     * now, of which this one has not heard.
     */
    CompletableFuture<Map<String, String>> readStored();

    /** Sets a property, by name without the prefix. Durable once it answers. */
    CompletableFuture<Void> put(String name, String value);

    /** Removes a property; one that is not there is removed already. Durable once it answers. */
    CompletableFuture<Void> remove(String name);

    /**
     * No update begins after this: waiting and later ones fail with CLOSED, and none that met a conflict is tried again. Answers
     * when the broker has answered each that was begun, those that were given up among them; never, if it does not. Never fails.
     */
    CompletableFuture<Void> close();

    /** What the cursors of the cluster say, whichever broker has them loaded, or none. Safe from any thread. */
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
