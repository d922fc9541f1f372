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

import java.lang.reflect.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SettingsTest {

    @Test
    void noKeyIsDeclaredTwice() {
        List<String> keys = Settings.all().stream().map(Setting::key).toList();
        assertEquals(new HashSet<>(keys).size(), keys.size(), () -> "a key is declared twice in " + keys);
    }

    @Test
    void everyDeclarationIsListed() throws IllegalAccessException {
        Set<String> declared = new TreeSet<>();
        for (Field field : Settings.class.getDeclaredFields()) {
            if (field.getType() == Setting.class) {
                declared.add(((Setting<?>) field.get(null)).key());
            }
        }
        assertFalse(declared.isEmpty());
        assertEquals(declared, Settings.all().stream().map(Setting::key).collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void ownKeysAndOnlyTheyHaveThePrefix() {
        for (Setting<?> setting : Settings.all()) {
            assertEquals(!setting.stock(), setting.key().startsWith(Settings.OWN_PREFIX), setting.key());
        }
    }

    @Test
    void stockKeysAreNeverPerSubscription() {
        assertTrue(Settings.all().stream().noneMatch(setting -> setting.stock() && setting.perSubscription()));
    }

    @Test
    void stockSettingsCarryEveryStockKeyAndNoOther() {
        Set<String> stockKeys = Settings.all().stream().filter(Setting::stock).map(Setting::key).collect(Collectors.toSet());
        assertEquals(stockKeys, BrokerConf.stock(BrokerConf.load(Map.of())).texts().keySet());
    }

    @Test
    void aPrefixInAnotherCaseStillClaimsToBeOurs() {
        assertTrue(Settings.hasOwnPrefix("delayeddeliveryINDEXbackend"));
        assertFalse(Settings.hasOwnPrefix("delayedDeliveryEnabled"));
    }
}
