/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.fuzz.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Any properties of a subscription give settings that are in range; each of the plugin's that is bad is told in one line, and
 * leaves the others as they are. An input is lines of a number, which stands for a key, and the value.
 */
class SubscriptionPropertiesFuzzTest extends FuzzTarget {

    private static final TrackerSettings BROKER = new TrackerSettings("timebucket", OptionalLong.of(256), 100, 2048, true, 1000,
            true, SnapshotSettings.DEFAULT, 5_000, true);
    private static final List<String> BACKENDS = List.of("heap", "timebucket", "bucket");

    @Override
    protected List<byte[]> seeds() {
        return List.of("0bucket\n1512\n20\n34096\n4off\n50\n".getBytes(StandardCharsets.UTF_8),
                "0 HEAP \n11000\n28\n39223372036854775807\n4auto\n560000\n".getBytes(StandardCharsets.UTF_8),
                "delayedDeliveryIndexAnything=1\nowner=shop\n1-1".getBytes(StandardCharsets.UTF_8));
    }

    @Override
    protected void read(byte[] bytes) {
        Map<String, String> properties = properties(new String(bytes, StandardCharsets.UTF_8));
        SubscriptionOverrides.Applied applied = SubscriptionOverrides.apply(BROKER, properties, BACKENDS);
        TrackerSettings settings = applied.settings();
        assertTrue(BACKENDS.contains(settings.backend()), settings.backend());
        assertEquals(BROKER.tickMillis(), settings.tickMillis());
        assertEquals(BROKER.strict(), settings.strict());
        assertEquals(BROKER.skipReads(), settings.skipReads());
        for (String line : applied.problems()) {
            assertFalse(line.contains("\n") || line.contains("\r"), "a problem is one line: " + line);
        }
        // Each property by itself does the same as among the others.
        List<String> alone = properties.entrySet().stream().flatMap(each ->
                SubscriptionOverrides.apply(BROKER, Map.of(each.getKey(), each.getValue()), BACKENDS).problems().stream())
                .sorted().toList();
        assertEquals(alone, applied.problems().stream().sorted().toList());
        assertEquals(settings, SubscriptionOverrides.apply(settings, Map.of(), BACKENDS).settings());
    }

    private static Map<String, String> properties(String text) {
        List<String> keys = Settings.perSubscriptionKeys();
        Map<String, String> properties = new LinkedHashMap<>();
        for (String line : text.split("\n", 20)) {
            int key = line.isEmpty() ? -1 : line.charAt(0) - '0';
            int equals = line.indexOf('=');
            if (key >= 0 && key < keys.size()) {
                properties.put(keys.get(key), line.substring(1));
            } else if (equals >= 0) {
                properties.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        return properties;
    }
}
