/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A broker that is a process of its own. Whatever was started here is ended here, by its process handle, at the latest when
 * this JVM ends.
 */
abstract class ProcessBroker implements Broker {

    private static final long START_MILLIS = 90_000;
    private static final long STOP_SECONDS = 30;
    private static final int MOST_STARTS = 5;
    /** A start has a few. */
    private static final int MOST_LOCKS_LOST = 100;
    private static final String LOCK_LOST = "was invalidated";
    private static final Set<Process> STARTED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> STARTED.forEach(ProcessBroker::destroy), "end-brokers"));
    }

    private final String name;
    private BrokerSettings settings;
    private static final Pattern HISTOGRAM_LINE = Pattern.compile("(?m)^ *[0-9]+: +[0-9]+ +([0-9]+) +([^ \\n]+)");

    private final BrokerFolder folder;
    private final int brokerPort;
    private final int webPort;
    private final int bookiePort;
    private Process process;

    ProcessBroker(String name, BrokerSettings settings, int brokerPort, int webPort) throws IOException {
        this.name = name;
        this.settings = settings;
        this.folder = new BrokerFolder(name);
        int[] free = Net.freePorts(3);
        this.brokerPort = brokerPort == 0 ? free[0] : brokerPort;
        this.webPort = webPort == 0 ? free[1] : webPort;
        this.bookiePort = free[2];
    }

    /** The command that starts the broker in the foreground, its environment not yet set. */
    abstract ProcessBuilder command() throws IOException;

    /** Other settings, from the next start on. */
    final void reconfigure(BrokerSettings newSettings) {
        settings = newSettings;
    }

    final BrokerFolder folder() {
        return folder;
    }

    final int brokerPort() {
        return brokerPort;
    }

    final int webPort() {
        return webPort;
    }

    final int bookiePort() {
        return bookiePort;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final BrokerSettings settings() {
        return settings;
    }

    @Override
    public final String serviceUrl() {
        return "pulsar://" + Net.LOOPBACK + ":" + brokerPort;
    }

    @Override
    public final String adminUrl() {
        return "http://" + Net.LOOPBACK + ":" + webPort;
    }

    /**
     * A broker that loses the registration of its own bookie over and over cannot use it, and is killed and started again: its
     * local metadata store keeps the node of a process that was killed, and it may take the deletion of that for one of its own
     * node, for minutes.
     */
    @Override
    public final void start() throws Exception {
        for (int starts = 1; starts <= MOST_STARTS; starts++) {
            long from = Files.exists(folder.log()) ? Files.size(folder.log()) : 0;
            startOnce();
            if (locksLost(from) <= MOST_LOCKS_LOST) {
                return;
            }
            System.out.printf("BROKER %s is killed after start %d: it has lost its bookie's lock over and over%n", name, starts);
            kill();
        }
        throw new IllegalStateException("broker " + name + " has lost the lock of its bookie over and over in " + MOST_STARTS
                + " starts, log " + folder.log());
    }

    private long locksLost(long from) throws IOException {
        try (InputStream log = Files.newInputStream(folder.log())) {
            log.skipNBytes(from);
            String lines = new String(log.readAllBytes(), StandardCharsets.UTF_8);
            return lines.lines().filter(line -> line.contains(LOCK_LOST)).count();
        }
    }

    private void startOnce() throws Exception {
        File log = folder.log().toFile();
        ProcessBuilder command = command();
        command.environment().put("ROCKSDB_SHAREDLIB_DIR", folder.libraries().toString());
        process = command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log)).start();
        STARTED.add(process);
        boolean up = Await.within(START_MILLIS, () -> !process.isAlive() || Net.serves(adminUrl()));
        if (!up || !process.isAlive()) {
            destroy(process);
            throw new IllegalStateException("broker " + name + (up ? " ended while starting" : " did not start in time")
                    + ", log " + log + " ends:\n" + folder.logTail());
        }
    }

    /** The id of its process, while it is started. */
    public final long pid() {
        return process.pid();
    }

    /** The bytes of the objects that are alive in the broker, by their class; it collects its garbage first. */
    public final Map<String, Long> liveBytes() throws IOException, InterruptedException {
        Process tool = new ProcessBuilder(Harness.ownJavaHome().resolve("bin/jcmd").toString(), Long.toString(process.pid()),
                "GC.class_histogram").redirectErrorStream(true).start();
        String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = tool.waitFor();
        Map<String, Long> bytes = new HashMap<>();
        HISTOGRAM_LINE.matcher(output).results().forEach(line ->
                bytes.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum));
        if (code != 0 || bytes.isEmpty()) {
            throw new IOException("jcmd has answered " + code + ": " + output.substring(0, Math.min(200, output.length())));
        }
        return bytes;
    }

    @Override
    public final void stop() throws Exception {
        if (process == null) {
            return;
        }
        process.toHandle().destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            destroy(process);
        }
        ended();
    }

    @Override
    public final void kill() throws Exception {
        destroy(process);
        ended();
    }

    @Override
    public final void close() throws Exception {
        if (process != null) {
            kill();
        }
        folder.deleteData();
    }

    private void ended() throws InterruptedException {
        process.waitFor();
        STARTED.remove(process);
        process = null;
    }

    /** Sees to it that a process ends when this JVM does. */
    static void endWithThisJvm(Process process) {
        STARTED.add(process);
    }

    static void destroy(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
