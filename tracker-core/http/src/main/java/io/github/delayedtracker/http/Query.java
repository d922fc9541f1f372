/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.DueShifted;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.NewDue;
import io.github.delayedtracker.command.DelayedCommands.Options;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parameters of a request. One that is not known, or comes twice, is refused: it may be a misspelled restriction. */
final class Query {

    static final String AUTHORITATIVE = "authoritative";

    private static final String SUBSCRIPTION = "subscription";
    private static final String WHOLE_BATCHES = "wholeBatches";
    private static final String UNTIL = "until";
    private static final String DUE = "due";
    private static final String BY = "by";
    private static final String DUE_AFTER = "dueAfter";
    private static final String DUE_BEFORE = "dueBefore";
    private static final String ALL = "all";
    private static final String DRY_RUN = "dryRun";
    private static final String YES = "yes";
    private static final String AFTER = "after";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String LIMIT = "limit";
    private static final char NOW_MARK = '@';
    private static final Set<String> OF_A_CHANGE = Set.of(SUBSCRIPTION, WHOLE_BATCHES, DUE_AFTER, DUE_BEFORE, ALL, AFTER, DRY_RUN,
            YES, AUTHORITATIVE);
    private static final Set<String> OF_A_RESCHEDULE =
            Stream.concat(OF_A_CHANGE.stream(), Stream.of(DUE, BY)).collect(Collectors.toUnmodifiableSet());

    static final Set<String> OF_A_SWEEP = Set.of(AFTER);

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
     * Reads those of an action.
     *
     * @param text as it came, not decoded; null if there are none
     * @throws Failure 400
     */
    static Query of(Route.Action action, String text) {
        return of(names(action), text);
    }

    /** Reads those of the sweep, which is of no topic. */
    static Query ofSweep(String text) {
        return of(OF_A_SWEEP, text);
    }

    private static Query of(Set<String> names, String text) {
        Query query = new Query();
        for (String pair : text == null ? new String[0] : text.split("&")) {
            if (pair.isEmpty()) {
                continue;
            }
            String[] sides = pair.split("=", 2);
            String name = Percent.decode("the name of a parameter", sides[0]);
            if (!names.contains(name)) {
                throw new Failure(400, "there is no such parameter: " + Printable.value(name) + "; there are "
                        + new TreeSet<>(names));
            }
            String value = Percent.decode(name, sides.length == 1 ? "" : sides[1].replace('+', ' '));
            if (query.values.put(name, value) != null) {
                throw new Failure(400, name + " is given twice");
            }
        }
        return query;
    }

    /** The names of the parameters of an action. */
    static Set<String> names(Route.Action action) {
        return switch (action) {
            case CANCEL, DELIVER_NOW -> OF_A_CHANGE;
            case RESCHEDULE -> OF_A_RESCHEDULE;
            case SCHEDULE -> Set.of(SUBSCRIPTION, UNTIL, AUTHORITATIVE);
            case LIST, PEEK -> Set.of(SUBSCRIPTION, FROM, TO, LIMIT, AFTER, AUTHORITATIVE);
            case HOLDING, EXPIRING, VERIFY -> Set.of(SUBSCRIPTION, AFTER, AUTHORITATIVE);
            case SNAPSHOTS -> Set.of(SUBSCRIPTION, AUTHORITATIVE);
        };
    }

    /** The subscription that is meant; empty for all. */
    Optional<String> subscription() {
        String name = values.get(SUBSCRIPTION);
        if (name != null && name.isBlank()) {
            throw new Failure(400, "the subscription must not be empty; leave it out to mean all");
        }
        return Optional.ofNullable(name);
    }

