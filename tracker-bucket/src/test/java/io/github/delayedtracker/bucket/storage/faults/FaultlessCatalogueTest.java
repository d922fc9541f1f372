/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.Awaiting;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.CatalogueStoreContractTest;
import java.util.Map;

/** The real store over the model cursor without faults keeps the contract that it keeps over a real cursor. */
class FaultlessCatalogueTest extends CatalogueStoreContractTest {

    private static final String TOPIC = "topic";
    private static final String CURSOR = "cursor";

    private final VirtualTime time = new VirtualTime(1);
    private final FaultyStorage world = new FaultyStorage(1, new FaultRates(20, 0), time);
    private final StorageLife life = world.newLife();

    @Override
    protected CatalogueStore newCursor() {
        return life.catalogue(TOPIC, CURSOR);
    }

    @Override
    protected CatalogueStore reload() {
        life.reloadCursor(TOPIC, CURSOR);
        return life.catalogue(TOPIC, CURSOR);
    }

    @Override
    protected void putForeign(String key, String value) throws Exception {
        time.get(life.putForeignProperty(TOPIC, CURSOR, key, value));
    }

    @Override
    protected Map<String, String> durable() {
        return world.world().allPropertiesOf(TOPIC, CURSOR);
    }

    @Override
    protected Awaiting awaiting() {
        return time;
    }
}
