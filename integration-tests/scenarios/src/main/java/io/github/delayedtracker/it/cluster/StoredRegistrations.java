/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.metadata.api.MetadataStore;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.MetadataStoreException;
import org.apache.pulsar.metadata.api.MetadataStoreFactory;

/** The registrations of bookies in a metadata store, to which it connects when it is asked first. Thread safe. */
final class StoredRegistrations implements BookieRegistrations, AutoCloseable {

    private static final String WRITABLE = "/ledgers/available/";
    private static final long ANSWER_SECONDS = 10;
    private static final int SESSION_MILLIS = 30_000;

    private final String metadataUrl;
    private MetadataStore store;

    StoredRegistrations(String metadataUrl) {
        this.metadataUrl = metadataUrl;
    }

    @Override
    public OptionalLong sinceMillis(String bookie) throws Exception {
        return store().get(WRITABLE + bookie).get(ANSWER_SECONDS, TimeUnit.SECONDS)
                .map(node -> OptionalLong.of(node.getStat().getCreationTimestamp())).orElse(OptionalLong.empty());
    }

    private synchronized MetadataStore store() throws MetadataStoreException {
        if (store == null) {
            store = MetadataStoreFactory.create(metadataUrl,
                    MetadataStoreConfig.builder().sessionTimeoutMillis(SESSION_MILLIS).build());
        }
        return store;
    }

    @Override
    public synchronized void close() throws Exception {
        if (store != null) {
            store.close();
        }
    }
}
