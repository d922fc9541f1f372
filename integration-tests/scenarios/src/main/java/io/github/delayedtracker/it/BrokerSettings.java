/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What the lines of a broker's configuration file say: the tracker, the tick, strictness, and what makes a small broker on
 * the loopback address.
 *
 * @param tracker short name of the tracker: a backend of the plugin, {@code stock-memory} or {@code stock-bucket}
 * @param strict never before deliverAt, when true
 * @param tickMillis the broker's tick
 * @param lines further lines of the file
 */
public record BrokerSettings(String tracker, boolean strict, long tickMillis, Map<String, String> lines) {

    /** The folder of the archives of servlets. */
    static final String SERVLET_DIRECTORY = "additionalServletDirectory";
    /** The folder where archives are unpacked. */
    static final String EXTRACTION_DIRECTORY = "narExtractionDirectory";

    private static final String PLUGIN_FACTORY = "io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory";
    private static final String STOCK_MEMORY = "stock-memory";
    private static final String STOCK_BUCKET = "stock-bucket";

    public BrokerSettings {
        lines = Map.copyOf(lines);
    }

    /** Settings with no further lines. */
    public static BrokerSettings of(String tracker, boolean strict, long tickMillis) {
        return new BrokerSettings(tracker, strict, tickMillis, Map.of());
    }

    /** The broker's own in-memory tracker. */
    public static BrokerSettings stockMemory(boolean strict, long tickMillis) {
        return of(STOCK_MEMORY, strict, tickMillis);
    }

    /** These settings and one line more. */
    public BrokerSettings with(String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(lines);
        more.put(key, value);
        return new BrokerSettings(tracker, strict, tickMillis, more);
    }

    /** These settings with the limits of a broker whose settings nobody touched, where the small broker has others. */
    public BrokerSettings withDefaultLimits() {
        return with("delayedDeliveryFixedDelayDetectionLookahead", "50000")
                .with("keySharedLookAheadMsgInReplayThresholdPerConsumer", "2000")
                .with("keySharedLookAheadMsgInReplayThresholdPerSubscription", "20000")
                .with("managedLedgerMaxEntriesPerLedger", "50000").with("managedLedgerMinLedgerRolloverTimeMinutes", "10")
                .with("managedLedgerCursorPositionFlushSeconds", "60").with("managedLedgerMaxUnackedRangesToPersist", "10000");
    }

    /** These settings with the commands over HTTP. */
    public BrokerSettings withCommands() {
        return with("additionalServlets", "delayed").with(SERVLET_DIRECTORY, Harness.servletFolder().toString())
                .with(EXTRACTION_DIRECTORY, Harness.target().resolve("nars").toString());
    }

    /** Whether a line of these settings says {@code true} to that key. */
    public boolean allows(String key) {
        return Boolean.parseBoolean(lines.get(key));
    }

    /** Whether the tracker is this project's. */
    public boolean plugin() {
        return !tracker.startsWith("stock-");
    }

    /** Width of a time bucket that the plugin uses at this tick: the largest power of two not above it. */
    public long precisionMillis() {
        return Long.highestOneBit(tickMillis);
    }

    /** A name for folders and messages. */
    public String label() {
        return new StringJoiner("-").add(tracker).add(strict ? "strict" : "early").add(Long.toString(tickMillis)).toString();
    }

