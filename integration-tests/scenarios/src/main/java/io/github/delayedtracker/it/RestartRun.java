/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import com.google.errorprone.annotations.FormatMethod;
import io.github.delayedtracker.it.DelayedBacklog.Tracked;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How long a broker takes to track a long delayed backlog, and to track it again after a kill: a table in Markdown.
 *
 * <p>System properties: {@code restart.messages}, {@code restart.runs} (kills), {@code restart.backend} (a backend of the plugin,
 * {@code stock-memory} or {@code stock-bucket}), {@code restart.rolloverMinutes} (the broker's
 * {@code managedLedgerMinLedgerRolloverTimeMinutes}; stock's bucket tracker seals only when a ledger rolls over),
 * {@code restart.rate}: if it is not 0, the server distribution is the broker and its {@code pulsar-perf} sends so many messages
 * a second, as in the published test.
 */
public final class RestartRun {

    private static final long TICK_MILLIS = 1_000;
    private static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(20);
    private static final double MIB = 1 << 20;

    private RestartRun() {
    }

    public static void main(String[] arguments) throws Exception {
        int messages = Integer.getInteger("restart.messages", 1_000_000);
        int runs = Integer.getInteger("restart.runs", 20);
        String backend = System.getProperty("restart.backend", "bucket");
        String rolloverMinutes = System.getProperty("restart.rolloverMinutes", "10");
        if (messages < 1 || runs < 1) {
            System.err.println("restart.messages and restart.runs must be at least 1, are " + messages + " and " + runs);
            System.exit(2);
        }
        int ratePerSecond = Integer.getInteger("restart.rate", 0);
        BrokerSettings settings = BrokerSettings.of(backend, false, TICK_MILLIS)
                .with("managedLedgerMaxEntriesPerLedger", "50000")
                .with("managedLedgerMinLedgerRolloverTimeMinutes", rolloverMinutes);
        Broker broker = ratePerSecond > 0 ? DistributionBroker.of("restart-" + backend, settings)
                : ForkedBroker.of("restart-" + backend, settings);
        BacklogClients clients = ratePerSecond > 0 ? new PerfTool(ratePerSecond) : new OwnClients();
        try (DelayedBacklog backlog = new DelayedBacklog(broker, clients, messages, PATIENCE_MILLIS)) {
            run(backlog, backend, messages, runs);
        } finally {
            broker.close();
        }
        System.exit(0);
    }

    private static void run(DelayedBacklog backlog, String backend, int messages, int runs) throws Exception {
        Tracked first = backlog.fill();
        print("%n| tracker | messages | sent, s | messages a second | all tracked after, s | index, MiB | direct, MiB |%n");
        print("|---|---|---|---|---|---|---|%n");
        print("| %s | %,d | %.1f | %,d | %.1f | %.2f | %.1f |%n%n", backend, messages, first.sentMillis() / 1e3,
                messages * 1_000L / first.sentMillis(), first.trackedMillis() / 1e3, first.indexBytes() / MIB,
                first.directBytes() / MIB);
        print("| tracker | kill | all tracked again after, s | index, MiB | read again by the broker |%n|---|---|---|---|---|%n");
        long[] millis = new long[runs];
        for (int i = 0; i < runs; i++) {
            Tracked again = backlog.restart();
            millis[i] = again.trackedMillis();
            print("| %s | %d | %.2f | %.2f | %,.0f |%n", backend, i + 1, again.trackedMillis() / 1e3, again.indexBytes() / MIB,
                    backlog.metric("pulsar_delayed_index_offers_total"));
        }
        Arrays.sort(millis);
        print("%n| tracker | messages | kills | p50, s | max, s |%n|---|---|---|---|---|%n");
        print("| %s | %,d | %d | %.2f | %.2f |%n", backend, messages, runs, millis[runs / 2] / 1e3, millis[runs - 1] / 1e3);
    }

    @FormatMethod
    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
