/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import io.github.delayedtracker.command.DelayedCommands;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a request. One that is not known, or comes twice, is refused: it may be a misspelled restriction. */
final class Query {

    static final String AUTHORITATIVE = "authoritative";

    private static final String SUBSCRIPTION = "subscription";
    private static final String WHOLE_BATCHES = "wholeBatches";
    private static final String UNTIL = "until";
    private static final String DUE = "due";
    private static final Map<Route.Action, Set<String>> KNOWN = Map.of(
            Route.Action.CANCEL, Set.of(SUBSCRIPTION, WHOLE_BATCHES, AUTHORITATIVE),
            Route.Action.RESCHEDULE, Set.of(SUBSCRIPTION, WHOLE_BATCHES, DUE, AUTHORITATIVE),
            Route.Action.DELIVER_NOW, Set.of(SUBSCRIPTION, WHOLE_BATCHES, AUTHORITATIVE),
            Route.Action.SCHEDULE, Set.of(SUBSCRIPTION, UNTIL, AUTHORITATIVE));

    /** How far ahead to look where no times are given: 1 m, 1 h, 6 h, 1 d, 7 d, 30 d. */
    private static final List<Long> USUAL_AHEAD = List.of(TimeUnit.MINUTES.toMillis(1), TimeUnit.HOURS.toMillis(1),
            TimeUnit.HOURS.toMillis(6), TimeUnit.DAYS.toMillis(1), TimeUnit.DAYS.toMillis(7), TimeUnit.DAYS.toMillis(30));

    private static final Pattern TIME = Pattern.compile("([0-9]{1,19})([smhd]?)");
    private static final Map<String, TimeUnit> UNITS = Map.of("s", TimeUnit.SECONDS, "m", TimeUnit.MINUTES,
            "h", TimeUnit.HOURS, "d", TimeUnit.DAYS);

    private final Map<String, String> values = new LinkedHashMap<>();

    private Query() {
    }

    /**
     * Reads them.
     *
     * @param text as it came, not decoded; null if there are none
     * @throws Failure 400
     */
    static Query of(Route.Action action, String text) {
        Query query = new Query();
        for (String pair : text == null ? new String[0] : text.split("&")) {
            if (pair.isEmpty()) {
                continue;
            }
            String[] sides = pair.split("=", 2);
            String name = Percent.decode("the name of a parameter", sides[0]);
            if (!KNOWN.get(action).contains(name)) {
                throw new Failure(400, "there is no such parameter: " + Printable.value(name) + "; there are "
                        + new TreeSet<>(KNOWN.get(action)));
            }
            String value = Percent.decode(name, sides.length == 1 ? "" : sides[1].replace('+', ' '));
            if (query.values.put(name, value) != null) {
                throw new Failure(400, name + " is given twice");
            }
        }
        return query;
    }

    /** The subscription that is meant; empty for all. */
    Optional<String> subscription() {
        String name = values.get(SUBSCRIPTION);
        if (name != null && name.isBlank()) {
            throw new Failure(400, "the subscription must not be empty; leave it out to mean all");
        }
        return Optional.ofNullable(name);
    }

    boolean wholeBatches() {
        return flag(WHOLE_BATCHES).orElse(false);
    }

    /** What the broker that sent the request here says about this one; empty if no broker did. */
    Optional<Boolean> authoritative() {
        return flag(AUTHORITATIVE);
    }

    private Optional<Boolean> flag(String name) {
        String value = values.get(name);
        if (value != null && !value.equals("true") && !value.equals("false")) {
            throw new Failure(400, name + " must be true or false, not " + Printable.value(value));
        }
        return Optional.ofNullable(value).map(Boolean::valueOf);
    }

    /** The times to count up to, epoch milliseconds, ascending. */
    List<Long> untilMillis(long nowMillis) {
        String text = values.get(UNTIL);
        if (text == null) {
            return USUAL_AHEAD.stream().map(ahead -> nowMillis + ahead).toList();
        }
        String[] parts = text.split(",", -1);
        if (parts.length > DelayedCommands.MOST_TIMES) {
            throw new Failure(400, UNTIL + " has " + parts.length + " times; at most " + DelayedCommands.MOST_TIMES);
        }
        TreeSet<Long> times = new TreeSet<>();
        for (String part : parts) {
            times.add(time(UNTIL, part.strip(), nowMillis));
        }
        return new ArrayList<>(times);
    }

    /** The time that messages are to be due, epoch milliseconds. */
    long dueMillis(long nowMillis) {
        String text = values.get(DUE);
        if (text == null) {
            throw new Failure(400, DUE + " is missing: when the messages are to be due");
        }
        return time(DUE, text, nowMillis);
    }

    /** A time: a number alone is epoch milliseconds, one with a unit is from now. */
    private static long time(String name, String text, long nowMillis) {
        Matcher time = TIME.matcher(text);
        try {
            if (time.matches()) {
                long number = Long.parseLong(time.group(1));
                return time.group(2).isEmpty() ? number
                        : Math.addExact(nowMillis, Math.multiplyExact(number, UNITS.get(time.group(2)).toMillis(1)));
            }
        } catch (NumberFormatException | ArithmeticException e) {
            throw badTime(name, text);
        }
        throw badTime(name, text);
    }

    private static Failure badTime(String name, String text) {
        return new Failure(400, name + (name.equals(UNTIL) ? " is times with commas between, each" : " is a time,")
                + " epoch milliseconds or from now, as 90s, 10m, 6h, 7d; this is " + Printable.value(text));
    }
}
