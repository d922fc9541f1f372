/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The changes of the broker's settings by subscription properties. Any user of a topic writes properties, so each bad one is
 * ignored and reported on its own, and the broker's value stays; nothing is thrown.
 */
public final class SubscriptionOverrides {

    private SubscriptionOverrides() {
    }

    /**
     * The settings of one subscription.
     *
     * @param problems one line for each property that was ignored
     * @param warnings lines on values that were changed to be usable
     */
    public record Applied(TrackerSettings settings, List<String> problems, List<String> warnings) {

        /** Copies the lists. */
        public Applied {
            problems = List.copyOf(problems);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * Puts the properties over the broker's settings. Properties without this project's prefix are left alone.
     *
     * @param subscriptionProperties may be null, as brokers give none for some subscriptions
     * @param backendsFound names of the backends on the class path
     */
    public static Applied apply(TrackerSettings broker, Map<String, String> subscriptionProperties,
            Collection<String> backendsFound) {
        Map<String, String> texts = ownTexts(subscriptionProperties);
        if (texts.isEmpty()) {
            return new Applied(broker, List.of(), List.of());
        }
        List<String> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        reportForeignKeys(texts, problems);
        String backend = orBrokers(broker.backend(), problems,
                () -> Settings.BACKEND.find(texts, backendsFound).orElse(broker.backend()));
        OptionalLong precisionMillis = orBrokers(broker.configuredPrecisionMillis(), problems, () -> {
            OptionalLong found = TrackerSettings.findPowerOfTwo(Settings.PRECISION_MILLIS, texts, warnings);
            return found.isPresent() ? found : broker.configuredPrecisionMillis();
        });
        long adaptiveRatio = orBrokers(broker.adaptiveRatio(), problems,
                () -> Settings.ADAPTIVE_PRECISION_RATIO.find(texts, List.of()).orElse(broker.adaptiveRatio()));
        long adaptiveMaxMillis = orBrokers(broker.adaptiveMaxMillis(), problems,
                () -> TrackerSettings.findPowerOfTwo(Settings.ADAPTIVE_PRECISION_MAX_MILLIS, texts, warnings)
                        .orElse(broker.adaptiveMaxMillis()));
        long ackFlushMillis = orBrokers(broker.ackFlushMillis(), problems,
                () -> Settings.ACK_FLUSH_MILLIS.find(texts, List.of()).orElse(broker.ackFlushMillis()));
        boolean ackJournal = orBrokers(broker.ackJournal(), problems,
                () -> Settings.ACK_JOURNAL.find(texts, List.of()).map(Settings::keepsJournal).orElse(broker.ackJournal()));
        return new Applied(new TrackerSettings(backend, precisionMillis, adaptiveRatio, adaptiveMaxMillis,
                broker.skipReads(), broker.tickMillis(), broker.strict(), broker.snapshots(), ackFlushMillis,
                ackJournal), problems, warnings);
    }

    private static Map<String, String> ownTexts(Map<String, String> subscriptionProperties) {
        Map<String, String> texts = new TreeMap<>();
        if (subscriptionProperties != null) {
            subscriptionProperties.forEach((key, text) -> {
                if (key != null && Settings.hasOwnPrefix(key)) {
                    texts.put(key, text == null ? "" : text);
                }
            });
        }
        return texts;
    }

    private static void reportForeignKeys(Map<String, String> texts, List<String> problems) {
        List<String> overriding = Settings.perSubscriptionKeys();
        texts.forEach((key, text) -> {
            if (!overriding.contains(key)) {
                problems.add((Settings.ownKeys().contains(key) ? InvalidSettingException.brokerOnly(key, text, overriding)
                        : InvalidSettingException.unknownKey(key, text, overriding)).getMessage());
            }
        });
    }

    private static <T> T orBrokers(T brokers, List<String> problems, Supplier<T> override) {
        try {
            return override.get();
        } catch (InvalidSettingException e) {
            problems.add(e.getMessage());
            return brokers;
        }
    }
}