    /** All lines, for a broker that listens on the given ports of an address and is reached at another. */
    Map<String, String> toLines(String bindAddress, int brokerPort, int webPort) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("clusterName", "standalone");
        all.put("bindAddress", bindAddress);
        all.put("advertisedAddress", "127.0.0.1");
        all.put("brokerServicePort", Integer.toString(brokerPort));
        all.put("webServicePort", Integer.toString(webPort));
        putSmallBroker(all);
        putSmallBookie(all);
        all.putAll(trackerLines());
        return all;
    }

    /** The lines of the tracker, the tick, strictness, and the further lines. */
    public Map<String, String> trackerLines() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("delayedDeliveryEnabled", "true");
        all.put("delayedDeliveryTickTimeMillis", Long.toString(tickMillis));
        all.put("isDelayedDeliveryDeliverAtTimeStrict", Boolean.toString(strict));
        all.put("delayedDeliveryTrackerFactoryClassName", factoryClassName());
        if (plugin()) {
            all.put("delayedDeliveryIndexBackend", tracker);
        }
        all.putAll(lines);
        return all;
    }

    private String factoryClassName() {
        return switch (tracker) {
            case STOCK_MEMORY -> "org.apache.pulsar.broker.delayed.InMemoryDelayedDeliveryTrackerFactory";
            case STOCK_BUCKET -> "org.apache.pulsar.broker.delayed.BucketDelayedDeliveryTrackerFactory";
            default -> PLUGIN_FACTORY;
        };
    }

    private static void putSmallBroker(Map<String, String> all) {
        all.put("managedLedgerDefaultEnsembleSize", "1");
        all.put("managedLedgerDefaultWriteQuorum", "1");
        all.put("managedLedgerDefaultAckQuorum", "1");
        // Several ledgers in a small topic, and acknowledgements on disk within a second.
        all.put("managedLedgerMaxEntriesPerLedger", "400");
        all.put("managedLedgerMinLedgerRolloverTimeMinutes", "0");
        all.put("managedLedgerCursorPositionFlushSeconds", "1");
        all.put("managedLedgerDefaultMarkDeleteRateLimit", "1.0");
        all.put("managedLedgerMaxUnackedRangesToPersist", "100000");
        all.put("managedLedgerCacheSizeMB", "64");
        all.put("managedLedgerNumSchedulerThreads", "4");
        all.put("numIOThreads", "4");
        all.put("numHttpServerThreads", "8");
        all.put("topicOrderedExecutorThreadNum", "4");
        all.put("numOrderedExecutorThreads", "4");
        all.put("webSocketServiceEnabled", "false");
        all.put("loadBalancerEnabled", "false");
        all.put("loadManagerClassName", "org.apache.pulsar.broker.loadbalance.NoopLoadManager");
        all.put("brokerDeleteInactiveTopicsEnabled", "false");
        all.put("allowAutoTopicCreation", "true");
        all.put("topicLevelPoliciesEnabled", "true");
        all.put("systemTopicEnabled", "true");
        all.put("forceDeleteNamespaceAllowed", "true");
        all.put("defaultNumberOfNamespaceBundles", "1");
        // Small enough for the scenarios to reach.
        all.put("delayedDeliveryFixedDelayDetectionLookahead", "500");
        all.put("keySharedLookAheadMsgInReplayThresholdPerConsumer", "100");
        all.put("keySharedLookAheadMsgInReplayThresholdPerSubscription", "400");
        all.put("bookkeeperNumberOfChannelsPerBookie", "4");
        all.put("bookkeeperClientHealthCheckEnabled", "false");
        all.put("dispatcherReadFailureBackoffInitialTimeInMs", "100");
        all.put("dispatcherReadFailureBackoffMaxTimeInMs", "1000");
        all.put("brokerShutdownTimeoutMs", "5000");
    }

    /** The lines of a bookie that needs little memory. */
    static void putSmallBookie(Map<String, String> all) {
        all.put("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
        all.put("dbStorage_writeCacheMaxSizeMb", "32");
        all.put("dbStorage_readAheadCacheMaxSizeMb", "16");
        all.put("dbStorage_rocksDB_blockCacheSize", "8388608");
        all.put("journalSyncData", "false");
        all.put("journalMaxGroupWaitMSec", "1");
        all.put("diskUsageThreshold", "0.99");
        all.put("diskUsageWarnThreshold", "0.99");
        all.put("allowLoopback", "true");
        all.put("gcWaitTime", "300000");
    }
}
