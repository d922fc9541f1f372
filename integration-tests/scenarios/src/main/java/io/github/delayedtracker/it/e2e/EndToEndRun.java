/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.e2e;

import io.github.delayedtracker.it.Broker;
import io.github.delayedtracker.it.BrokerSettings;
import io.github.delayedtracker.it.ForkedBroker;
import io.github.delayedtracker.it.e2e.Listening.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * From publishing to the end of a listener's work on a real broker, for trackers side by side: a table in Markdown, of every
 * combination of what is given.
 *
 * <p>System properties, lists with commas: {@code e2e.topics}, {@code e2e.rate} (messages a second of each topic),
 * {@code e2e.backend} (backends of the plugin, {@code stock-memory}, {@code stock-bucket}), {@code e2e.work} (milliseconds the
 * work on a message takes), {@code e2e.delay} ({@code none}, {@code mixed}), {@code e2e.listening} ({@code keys}, {@code pool},
 * {@code single}). No lists: {@code e2e.seconds} of a cell; {@code e2e.out}, a folder for {@code end-to-end.csv} and
 * {@code end-to-end.md}, which several runs may share; {@code e2e.brokerJava}, the JDK of the broker where this one is not fit
 * for it. On a JDK with virtual threads {@code keys} uses them. Each broker plays a cell first that is in no table. Exit code 1
 * if a backend of the plugin lost a message, gave one early, or gave messages of a key and time in another order than they were
 * sent.
 */
public final class EndToEndRun {

    private static final long TICK_MILLIS = 1_000;
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;
    private static final double MIB = 1 << 20;
    private static final double KIB = 1 << 10;
    /** Played first on each broker and not counted, so that neither it nor the clients compile in the first cell. */
    private static final Cell WARM_UP = new Cell(100, 5, 5, 0, true, Kind.KEYS);

    private final int[] topics = numbers("e2e.topics", "100");
    private final int[] rates = numbers("e2e.rate", "10");
    private final int seconds = Integer.getInteger("e2e.seconds", 120);
    private final int[] works = numbers("e2e.work", "100");
    private final String[] backends = words("e2e.backend", "timebucket");
    private final String[] delays = words("e2e.delay", "mixed");
    private final String[] listenings = words("e2e.listening", "keys");
    private final Path brokerJava = Path.of(System.getProperty("e2e.brokerJava", System.getProperty("java.home")));
    private final ResultTable table = new ResultTable(Path.of(System.getProperty("e2e.out", "e2e")));
    private boolean failed;
    private int cells;

    private EndToEndRun() throws IOException {
        // the table is a file
    }

    /** See the class. */
    public static void main(String[] arguments) throws Exception {
        EndToEndRun run = new EndToEndRun();
        int java = Runtime.version().feature();
        System.out.printf(Locale.ROOT, "Consumers on Java %d, keys on %s; broker on the JDK in %s; %d processors%n%n%s",
                java, java < FIRST_WITH_VIRTUAL_THREADS ? "a pool" : "virtual threads", run.brokerJava.getFileName(),
                Runtime.getRuntime().availableProcessors(), ResultTable.header());
        for (String backend : run.backends) {
            run.runOn(backend);
        }
        System.exit(run.failed ? 1 : 0);
    }

    private static int[] numbers(String name, String usual) {
        return Arrays.stream(words(name, usual)).mapToInt(Integer::parseInt).toArray();
    }

    private static String[] words(String name, String usual) {
        return System.getProperty(name, usual).split(",");
    }

    private void runOn(String backend) throws Exception {
        BrokerSettings settings = BrokerSettings.of(backend, false, TICK_MILLIS).with("managedLedgerMaxEntriesPerLedger", "50000")
                .with("managedLedgerMinLedgerRolloverTimeMinutes", "10")
                .with("delayedDeliveryFixedDelayDetectionLookahead", "50000")
                .with("keySharedLookAheadMsgInReplayThresholdPerConsumer", "2000")
                .with("keySharedLookAheadMsgInReplayThresholdPerSubscription", "20000");
        Broker broker = ForkedBroker.ofLine("4.0", "e2e-" + backend, settings, brokerJava);
        broker.start();
        try {
            failed |= settings.plugin() && wrong(WARM_UP, WARM_UP.play(broker, "warm-up"));
            for (int number : topics) {
                for (int rate : rates) {
                    for (int work : works) {
                        for (String delay : delays) {
                            for (String listening : listenings) {
                                row(broker, backend, new Cell(number, rate, seconds, work, delay.equals("mixed"),
                                        Kind.valueOf(listening.toUpperCase(Locale.ROOT))));
                            }
                        }
                    }
                }
            }
        } finally {
            broker.close();
        }
    }

    private void row(Broker broker, String backend, Cell cell) throws Exception {
        Duration before = cpu();
        Tally tally = cell.play(broker, "e2e-" + cells++);
        Duration used = cpu().minus(before);
        failed |= broker.settings().plugin() && wrong(cell, tally);
        System.out.print(table.add(backend, cell, tally, tally.early(TICK_MILLIS), used.toMillis() / 1e3,
                residentKib() * KIB / MIB));
        tally.pairsOutOfOrder().forEach(pair -> System.out.println("out of order: " + pair));
    }

    private static boolean wrong(Cell cell, Tally tally) {
        return tally.lost() > 0 || tally.early(TICK_MILLIS) > 0 || tally.outOfOrder() > 0
                || tally.sentCount() < cell.topics() * cell.rate() * cell.seconds();
    }

    /** The broker is the only process this one has started. */
    private static Optional<ProcessHandle> brokerProcess() {
        return ProcessHandle.current().descendants().filter(ProcessHandle::isAlive).findFirst();
    }

    private static Duration cpu() {
        return brokerProcess().flatMap(process -> process.info().totalCpuDuration()).orElse(Duration.ZERO);
    }

    /** What the broker's process has in memory, as far as the system tells. */
    private static long residentKib() throws IOException {
        Optional<Path> status = brokerProcess().map(process -> Path.of("/proc", Long.toString(process.pid()), "status"))
                .filter(Files::exists);
        if (status.isEmpty()) {
            return 0;
        }
        return Files.readAllLines(status.get()).stream().filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElse(0);
    }
}
