/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * One server of a cluster: a process of the unmodified distribution, with its own folder for data and
 * log. It keeps its ports and its data when it is stopped, killed and started again. Thread safe.
 */
final class ClusterProcess {

    private static final long STOP_SECONDS = 30;
    private static final int TAIL_LINES = 30;
    /** A broker's log may be larger than the memory here. */
    private static final int TAIL_BYTES = 1 << 16;

    /**
     * What a server is.
     *
     * @param command the word after {@code bin/pulsar}
     * @param confFile of the distribution's {@code conf} folder, which is copied
     * @param confVariable the environment variable that names the copy
     * @param memory of the JVM
     */
    record Role(String command, String confFile, String confVariable, String memory) {
    }

    /** Whether a server answers. */
    @FunctionalInterface
    interface Probe {

        /**
         * Whether it does what it is for.
         *
         * @param startedMillis when it was started, epoch milliseconds
         * @throws Exception if nobody can tell, which is as good as no
         */
        boolean answers(long startedMillis) throws Exception;

        /** Whether it could serve if it was started now; an exception is as good as no. */
        default boolean mayStart() throws Exception {
            return true;
        }
    }

    private final String name;
    private final Path home;
    private final Path folder;
    private final List<String> before;
    private final Role role;
    private final Map<String, String> lines;
    private final Map<String, String> environment;
    private final Probe probe;
    private Process process;
    private long startedMillis;

    /**
     * A server that is not started yet.
     *
     * @param home the folder of the distribution
     * @param folder its own, which is made
     * @param before the words before its command
     * @param lines take the place of the lines of the same keys in its configuration
     * @param environment with the JDK and its options
     */
    ClusterProcess(String name, Path home, Path folder, List<String> before, Role role, Map<String, String> lines,
            Map<String, String> environment, Probe probe) throws IOException {
        this.name = name;
        this.home = home;
        this.folder = Files.createDirectories(folder);
        this.before = List.copyOf(before);
        this.role = role;
        this.lines = Map.copyOf(lines);
        this.environment = Map.copyOf(environment);
        this.probe = probe;
    }

    String name() {
        return name;
    }

    Path folder() {
        return folder;
    }

    /** Starts it on what it had stored; returns at once. */
    synchronized void start() throws IOException {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        Path conf = folder.resolve(role.confFile());
        Files.write(conf, configuration());
        List<String> words = new ArrayList<>(before);
        words.addAll(List.of(home.resolve("bin/pulsar").toString(), role.command()));
        ProcessBuilder command = new ProcessBuilder(words);
        command.directory(home.toFile());
        command.environment().putAll(environment);
        command.environment().put(role.confVariable(), conf.toString());
        command.environment().put("PULSAR_MEM", role.memory());
        command.environment().put("BOOKIE_MEM", role.memory());
        command.environment().put("PULSAR_LOG_DIR", folder.resolve("logs").toString());
        command.environment().put("PULSAR_ROUTING_APPENDER_DEFAULT", "Console");
        command.environment().put("ROCKSDB_SHAREDLIB_DIR", Files.createDirectories(folder.resolve("libraries")).toString());
        startedMillis = System.currentTimeMillis();
        process = command.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log())).start();
        Children.endWithThisJvm(process);
    }

    /** The shipped lines but for the keys that are given, and those: a bookie takes the first of equals, a broker the last. */
    private List<String> configuration() throws IOException {
        List<String> all = new ArrayList<>();
        for (String line : Files.readAllLines(home.resolve("conf").resolve(role.confFile()))) {
            int equals = line.indexOf('=');
            if (equals < 0 || !lines.containsKey(line.substring(0, equals).trim())) {
                all.add(line);
            }
        }
        lines.forEach((key, value) -> all.add(key + "=" + value));
        return all;
    }

    /** Whether it runs and answers. */
    boolean serves() throws InterruptedException {
        long started;
        synchronized (this) {
            started = startedMillis;
        }
        return isAlive() && holds(() -> probe.answers(started));
    }

    /** Whether it could serve if it was started now. */
    boolean mayStart() throws InterruptedException {
        return holds(probe::mayStart);
    }

    private static boolean holds(Callable<Boolean> question) throws InterruptedException {
        try {
            return question.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception unanswered) {
            return false;
        }
    }

    synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Stops it in order; ends it at once if that takes too long. One that has ended by itself is as good as stopped. */
    void stop() throws InterruptedException {
        Process last = last();
        last.toHandle().destroy();
        if (!last.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            kill();
        }
    }

    /** Ends it at once. One that has ended by itself is as good as killed. */
    void kill() throws InterruptedException {
        Process last = last();
        Children.destroy(last);
        last.waitFor();
    }

    /**
     * It does nothing any more, and its connections stay open.
     *
     * @throws IOException if it does not run
     */
    void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /** It goes on where it was frozen, unless it has ended. */
    void thaw() throws IOException, InterruptedException {
        if (isAlive()) {
            signal("-CONT");
        }
    }

    private void signal(String signal) throws IOException, InterruptedException {
        Shell.run("kill", signal, Long.toString(last().pid()));
    }

    private synchronized Process last() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process;
    }

    private File log() {
        return folder.resolve(name + ".log").toFile();
    }

    /** The last lines of its log, for a message. */
    String logTail() {
        try (RandomAccessFile file = new RandomAccessFile(log(), "r")) {
            byte[] end = new byte[(int) Math.min(TAIL_BYTES, file.length())];
            file.seek(file.length() - end.length);
            file.readFully(end);
            List<String> all = new String(end, UTF_8).lines().toList();
            return String.join("\n", all.subList(Math.max(0, all.size() - TAIL_LINES), all.size()));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }
}
