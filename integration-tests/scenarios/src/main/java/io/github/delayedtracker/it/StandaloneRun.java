/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The main job: starts a real standalone broker with the plugin, sends delayed messages to it, does the same with the
 * broker's own in-memory tracker, and prints both side by side.
 *
 * <p>System properties: {@code delayed.messages}, {@code delayed.rate} (messages a second), {@code delayed.backend},
 * {@code delayed.keepRunning}, which leaves the plugin's broker up on ports 6650 and 8080, and {@code delayed.ui}, which compares
 * nothing and serves a page on which the plugin's broker can be watched ({@link PageRun}). Exit code 1 when the plugin lost or
 * repeated a message or delivered one early.
 */
public final class StandaloneRun {

    private static final long TICK_MILLIS = 1_000;
    private static final int BROKER_PORT = 6650;
    private static final int WEB_PORT = 8080;

    private StandaloneRun() {
    }

    public static void main(String[] arguments) throws Exception {
        int messages = Integer.getInteger("delayed.messages", 10_000);
        int rate = Integer.getInteger("delayed.rate", 500);
        String backend = System.getProperty("delayed.backend", "timebucket");
        boolean keepRunning = Boolean.getBoolean("delayed.keepRunning");
        if (messages < 1 || rate < 1) {
            System.err.println("delayed.messages and delayed.rate must be at least 1, are " + messages + " and " + rate);
            System.exit(2);
        }
        // The client library announces an unused feature at its first use.
        Logger quiet = Logger.getLogger("io.opentelemetry");
        quiet.setLevel(Level.WARNING);
        if (Boolean.getBoolean("delayed.ui")) {
            PageRun.run(broker(backend, keepRunning), messages, rate);
            System.exit(0);
        }
        System.exit(run(messages, rate, backend, keepRunning));
    }

    private static int run(int messages, int rate, String backend, boolean keepRunning) throws Exception {
        System.out.printf("%,d messages at %,d a second, delays 1 to 15 s, tick %d ms, Pulsar in its own JVM%n", messages, rate,
                TICK_MILLIS);
        Broker broker = broker(backend, keepRunning);
        RunFigures plugin;
        RunFigures stock;
        try {
            plugin = measured(broker, messages, rate);
            if (!keepRunning) {
                broker.close();
            }
            Broker stockBroker = ForkedBroker.of("standalone-stock", usualBroker(BrokerSettings.stockMemory(false, TICK_MILLIS)));
            try {
                stock = measured(stockBroker, messages, rate);
            } finally {
                stockBroker.close();
            }
            System.out.println();
            System.out.print(RunFigures.table(backend, plugin, "stock in-memory", stock));
            if (keepRunning) {
                System.out.println("The plugin's broker stays up: " + broker.serviceUrl() + ", " + broker.adminUrl()
                        + "; interrupt to end it.");
                untilTheEnd();
            }
        } finally {
            broker.close();
        }
        if (!plugin.correct(messages)) {
            System.err.println("FAILED: the plugin lost, repeated or delivered early, or not every message was sent.");
            return 1;
        }
        return 0;
    }

    private static Broker broker(String backend, boolean keepRunning) throws IOException {
        BrokerSettings settings = usualBroker(BrokerSettings.of(backend, false, TICK_MILLIS)).withCommands();
        return ForkedBroker.onPorts("standalone-" + backend, settings, keepRunning ? BROKER_PORT : 0, keepRunning ? WEB_PORT : 0);
    }

    private static RunFigures measured(Broker broker, int messages, int rate) throws Exception {
        System.out.println("Starting a broker: " + broker.name());
        broker.start();
        return new DelayedRun(broker, messages, rate).run();
    }

    /** Waits until this process is interrupted, or the build that started it ends. */
    static void untilTheEnd() throws InterruptedException, ExecutionException {
        ProcessHandle.current().parent().map(ProcessHandle::onExit).orElseGet(CompletableFuture::new).get();
    }

    /** Ledgers and detection of fixed delays as in a broker whose settings nobody touched. */
    private static BrokerSettings usualBroker(BrokerSettings settings) {
        return settings.with("delayedDeliveryFixedDelayDetectionLookahead", "50000")
                .with("managedLedgerMaxEntriesPerLedger", "50000");
    }
}
