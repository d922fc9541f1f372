/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.keys;

import io.github.delayedtracker.it.Broker;
import io.github.delayedtracker.it.BrokerSettings;
import io.github.delayedtracker.it.ForkedBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Brokers of one line with default limits, one for each of some trackers, which play scenarios all at the same time: what holds
 * one up, holds up the others.
 */
public final class SideBySide implements AutoCloseable {

    private static final long TICK_MILLIS = 1_000;

    private final List<Broker> brokers = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger plays = new AtomicInteger();

    /** A scenario on a broker that runs, on a topic of that name. */
    @FunctionalInterface
    public interface Scenario<T> {
        T play(Broker broker, String topicName) throws Exception;
    }

    /** Starts the brokers. */
    public SideBySide(String line, Path javaHome, String... trackers) throws Exception {
        try {
            for (String tracker : trackers) {
                brokers.add(ForkedBroker.ofLine(line, "keys-" + line + "-" + tracker,
                        BrokerSettings.of(tracker, false, TICK_MILLIS).withDefaultLimits(), javaHome));
            }
            begin((broker, name) -> {
                broker.start();
                return name;
            }).get();
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    /** Begins to play it on each broker; what comes of it, in the order of the trackers. Several may be played at a time. */
    public <T> CompletableFuture<List<T>> begin(Scenario<T> scenario) {
        String name = "keys-" + plays.getAndIncrement();
        List<CompletableFuture<T>> all = brokers.stream().map(broker -> onAThread(threads, scenario, broker, name)).toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> all.stream().map(CompletableFuture::join).toList());
    }

    private static <T> CompletableFuture<T> onAThread(Executor threads, Scenario<T> scenario, Broker broker, String name) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                answer.complete(scenario.play(broker, name));
            } catch (Exception | AssertionError e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    @Override
    public void close() throws Exception {
        threads.shutdownNow();
        for (Broker broker : brokers) {
            broker.close();
        }
    }
}
