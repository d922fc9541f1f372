/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import io.github.delayedtracker.it.cluster.RunEvent.Left;
import io.github.delayedtracker.it.cluster.RunEvent.Setting;
import io.github.delayedtracker.it.cluster.Verdict.Promise;
import io.github.delayedtracker.it.cluster.Verdict.Violation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The judge of a run: reads every event of it, from any number of files, and tells which promises were broken.
 *
 * <p>Policy. A message is judged by its position: a producer that has had no answer sends it once more, and then the topic has it
 * at two positions, each of which comes. What came again after its acknowledgement was answered is excused by a fault that was
 * there when it came, or before, and began no later than a flush interval after that acknowledgement or while it was not healed:
 * what was not flushed yet may be forgotten. What came again before its acknowledgement is excused by being given back, and by a
 * fault since it came. What came twice within a moment was sent twice by the dispatcher, of which a normal read and a read of
 * what is to be replayed have ended together: on a busy machine the broker does so with any tracker, and with messages without
 * delay. It is only counted; whether a tracker had a part in it is told by what it has handed out. Such a moment is longer by the
 * time that the machine stood still, and by how late the first of them came, 3 s at most. A stalled consumer may have been sent a
 * message when its stall began, and takes it when that ends. All times are of one machine.
 * A run that did nothing, or not all that it should, breaks a promise of its own. Not thread safe.
 */
final class Judge {

    /** The figure of all that trackers have handed out, as far as somebody has seen it. */
    static final String HANDED_OUT = "handed-out";

    private static final int EXAMPLES = 20;
    /** A broker that is slow, and serves, is so late. */
    private static final long MOST_SLOW_MILLIS = 3_000;
    /** A broker that hands out so late may read messages only when they are due, past those it has yet to read again. */
    private static final long READ_WHEN_DUE_MILLIS = 2_000;

    private final Map<Setting, Long> settings = new EnumMap<>(Setting.class);
    private final Map<Left, Long> left = new EnumMap<>(Left.class);
    private final Map<String, Long> least = new LinkedHashMap<>(Map.of("sent", 1L, "received", 1L, "acknowledged", 1L));
    private final Map<String, Long> seen = new LinkedHashMap<>();
    private final Map<Long, Message> messages = new HashMap<>();
    private final Map<String, Copy> copies = new HashMap<>();
    private final KeyOrder order = new KeyOrder();
    private final Map<Promise, List<String>> examples = new EnumMap<>(Promise.class);
    private final Map<Promise, Long> times = new EnumMap<>(Promise.class);
    private final Faults faults;
    private final Stillness stillness;
    private boolean isEnded;
    private long received;
    private long again;
    private long twice;
    private long doubles;
    private long overtaken;
    private long latestMillis;

    /** What is known of a message so far. */
    private static final class Message {
        private String key = "";
        private long sendingMillis;
        private long dueMillis;
        private boolean hasCome;
        /** Where the broker says it is; null unless it says so. */
        private String position;
        private long sentMillis = Long.MAX_VALUE;

        /** How late it is at a time. */
        private long lateMillis(long atMillis) {
            return atMillis - (dueMillis > 0 ? dueMillis : sendingMillis);
        }
    }

    /** What is known of a position of the topic so far: the message that is there. */
    private static final class Copy {
        private final long message;
        private boolean hasCome;
        private boolean isReturned;
        private long cameMillis;
        /** How late it came first, up to what is taken for the slowness of brokers and not for a fault. */
        private long slowMillis;
        private long acknowledgedMillis = Long.MAX_VALUE;

        Copy(long message) {
            this.message = message;
        }
    }

    private Judge(List<RunEvent> ordered) {
        stillness = new Stillness(ordered);
        ordered.stream().filter(event -> event.kind() == Kind.SETTING)
                .forEach(event -> settings.put(Setting.valueOf(event.text()), event.number()));
        faults = new Faults(ordered, setting(Setting.FLUSH_MILLIS), setting(Setting.SETTLE_MILLIS), setting(Setting.STEP_MILLIS));
    }

    /** The judgement of a run's events, in any order. */
    static Verdict of(List<RunEvent> events) {
        List<RunEvent> ordered = new ArrayList<>(events);
        // Of one millisecond in the order of the kinds: sent before received before acknowledged.
        ordered.sort(Comparator.comparingLong(RunEvent::atMillis).thenComparing(RunEvent::kind));
        Judge judge = new Judge(ordered);
        ordered.forEach(judge::see);
        return judge.verdict();
    }

