/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.PulsarStandalone;
import org.apache.pulsar.PulsarStandaloneStarter;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.apache.pulsar.metadata.bookkeeper.BKCluster;

/**
 * A standalone broker of the line on this JVM's class path, inside this JVM, with its bookie and metadata store. It cannot be
 * killed, only stopped.
 */
public final class InProcessBroker implements Broker {

    private final String name;
    private BrokerSettings settings;
    private final BrokerFolder folder;
    private final int brokerPort;
    private final int webPort;
    private final int bookiePort;
    private Embedded standalone;

    /** A broker that is not started yet. */
    public InProcessBroker(String name, BrokerSettings settings) throws IOException {
        int[] free = Net.freePorts(3);
        this.name = name;
        this.settings = settings;
        this.folder = new BrokerFolder(name);
        this.brokerPort = free[0];
        this.webPort = free[1];
        this.bookiePort = free[2];
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BrokerSettings settings() {
        return settings;
    }

    /** Other settings, from the next start on. */
    public void reconfigure(BrokerSettings newSettings) {
        settings = newSettings;
    }

    @Override
    public String serviceUrl() {
        return "pulsar://" + Net.LOOPBACK + ":" + brokerPort;
    }

    @Override
    public String adminUrl() {
        return "http://" + Net.LOOPBACK + ":" + webPort;
    }

    @Override
    public boolean killable() {
        return false;
    }

    @Override
    public void start() throws Exception {
        folder.writeConf(folder.lines(settings, brokerPort, webPort));
        System.setProperty("bookkeeper.metadata.bookie.drivers",
                "org.apache.pulsar.metadata.bookkeeper.PulsarMetadataBookieDriver");
        System.setProperty("bookkeeper.metadata.client.drivers",
                "org.apache.pulsar.metadata.bookkeeper.PulsarMetadataClientDriver");
        List<String> arguments = new ArrayList<>(List.of("--config", folder.conf().toString(), "--advertised-address",
                Net.LOOPBACK, "-nss", "-nfw", "--metadata-dir", folder.metadata().toString(), "--bookkeeper-dir",
                folder.bookkeeper().toString()));
        if (Harness.takesBookiePort(Harness.line())) {
            arguments.addAll(List.of("--bookkeeper-port", Integer.toString(bookiePort)));
        }
        standalone = new Embedded(arguments.toArray(String[]::new));
        standalone.start();
        Await.until(60_000, () -> "broker " + name + " serves", () -> Net.serves(adminUrl()));
    }

    @Override
    public void stop() {
        if (standalone != null) {
            standalone.close();
            standalone = null;
        }
    }

    @Override
    public void kill() {
        throw new UnsupportedOperationException("broker " + name + " runs in this JVM and can only be stopped");
    }

    /** The cursor of a subscription on a topic that is loaded. */
    public ManagedCursor cursor(String topic, String subscription) throws Exception {
        Topic loaded = standalone.service().getBrokerService().getTopicIfExists(topic).get().orElseThrow();
        return ((PersistentSubscription) loaded.getSubscription(subscription)).getCursor();
    }

    /** Stops the bookie for good, while the broker goes on. */
    public void stopBookie() throws Exception {
        standalone.stopBookies();
    }

    @Override
    public void close() {
        stop();
        folder.deleteData();
    }

    /** The broker's own starter, without its hold on the JVM's end. */
    private static final class Embedded extends PulsarStandaloneStarter {

        Embedded(String... arguments) throws Exception {
            super(arguments);
        }

        /** A part of the standalone broker that it does not give out. */
        private <T> T part(String name, Class<T> type) throws ReflectiveOperationException {
            Field field = PulsarStandalone.class.getDeclaredField(name);
            field.setAccessible(true);
            return type.cast(field.get(this));
        }

        PulsarService service() throws ReflectiveOperationException {
            return part("broker", PulsarService.class);
        }

        void stopBookies() throws ReflectiveOperationException {
            Method method = BKCluster.class.getDeclaredMethod("stopAllBookies");
            method.setAccessible(true);
            method.invoke(part("bkCluster", BKCluster.class));
        }

        @Override
        protected void registerShutdownHook() {
            // Whoever started it stops it.
        }

        @Override
        protected void exit(int status) {
            throw new IllegalStateException("the standalone broker ended with status " + status);
        }
    }
}
