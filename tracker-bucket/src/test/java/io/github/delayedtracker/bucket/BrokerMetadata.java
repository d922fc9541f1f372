/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import io.github.delayedtracker.bucket.orphans.SharedValues;
import io.github.delayedtracker.bucket.storage.CatalogueStore.CursorRecords;
import org.apache.pulsar.broker.PulsarService;

/** What the backend reads and writes in the metadata store of a broker, for tests upon a real one. */
public final class BrokerMetadata {

    private BrokerMetadata() {
    }

    public static CursorRecords cursorRecords(PulsarService broker) {
        return new MetaStoreCursorRecords(broker);
    }

    public static SharedValues sharedValues(PulsarService broker) {
        return new MetadataStoreValues(broker);
    }
}
