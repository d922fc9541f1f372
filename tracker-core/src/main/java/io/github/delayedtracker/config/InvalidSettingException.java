/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.Optional;

/**
 * The exception for a value or a key of the configuration that cannot be used. The message is one line that names the key, the
 * value, the rule and the nearest valid value.
 */
public final class InvalidSettingException extends IllegalArgumentException {

    private static final int LONGEST_SHOWN = 80;

    private InvalidSettingException(String message) {
        super(message);
    }

    /**
     * The exception for a value against the rule of its key.
     *
     * @param rule the text after "must be"
     * @param nearest the valid value most like this one, empty if there is none
     */
    static InvalidSettingException badValue(String key, String value, String rule, Optional<String> nearest) {
        return new InvalidSettingException(line(key, value, "must be " + rule
                + nearest.map(valid -> "; nearest valid value: " + valid).orElse("")));
    }

    /** The exception for a key with the prefix of this project that nothing reads. */
    static InvalidSettingException unknownKey(String key, String value, Iterable<String> knownKeys) {
        return new InvalidSettingException(line(key, value, "the key must be one of " + String.join(", ", knownKeys)
                + Nearest.to(key, knownKeys).map(known -> "; nearest valid key: " + known).orElse("")));
    }

    /** The exception for a key of the broker found among subscription properties. */
    static InvalidSettingException brokerOnly(String key, String value, Iterable<String> overridingKeys) {
        return new InvalidSettingException(line(key, value, "the key is read from broker.conf only; a subscription may set "
                + String.join(", ", overridingKeys)));
    }

    /** The form of every line about a setting. Line ends and other control characters are masked, long texts cut. */
    static String line(String key, String value, String said) {
        return shown(key) + " = '" + shown(value) + "': " + said;
    }

    private static String shown(String text) {
        String cut = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
        return cut.replaceAll("[\\p{Cntrl}\u0085\u2028\u2029]", "?");
    }
}