    private long setting(Setting setting) {
        return settings.getOrDefault(setting, 0L);
    }

    private void see(RunEvent event) {
        switch (event.kind()) {
            case LEAST -> least.put(event.text(), event.number());
            case SENDING -> {
                Message message = new Message();
                message.key = event.text();
                message.sendingMillis = event.atMillis();
                message.dueMillis = event.number();
                if (messages.put(event.message(), message) != null) {
                    throw new IllegalArgumentException("two messages have one number: " + event.line());
                }
            }
            case SENT -> {
                Message message = messages.get(event.message());
                message.position = event.position();
                message.sentMillis = event.atMillis();
            }
            case RECEIVED -> receive(event);
            case RETURNED -> copies.get(event.position()).isReturned = true;
            case ACKNOWLEDGED -> {
                Copy copy = copies.get(event.position());
                copy.acknowledgedMillis = Math.min(copy.acknowledgedMillis, event.atMillis());
            }
            case SEEN -> seen.merge(event.text(), event.number(), Long::sum);
            case LEFT -> left.put(Left.valueOf(event.text()), event.number());
            case ENDED -> isEnded = true;
            // A send that has failed is one that was not answered.
            case UNSENT, SETTING, FAULT, HEALED, REFUSED -> { }
        }
    }

    private void receive(RunEvent event) {
        received++;
        Message message = messages.get(event.message());
        Copy copy = copies.computeIfAbsent(event.position(), none -> new Copy(event.message()));
        if (message == null || copy.message != event.message()) {
            violated(Promise.NOTHING_IS_MADE_UP, describe(event) + (message == null ? " was never sent"
                    : " came from where message " + copy.message + " had come from"));
            return;
        }
        long aheadMillis = message.dueMillis - event.atMillis();
        if (aheadMillis > setting(Setting.EARLY_MILLIS) + faults.clockAheadMillis(event.atMillis())) {
            violated(Promise.NOTHING_IS_EARLY, describe(event) + " came " + aheadMillis + " ms before its time");
        }
        boolean isAcknowledged = copy.acknowledgedMillis <= event.atMillis();
        // What one consumer has given back another one, which was sent it too, may have acknowledged.
        if ((!copy.isReturned || isAcknowledged) && isDouble(event, copy)) {
            doubles++;
        } else if (isAcknowledged) {
            again++;
            if (!faults.mayForget(copy.acknowledgedMillis, event.atMillis())) {
                violated(Promise.ACKNOWLEDGED_STAYS, describe(event) + " came again "
                        + (event.atMillis() - copy.acknowledgedMillis) + " ms after it was acknowledged at "
                        + copy.acknowledgedMillis);
            }
        } else if (copy.hasCome) {
            twice++;
            if (!copy.isReturned && !faults.mayRepeat(copy.cameMillis, event.atMillis())) {
                violated(Promise.TWICE_HAS_A_CAUSE, describe(event) + " came again " + (event.atMillis() - copy.cameMillis)
                        + " ms after it came, and nobody had given it back");
            }
        }
        if (!copy.hasCome) {
            copy.slowMillis = Math.max(0, Math.min(MOST_SLOW_MILLIS, message.lateMillis(event.atMillis())));
        }
        if (!message.hasCome) {
            message.hasCome = true;
            comesFirst(event, message);
        }
        copy.hasCome = true;
        copy.isReturned = false;
        copy.cameMillis = event.atMillis();
    }

    /** Whether it was sent twice at once. */
    private boolean isDouble(RunEvent event, Copy copy) {
        long sentMillis = faults.sentMillis(event.text(), event.atMillis(), setting(Setting.DOUBLE_MILLIS));
        return copy.hasCome && sentMillis - copy.cameMillis
                <= setting(Setting.DOUBLE_MILLIS) + copy.slowMillis + stillness.millis(copy.cameMillis, event.atMillis());
    }

    private void comesFirst(RunEvent event, Message message) {
        boolean isDelayed = message.dueMillis > 0;
        latestMillis = Math.max(latestMillis, message.lateMillis(event.atMillis()));
        if (message.key.isEmpty() || order.isNext(message.key, message.dueMillis, event.message())) {
            return;
        }
        overtaken++;
        // Not strict, one that is read in its last tick goes at once; so does one that a slow broker reads when it is due, or one
        // that reads nothing while a consumer of keys is stalled. And a fault may part what is known of them.
        boolean mayOvertake = isDelayed && (setting(Setting.EARLY_MILLIS) > 0
                || message.lateMillis(event.atMillis()) > READ_WHEN_DUE_MILLIS
                || faults.mayHoldUp(message.sendingMillis, event.atMillis()) || faults.clockAheadMillis(event.atMillis()) > 0);
        if (!mayOvertake) {
            violated(Promise.KEYS_KEEP_ORDER, describe(event) + " of key " + message.key + " came after a later one");
        }
    }

