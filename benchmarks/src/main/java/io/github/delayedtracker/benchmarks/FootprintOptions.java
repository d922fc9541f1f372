/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.subscription.AdaptivePrecision;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The command line of {@link FootprintReport}. */
final class FootprintOptions {

    static final String USAGE = "--messages N, --precision MILLIS, --out DIR, --backends a,b, --workloads a;b, "
            + "--sizes 1,10,100 (fills of those sizes against the stock heap), --published [1x10,8x15], --steady, "
            + "--gone PERCENT (memory given back when so many are acknowledged in random order), "
            + "--adaptive 100:65536,1000:65536 (precision that grows with the delay, ratio and cap in ms)";

    private int messages = 1_000_000;
    private long precisionMillis = 1_024;
    private Path out = Path.of("target", "footprint");
    private List<Backend> backends = List.of(Backend.values());
    private List<Workload> workloads = List.of(Workload.values());
    private List<Integer> sizes = List.of();
    private List<AdaptivePrecision> adaptive = List.of();
    private List<PublishedExperiment.Case> published = List.of();
    private boolean steady;
    private int gonePercent;

    private FootprintOptions() {
    }

    /** Throws an {@link IllegalArgumentException} that names the rule and the bad value. */
    static FootprintOptions parse(String... arguments) {
        FootprintOptions options = new FootprintOptions();
        for (int i = 0; i < arguments.length; i++) {
            String option = arguments[i];
            boolean hasValue = i + 1 < arguments.length && !arguments[i + 1].startsWith("--");
            if (option.equals("--steady")) {
                options.steady = true;
            } else if (option.equals("--published") && !hasValue) {
                options.published = PublishedExperiment.CASES;
            } else if (hasValue) {
                i++;
                options.take(option, arguments[i]);
            } else {
                throw new IllegalArgumentException("option must be one of " + USAGE + ": " + option);
            }
        }
        return options;
    }

    private void take(String option, String value) {
        switch (option) {
            case "--messages" -> messages = positive(option, value);
            case "--precision" -> precisionMillis = precision(value);
            case "--gone" -> gonePercent = percent(option, value);
            case "--out" -> out = Path.of(value);
            case "--backends" -> backends = Stream.of(value.split(",", -1)).map(Backend::of).toList();
            case "--workloads" -> workloads = Stream.of(value.split(";", -1)).map(Workload::of).toList();
            case "--sizes" -> sizes = Stream.of(value.split(",", -1)).map(size -> positive(option, size)).toList();
            case "--adaptive" -> adaptive = Stream.of(value.split(",", -1)).map(AdaptiveOption::parse).toList();
            case "--published" -> published = Stream.of(value.split(",", -1)).map(PublishedExperiment.Case::parse).toList();
            default -> throw new IllegalArgumentException("option must be one of " + USAGE + ": " + option);
        }
    }

    private static int positive(String option, String value) {
        int number;
        try {
            number = Integer.parseInt(value);
        } catch (NumberFormatException e) {
            number = 0;
        }
        if (number < 1) {
            throw new IllegalArgumentException(option + " must be a whole number, 1 or more: '" + value + "'");
        }
        return number;
    }

    private static int percent(String option, String value) {
        int number = positive(option, value);
        if (number > 99) {
            throw new IllegalArgumentException(option + " must be a whole number, 1 to 99: '" + value + "'");
        }
        return number;
    }

    private static long precision(String value) {
        int number = positive("--precision", value);
        if (Integer.bitCount(number) != 1) {
            throw new IllegalArgumentException("--precision must be a power of two, such as "
                    + String.join(", ", IntStream.of(512, 1024, 65536).mapToObj(String::valueOf).toList()) + ": '" + value + "'");
        }
        return number;
    }

    int messages() {
        return messages;
    }

    long precisionMillis() {
        return precisionMillis;
    }

    Path out() {
        return out;
    }

    List<Backend> backends() {
        return backends;
    }

    List<Workload> workloads() {
        return workloads;
    }

    /** The sizes of fills; empty for every workload at one size. */
    List<Integer> sizes() {
        return sizes;
    }

    /** Empty: not asked for. */
    List<AdaptivePrecision> adaptive() {
        return adaptive;
    }

    /** Empty: not asked for. */
    List<PublishedExperiment.Case> published() {
        return published;
    }

    /** The percentage that is acknowledged; 0 if not asked for. */
    int gonePercent() {
        return gonePercent;
    }

    boolean steady() {
        return steady;
    }
}
