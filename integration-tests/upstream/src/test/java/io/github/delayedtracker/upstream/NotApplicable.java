/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.upstream.Combination.Backend;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A test that does not apply to some backends, because it asserts an internal of the stock tracker; from not-applicable.txt.
 *
 * @param test as {@code Class#method}
 */
record NotApplicable(List<String> backends, String test, String reason) {

    static List<NotApplicable> all() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(Objects.requireNonNull(
                NotApplicable.class.getResourceAsStream("/not-applicable.txt")), StandardCharsets.UTF_8))) {
            return lines.lines().filter(line -> !line.startsWith("#")).map(NotApplicable::parse).toList();
        }
    }

    private static NotApplicable parse(String line) {
        List<String> cells = Stream.of(line.split("\\|")).map(String::trim).toList();
        if (cells.size() != 3) {
            throw new IllegalArgumentException("a line has backends, a test and a reason, but this one has not: " + line);
        }
        return new NotApplicable(List.of(cells.get(0).split(", ")), cells.get(1), cells.get(2));
    }

    boolean is(Backend backend) {
        return backends.contains(backend.title);
    }
}
