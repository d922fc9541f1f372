/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.FieldContext;
import org.junit.jupiter.api.Test;

/** The sweep knows every key that it is about. */
class SweptKeysTest {

    private static final Pattern ABOUT = Pattern.compile("(?i).*(delayedDelivery|acknowledg|ackState|pendingAck|unacked"
            + "|^managedLedger|^managedCursor|lazyCursor|cacheEvictionBy|autoSkip|^dispatcher|^preciseDispatcher"
            + "|^dispatchThrottling|keyShared|^subscription|unblockStuck|useV2Wire|stickyReads|explicitLac).*");

    private static Set<String> keysOfTheBroker() {
        return Arrays.stream(ServiceConfiguration.class.getDeclaredFields())
                .filter(field -> field.isAnnotationPresent(FieldContext.class)).map(field -> field.getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyKeyThatTheSweepIsAboutIsSweptOrLeftOutForAReason() throws IOException {
        SweptKeys keys = SweptKeys.read();
        Set<String> missing = new TreeSet<>(keysOfTheBroker());
        missing.removeIf(key -> !ABOUT.matcher(key).matches());
        missing.removeAll(keys.values().keySet());
        missing.removeAll(keys.leftOut().keySet());
        assertEquals(Set.of(), missing);
    }

    @Test
    void noKeyIsSweptThatTheBrokerDoesNotHave() throws IOException {
        SweptKeys keys = SweptKeys.read();
        Set<String> strange = new HashSet<>(keys.values().keySet());
        strange.addAll(keys.leftOut().keySet());
        strange.removeAll(keysOfTheBroker());
        assertEquals(Set.of("delayedDeliveryIndexBackend"), strange);
    }

    @Test
    void everySweptKeyHasSeveralValues() throws IOException {
        SweptKeys.read().values().forEach((key, values) -> assertEquals(values.size(), new HashSet<>(values).size(), key));
        assertEquals(Set.of(), SweptKeys.read().values().entrySet().stream().filter(entry -> entry.getValue().size() < 2)
                .map(Map.Entry::getKey).collect(Collectors.toSet()));
    }

    @Test
    void aLineIsAKeyWithValuesOrWithAReason() {
        SweptKeys keys = SweptKeys.parse(List.of("# words", "", "one = | b", "two : it is so"));
        assertEquals(Map.of("one", List.of("", "b")), keys.values());
        assertEquals(Map.of("two", "it is so"), keys.leftOut());
        assertEquals("one=b", keys.differences(Map.of("one", "b")));
        assertThrows(IllegalArgumentException.class, () -> SweptKeys.parse(List.of("one")));
        assertThrows(IllegalArgumentException.class, () -> SweptKeys.parse(List.of("one = a | b", "one : again")));
    }
}
