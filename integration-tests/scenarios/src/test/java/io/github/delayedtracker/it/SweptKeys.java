/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of a broker that a sweep of its configuration varies, as in {@code swept-keys.txt}.
 *
 * @param values of each key that is swept, in the order of the file
 * @param leftOut why, by key
 */
record SweptKeys(Map<String, List<String>> values, Map<String, String> leftOut) {

    /** Those of the file. */
    static SweptKeys read() throws IOException {
        try (InputStream file = SweptKeys.class.getResourceAsStream("/swept-keys.txt")) {
            return parse(new String(file.readAllBytes(), UTF_8).lines().toList());
        }
    }

    /** Those of lines; a line that is neither form, or names a key again, is refused. */
    static SweptKeys parse(List<String> lines) {
        SweptKeys keys = new SweptKeys(new LinkedHashMap<>(), new LinkedHashMap<>());
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf(" =");
            int colon = line.indexOf(" : ");
            String key = line.substring(0, Math.max(0, equals < 0 ? colon : equals)).strip();
            if (key.isEmpty() || keys.values.containsKey(key) || keys.leftOut.containsKey(key)) {
                throw new IllegalArgumentException("a line is \"key = value | value\" or \"key : reason\", each key once, got \""
                        + line + "\"");
            }
            if (equals < 0) {
                keys.leftOut.put(key, line.substring(colon + 3).strip());
            } else {
                keys.values.put(key, Arrays.stream(line.substring(equals + 2).split("\\|")).map(String::strip).toList());
            }
        }
        return keys;
    }

    /** The values of a row that are not the first of their key, in words. */
    String differences(Map<String, String> row) {
        StringBuilder words = new StringBuilder();
        row.forEach((key, value) -> {
            if (!value.equals(values.get(key).get(0))) {
                words.append(words.isEmpty() ? "" : ", ").append(key).append('=').append(value);
            }
        });
        return words.toString();
    }
}
