/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The configuration in force, of the broker or of one subscription: values that were checked. Immutable.
 *
 * @param backend name of the index backend
 * @param configuredPrecisionMillis width of a time bucket, a power of two; empty to derive it from the tick
 * @param adaptiveRatio how many times the remaining delay of a message is longer than its precision, at least; 0: off
 * @param adaptiveMaxMillis widest precision the ratio gives a message, a power of two
 * @param skipReads whether the dispatcher may skip reading positions that the index holds
 * @param tickMillis the broker's tick, 1 or more; policies may set another for a topic
 * @param strict whether early delivery is never allowed
 * @param snapshots the settings of a backend that keeps snapshots
 * @param ackFlushMillis how soon acknowledgements are written that the broker has not written; 0: the broker's own time
 * @param ackJournal whether acknowledgements that the broker's record leaves out are kept in a journal
 */
public record TrackerSettings(String backend, OptionalLong configuredPrecisionMillis, long adaptiveRatio,
        long adaptiveMaxMillis, boolean skipReads, long tickMillis, boolean strict, SnapshotSettings snapshots,
        long ackFlushMillis, boolean ackJournal) {

    /** Checks the ranges. */
    public TrackerSettings {
        if (tickMillis < 1) {
            throw new IllegalArgumentException("tickMillis must be 1 or more: " + tickMillis);
        }
        configuredPrecisionMillis.ifPresent(millis -> checkPowerOfTwo("configuredPrecisionMillis", millis));
        checkPowerOfTwo("adaptiveMaxMillis", adaptiveMaxMillis);
        if (adaptiveRatio < 0) {
            throw new IllegalArgumentException("adaptiveRatio must be 0 or more: " + adaptiveRatio);
        }
        if (ackFlushMillis < 0) {
            throw new IllegalArgumentException("ackFlushMillis must be 0 or more: " + ackFlushMillis);
        }
    }

    /**
     * Settings, and the lines about them for an operator.
     *
     * @param warnings lines on values that were changed to be usable
     * @param infos lines on values that have no effect
     */
    public record Parsed(TrackerSettings settings, List<String> warnings, List<String> infos) {

        /** Copies the lists. */
        public Parsed {
            warnings = List.copyOf(warnings);
            infos = List.copyOf(infos);
        }
    }

    /**
     * The settings of a broker.
     *
     * @param brokerProperties everything that stands in broker.conf, as texts; other keys are ignored
     * @param backendsFound names of the backends on the class path
     * @throws InvalidSettingException if a value is not valid, or a key with this project's prefix is not known
     */
    public static Parsed parse(Properties brokerProperties, StockSettings stock, Collection<String> backendsFound) {
        Map<String, String> texts = new TreeMap<>();
        for (String key : brokerProperties.stringPropertyNames()) {
            texts.put(key, brokerProperties.getProperty(key));
        }
        refuseUnknownKeys(texts);
        // The broker takes every text but "true" for false, so a slip there would silently allow early delivery.
        Settings.STRICT.find(texts, List.of());
        Map<String, String> inForce = new HashMap<>(texts);
        inForce.putAll(stock.texts());
        // The value is not used, and still refused where it is out of its range.
        Settings.MAX_NUM_BUCKETS.findOrDefault(inForce);
        List<String> warnings = new ArrayList<>();
        String backend = Settings.BACKEND.find(texts, backendsFound)
                .orElseGet(() -> Settings.BACKEND.parse(Settings.BACKEND.defaultText(), backendsFound));
        OptionalLong precisionMillis = findPowerOfTwo(Settings.PRECISION_MILLIS, texts, warnings);
        long adaptiveRatio = Settings.ADAPTIVE_PRECISION_RATIO.findOrDefault(texts);
        long adaptiveMaxMillis = findPowerOfTwo(Settings.ADAPTIVE_PRECISION_MAX_MILLIS, texts, warnings)
                .orElseGet(() -> Settings.ADAPTIVE_PRECISION_MAX_MILLIS.findOrDefault(Map.of()));
        boolean skipReads = Settings.SKIP_READS.findOrDefault(texts);
        long tickMillis = usableTick(stock.tickMillis(), warnings);
        return new Parsed(new TrackerSettings(backend, precisionMillis, adaptiveRatio, adaptiveMaxMillis, skipReads,
                tickMillis, stock.strict(), SnapshotSettings.of(inForce),
                Settings.ACK_FLUSH_MILLIS.findOrDefault(texts), Settings.keepsJournal(Settings.ACK_JOURNAL.findOrDefault(texts))),
                warnings, unusedValues(inForce));
    }

    /** The width of a time bucket for a tick: the one configured, or else the largest power of two up to the tick. */
    public long precisionMillis(long forTickMillis) {
        return configuredPrecisionMillis.orElse(Long.highestOneBit(Math.max(1, forTickMillis)));
    }

    /** The value of a setting in some texts, lowered to a power of two with a warning. */
    static OptionalLong findPowerOfTwo(Setting<Long> setting, Map<String, String> texts, List<String> warnings) {
        Long configuredMillis = setting.find(texts, List.of()).orElse(null);
        if (configuredMillis == null) {
            return OptionalLong.empty();
        }
        long loweredMillis = Long.highestOneBit(configuredMillis);
        if (loweredMillis != configuredMillis) {
            warnings.add(InvalidSettingException.line(setting.key(), String.valueOf(configuredMillis),
                    "not a power of two; " + loweredMillis + " is used"));
        }
        return OptionalLong.of(loweredMillis);
    }

    private static void checkPowerOfTwo(String name, long millis) {
        if (millis < 1 || Long.bitCount(millis) != 1) {
            throw new IllegalArgumentException(name + " must be a power of two: " + millis);
        }
    }

    private static void refuseUnknownKeys(Map<String, String> texts) {
        texts.forEach((key, text) -> {
            if (Settings.hasOwnPrefix(key) && !Settings.ownKeys().contains(key)) {
                throw InvalidSettingException.unknownKey(key, text, Settings.ownKeys());
            }
        });
    }

    private static long usableTick(long tickMillis, List<String> warnings) {
        if (tickMillis >= 1) {
            return tickMillis;
        }
        warnings.add(InvalidSettingException.line(Settings.TICK_MILLIS.key(), String.valueOf(tickMillis),
                "must be " + Settings.TICK_MILLIS.values().range() + "; 1 is used"));
        return 1;
    }

    // The default too: an operator who leaves it alone may count on the stock tracker's limit of reading.
    private static List<String> unusedValues(Map<String, String> inForce) {
        return List.of(InvalidSettingException.line(Settings.FIXED_DELAY_LOOKAHEAD.key(),
                String.valueOf(Settings.FIXED_DELAY_LOOKAHEAD.findOrDefault(inForce)),
                "accepted and not used: no backend pauses reading for fixed delays;"
                        + " at each load of a topic heap and timebucket read its whole delayed backlog,"
                        + " bucket only what it has not recorded"));
    }
}
