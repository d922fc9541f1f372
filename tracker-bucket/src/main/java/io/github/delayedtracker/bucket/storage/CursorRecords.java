/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the cursors of the cluster say, whichever broker has them loaded, or none. Safe from any thread. */
public interface CursorRecords {

    /**
     * The durable properties of a cursor, by their whole keys; none if there is no such cursor. Fails while that cannot be known
     * for certain. Neither blocks nor throws.
     *
     * @param topic name of the managed ledger
     * @param cursor name of the cursor
     */
    CompletableFuture<Map<String, String>> propertiesOf(String topic, String cursor);
}
