/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parser of delays as operators write them: {@code fixed:30m}, {@code uniform:600s} (from 0), {@code uniform:1s-1d},
 * {@code menu:1s,5s,10s} (equally frequent), {@code backoff:1s*2^12} (12 levels from 1 s, doubling, each with 0 to 1 s on top),
 * {@code mix:60%fixed:30m+30%uniform:1d+10%uniform:30d}. Units are ms, s, m, h and d.
 */
final class DelayParser {

    static final String FORMS = "fixed:30m, uniform:600s, uniform:1s-1d, menu:1s,5s,10s, backoff:1s*2^12 or "
            + "mix:60%fixed:30m+40%uniform:1d";

    private static final Pattern DURATION = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|h|d)");
    private static final Pattern BACKOFF = Pattern.compile("(.+)\\*2\\^([0-9]{1,2})");
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)%(.+)");
    private static final int MOST_LEVELS = 40;
    /** The longest delay, a hundred years; a longer one is a slip. */
    private static final long LONGEST_MILLIS = 100L * 366 * 86_400_000;

    private DelayParser() {
    }

    /** Throws an {@link IllegalArgumentException} that names the rule and the bad text. */
    static Delays parse(String text) {
        int colon = text.indexOf(':');
        String form = colon < 0 ? text : text.substring(0, colon);
        String rest = colon < 0 ? "" : text.substring(colon + 1);
        Delays delays = switch (form.toLowerCase(Locale.ROOT)) {
            case "fixed" -> Delays.fixed(millis(rest));
            case "uniform" -> uniform(rest);
            case "menu" -> menu(rest);
            case "backoff" -> backoff(rest);
            case "mix" -> mix(rest);
            default -> throw new IllegalArgumentException("delay must be like " + FORMS + ": '" + text + "'");
        };
        if (delays.longestMillis() > LONGEST_MILLIS) {
            throw new IllegalArgumentException("delay must be at most a hundred years: '" + text + "'");
        }
        return delays;
    }

    /** A duration in milliseconds, 1 or more. */
    static long millis(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "duration must be a number and one of ms, s, m, h, d, as in 30m: '" + text + "'");
        }
        double unit = switch (matcher.group(2)) {
            case "ms" -> 1;
            case "s" -> 1e3;
            case "m" -> 60e3;
            case "h" -> 3_600e3;
            default -> 86_400e3;
        };
        long millis = Math.round(Double.parseDouble(matcher.group(1)) * unit);
        if (millis < 1 || millis > 2 * LONGEST_MILLIS) {
            throw new IllegalArgumentException("duration must be from 1 ms to a hundred years: '" + text + "'");
        }
        return millis;
    }

    private static Delays uniform(String text) {
        int dash = text.indexOf('-');
        long from = dash < 0 ? 0 : millis(text.substring(0, dash));
        long to = millis(text.substring(dash + 1));
        if (to <= from) {
            throw new IllegalArgumentException("uniform must be from the shorter to the longer delay: '" + text + "'");
        }
        return Delays.uniform(from, to);
    }

    private static Delays menu(String text) {
        long[] millis = Arrays.stream(text.split(",", -1)).mapToLong(DelayParser::millis).toArray();
        double[] weights = new double[millis.length];
        Arrays.fill(weights, 1);
        return Delays.menu(millis, weights);
    }

    private static Delays backoff(String text) {
        Matcher matcher = BACKOFF.matcher(text);
        int levels = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
        if (levels < 1 || levels > MOST_LEVELS) {
            throw new IllegalArgumentException(
                    "backoff must be a first delay and 1 to 40 levels, as in 1s*2^12: '" + text + "'");
        }
        return Delays.backoff(millis(matcher.group(1)), levels);
    }

    private static Delays mix(String text) {
        List<Delays> parts = new ArrayList<>();
        List<Double> shares = new ArrayList<>();
        for (String part : text.split("\\+", -1)) {
            Matcher matcher = PART.matcher(part);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("mix must be shares joined by +, as in 60%fixed:30m: '" + part + "'");
            }
            shares.add(Double.parseDouble(matcher.group(1)));
            parts.add(parse(matcher.group(2)));
        }
        double sum = shares.stream().mapToDouble(Double::doubleValue).sum();
        if (Math.abs(sum - 100) > 0.01) {
            throw new IllegalArgumentException(String.format(Locale.ROOT, "shares of mix must be 100 %% together, not %s: '%s'",
                    sum, text));
        }
        return Delays.mix(parts, shares);
    }
}