    /** The subscription that is meant, where only one can be. */
    private void mustNameOne() {
        if (subscription().isEmpty()) {
            throw new Failure(400, SUBSCRIPTION + " is missing: messages go by their due time in one subscription");
        }
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

    /** When messages are to be due. */
    NewDue newDue(long nowMillis) {
        String due = values.get(DUE);
        String by = values.get(BY);
        if ((due == null) == (by == null)) {
            throw new Failure(400, due == null ? DUE + " is missing: when the messages are to be due, or " + BY
                    + ": how much later than now planned" : DUE + " does not go with " + BY);
        }
        return due != null ? new DueAt(time(DUE, due, nowMillis)) : new DueShifted(distance(by));
    }

    /** How much later, or earlier behind a minus: milliseconds, or with a unit. */
    private static long distance(String text) {
        boolean isEarlier = text.startsWith("-");
        Matcher time = TIME.matcher(isEarlier ? text.substring(1) : text);
        try {
            if (time.matches()) {
                long millis = Math.multiplyExact(Long.parseLong(time.group(1)),
                        time.group(2).isEmpty() ? 1 : UNITS.get(time.group(2)).toMillis(1));
                return isEarlier ? -millis : millis;
            }
        } catch (NumberFormatException | ArithmeticException e) {
            throw badDistance(text);
        }
        throw badDistance(text);
    }

    private static Failure badDistance(String text) {
        return new Failure(400, BY + " is milliseconds, or as 90s, 10m, -6h, 7d, earlier behind a minus; this is "
                + Printable.value(text));
    }

    /**
     * The time from which relative times count: that of the first page, which {@code next} carries, so that all pages are of one
     * time.
     */
    long nowMillis(long clockMillis) {
        String after = values.getOrDefault(AFTER, "");
        int mark = after.lastIndexOf(NOW_MARK);
        try {
            return mark < 0 ? clockMillis : Long.parseLong(after.substring(mark + 1));
        } catch (NumberFormatException e) {
            throw new Failure(400, AFTER + " is the next of an earlier answer, as it came");
        }
    }

    /** Where to go on, as an earlier answer has told. */
    Optional<String> after() {
        String after = values.getOrDefault(AFTER, "");
        String place = after.substring(0, after.indexOf(NOW_MARK) < 0 ? after.length() : after.lastIndexOf(NOW_MARK));
        return place.isEmpty() ? Optional.empty() : Optional.of(place);
    }

    /** The ledger behind which to go on. */
    OptionalLong afterLedger() {
        String after = values.get(AFTER);
        try {
            return after == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(after));
        } catch (NumberFormatException e) {
            throw new Failure(400, AFTER + " is the next of an earlier answer, as it came");
        }
    }

    /** The place to go on, as an answer tells it. */
    static String next(String place, long nowMillis) {
        return place + NOW_MARK + nowMillis;
    }

    /** How a change is to be done. */
    Options options() {
        return new Options(flag(DRY_RUN).orElse(false), flag(YES).orElse(false));
    }

    /** The messages a change is for, by their due times; empty if it names them in its body. */
    Optional<DueWithin> dueWithin(long nowMillis) {
        boolean all = flag(ALL).orElse(false);
        boolean isTime = values.containsKey(DUE_AFTER) || values.containsKey(DUE_BEFORE);
        if (!all && !isTime) {
            if (values.containsKey(AFTER)) {
                throw new Failure(400, AFTER + " goes with " + DUE_AFTER + ", " + DUE_BEFORE + " or " + ALL);
            }
            return Optional.empty();
        }
        if (all && isTime) {
            throw new Failure(400, ALL + " does not go with " + DUE_AFTER + " or " + DUE_BEFORE);
        }
        mustNameOne();
        long fromMillis = values.containsKey(DUE_AFTER) ? time(DUE_AFTER, values.get(DUE_AFTER), nowMillis) : -1;
        long toMillis = values.containsKey(DUE_BEFORE) ? time(DUE_BEFORE, values.get(DUE_BEFORE), nowMillis) : Long.MAX_VALUE;
        return Optional.of(between(fromMillis == Long.MAX_VALUE ? fromMillis : fromMillis + 1, toMillis, nowMillis));
    }

    /** The time that is to be listed. */
    DueWithin listed(long nowMillis) {
        mustNameOne();
        return between(values.containsKey(FROM) ? time(FROM, values.get(FROM), nowMillis) : 0,
                values.containsKey(TO) ? time(TO, values.get(TO), nowMillis) : Long.MAX_VALUE, nowMillis);
    }

    private DueWithin between(long fromMillis, long toMillis, long nowMillis) {
        if (toMillis <= fromMillis) {
            throw new Failure(400, "a time has to end after it begins: it is from " + fromMillis + " to " + toMillis);
        }
        return new DueWithin(fromMillis, toMillis == Long.MAX_VALUE ? toMillis : toMillis - 1,
                after(), OptionalLong.of(nowMillis));
    }

    /** The most messages of a page, which are no more than some. */
    int limit(int usual, int most) {
        String text = values.get(LIMIT);
        try {
            int limit = text == null ? usual : Integer.parseInt(text);
            if (limit >= 1 && limit <= most) {
                return limit;
            }
        } catch (NumberFormatException e) {
            throw badLimit(text, most);
        }
        throw badLimit(text, most);
    }

    private static Failure badLimit(String text, int most) {
        return new Failure(400, LIMIT + " is a number from 1 to " + most + ", not " + Printable.value(text));
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
