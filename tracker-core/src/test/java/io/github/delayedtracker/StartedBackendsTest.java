/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.backend.BackendServices;
import io.github.delayedtracker.backend.BrokerStore;
import io.github.delayedtracker.backend.StoringBackend;
import io.github.delayedtracker.backend.SubscriptionStore;
import io.github.delayedtracker.config.StockSettings;
import io.github.delayedtracker.config.TrackerSettings;
import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DelayIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which of the backends that store stop a broker they cannot serve. */
class StartedBackendsTest {

    @TempDir
    private Path folder;

    private final FakeBroker broker = new FakeBroker();

    /** Refuses to serve, as a storage does whose quorums do not fit. */
    public static final class Refusing implements StoringBackend {
        @Override
        public String backendName() {
            return "refusing";
        }

        @Override
        public boolean roundsTimes() {
            return false;
        }

        @Override
        public DelayIndex newIndex() {
            return new HeapIndexProvider().newIndex();
        }

        @Override
        public BrokerStore start(BackendServices services) {
            throw new IllegalArgumentException("3 copies of an entry do not fit on 1 bookie");
        }
    }

    /** Serves, and stores nothing. */
    public static final class Serving implements StoringBackend {

        private static int closed;
        private static int removals;

        @Override
        public String backendName() {
            return "accepting";
        }

        @Override
        public boolean roundsTimes() {
            return false;
        }

        @Override
        public DelayIndex newIndex() {
            return new HeapIndexProvider().newIndex();
        }

        @Override
        public BrokerStore start(BackendServices services) {
            return new BrokerStore() {
                @Override
                public SubscriptionStore open(ManagedCursor cursor) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public CompletableFuture<Void> removeAll(ManagedCursor cursor) {
                    removals++;
                    return CompletableFuture.completedFuture(null);
                }

                @Override
                public CompletableFuture<Void> close() {
                    closed++;
                    return CompletableFuture.completedFuture(null);
                }
            };
        }
    }

    /** Finds these providers and no others. */
    private Backends backends() throws IOException {
        return NamedBackends.load(folder,
                List.of(HeapIndexProvider.class.getName(), Refusing.class.getName(), Serving.class.getName()));
    }

    private BackendServices services(String backend) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("delayedDeliveryIndexBackend", backend);
        StockSettings stock = new StockSettings(1_000, false, 50_000, 50_000, 300, 5_000, -1);
        TrackerSettings settings = TrackerSettings.parse(properties, stock, backends().names()).settings();
        return new BackendServices(null, settings, broker.timer, broker.timer::nowMillis, System::nanoTime);
    }

    @Test
    void aBackendThatCannotServeStopsTheBrokerThatChoseIt() throws Exception {
        int closedBefore = Serving.closed;
        BackendServices services = services("refusing");
        Backends backends = backends();
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> StartedBackends.start(backends, services));
        assertTrue(e.getMessage().contains("refusing") && e.getMessage().contains("3 copies"), e.getMessage());
        assertTrue(Serving.closed == closedBefore + 1, "what was started before is closed");
    }

    @Test
    void aBackendThatCannotServeLeavesABrokerAloneThatDidNotChooseIt() throws Exception {
        StartedBackends stored = StartedBackends.start(backends(), services("heap"));
        when(broker.cursor.isDurable()).thenReturn(true);
        assertFalse(stored.open("refusing", broker.dispatcher).isPresent(), "a subscription of it is indexed in memory");
        assertTrue(stored.removeAll(broker.cursor).isDone());
        stored.close();
    }

    @Test
    @DisplayName("Cluster 206: a closed dispatcher has no store, and what is stored stays for the next owner")
    void aClosedDispatcherTouchesNothingThatIsStored() throws Exception {
        StartedBackends stored = StartedBackends.start(backends(), services("heap"));
        when(broker.cursor.isDurable()).thenReturn(true);
        when(broker.dispatcher.isClosed()).thenReturn(true);
        int removalsBefore = Serving.removals;
        assertFalse(stored.open("heap", broker.dispatcher).isPresent());
        assertFalse(stored.open("accepting", broker.dispatcher).isPresent());
        assertEquals(removalsBefore, Serving.removals);
        stored.close();
    }
}