    private static String describe(RunEvent event) {
        return "message " + event.message() + " (at " + event.position() + ", to " + event.text() + ", " + event.atMillis() + ")";
    }

    private void violated(Promise promise, String example) {
        times.merge(promise, 1L, Long::sum);
        List<String> known = examples.computeIfAbsent(promise, none -> new ArrayList<>());
        if (known.size() < EXAMPLES) {
            known.add(example);
        }
    }

    private Verdict verdict() {
        messages.forEach((number, message) -> {
            if (message.position != null && !(copies.containsKey(message.position) && copies.get(message.position).hasCome)) {
                violated(Promise.NOTHING_IS_LOST, "message " + number + " (at " + message.position + "), sent at "
                        + message.sendingMillis + " and due at " + message.dueMillis + ", never came");
            }
        });
        long elsewhere = judgeCopies();
        left.forEach((name, number) -> {
            // Of what comes again after its acknowledgement the broker keeps count as of something that is not acknowledged.
            if (number > (name == Left.UNACKNOWLEDGED ? again + twice + doubles : 0)) {
                violated(Promise.NOTHING_IS_LEFT, name + " is " + number);
            }
        });
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("sent", messages.values().stream().filter(message -> message.position != null).count());
        long delayed = messages.values().stream().filter(message -> message.dueMillis > 0).count();
        figures.put("delayed", delayed);
        figures.put("unsure", messages.values().stream().filter(message -> message.position == null).count());
        figures.put("received", received);
        figures.put("acknowledged", copies.values().stream().filter(copy -> copy.acknowledgedMillis < Long.MAX_VALUE).count());
        figures.put("again-after-acknowledgement", again);
        figures.put("again-before-acknowledgement", twice);
        figures.put("sent-twice-at-once", doubles);
        figures.put("stored-twice", elsewhere);
        figures.put("overtaken", overtaken);
        figures.put("latest-millis", latestMillis);
        figures.put("faults", (long) faults.healed());
        figures.put("refused-faults", (long) faults.refused().size());
        figures.putAll(seen);
        long handedOut = seen.getOrDefault(HANDED_OUT, 0L);
        if (faults.areNone() && handedOut > delayed + elsewhere) {
            violated(Promise.HANDED_OUT_ONCE, handedOut + " were handed out, and " + delayed + " had a delay");
        }
        judgeWhole(figures);
        Map<Promise, Violation> broken = new EnumMap<>(Promise.class);
        examples.forEach((promise, known) -> broken.put(promise, new Violation(times.get(promise), known)));
        return new Verdict(figures, faults.refused(), broken);
    }

    /** How many came from another position than the one the broker has answered: a fault has to have kept an answer back. */
    private long judgeCopies() {
        long elsewhere = 0;
        for (Map.Entry<String, Copy> entry : copies.entrySet()) {
            Message message = messages.get(entry.getValue().message);
            if (message == null || message.position == null || message.position.equals(entry.getKey())) {
                continue;
            }
            elsewhere++;
            if (!faults.mayRepeat(message.sendingMillis, message.sentMillis)) {
                violated(Promise.NOTHING_IS_MADE_UP, "message " + entry.getValue().message + " came from " + entry.getKey()
                        + ", and the broker had it at " + message.position);
            }
        }
        return elsewhere;
    }

    private void judgeWhole(Map<String, Long> figures) {
        for (Setting setting : Setting.values()) {
            require(settings.containsKey(setting), setting + " is not set");
        }
        for (Left name : Left.values()) {
            require(left.containsKey(name), "nobody has looked for what is left of " + name);
        }
        require(isEnded, "it has not ended");
        faults.open().forEach(name -> require(false, name + " was not healed"));
        least.forEach((name, atLeast) -> require(figures.getOrDefault(name, 0L) >= atLeast,
                name + " is " + figures.getOrDefault(name, 0L) + ", not " + atLeast + " or more"));
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            violated(Promise.RUN_IS_WHOLE, otherwise);
        }
    }
}
