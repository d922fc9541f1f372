/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.cluster.RunEvent.Effect;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import io.github.delayedtracker.it.cluster.RunEvent.Left;
import io.github.delayedtracker.it.cluster.RunEvent.Setting;
import io.github.delayedtracker.it.cluster.Verdict.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The events of a run that a test makes up, each by way of its line. Message n is at position 1:n unless it says otherwise. */
final class JudgedRun {

    /** How old an acknowledgement has to be before a fault to stay. */
    static final long FLUSH = 2_000;
    /** How long what a fault held up may come twice. */
    static final long SETTLE = 10_000;

    /** How far apart a message comes that was sent twice at once. */
    static final long DOUBLE = 100;

    /** How far a clock is stepped at most. */
    static final long STEP = 500;

    private final List<RunEvent> events = new ArrayList<>();

    /** A run in which one message goes well, with all that a run has to have, but for what is left out. */
    static JudgedRun whole(long earlyMillis, Kind... without) {
        JudgedRun run = new JudgedRun();
        run.event(Kind.SETTING, 0, 0, "", Setting.FLUSH_MILLIS.name(), FLUSH);
        run.event(Kind.SETTING, 0, 0, "", Setting.EARLY_MILLIS.name(), earlyMillis);
        run.event(Kind.SETTING, 0, 0, "", Setting.SETTLE_MILLIS.name(), SETTLE);
        run.event(Kind.SETTING, 0, 0, "", Setting.DOUBLE_MILLIS.name(), DOUBLE);
        run.event(Kind.SETTING, 0, 0, "", Setting.STEP_MILLIS.name(), STEP);
        run.sent(1_000, 3_000);
        run.received(1_000, 3_000);
        run.acknowledged(1_000, 3_001);
        for (Left name : Left.values()) {
            run.event(Kind.LEFT, 99_000, 0, "", name.name(), 0);
        }
        run.event(Kind.ENDED, 99_001, 0, "", "", 0);
        run.events.removeIf(event -> List.of(without).contains(event.kind()));
        return run;
    }

    void event(Kind kind, long atMillis, long message, String position, String text, long number) {
        events.add(RunEvent.of(new RunEvent(kind, atMillis, message, position, text, number).line()));
    }

    void without(String text) {
        events.removeIf(event -> event.text().equals(text));
    }

    void sending(long message, String key, long dueMillis) {
        event(Kind.SENDING, 0, message, "", key, dueMillis);
    }

    void sent(long message, long dueMillis) {
        sent(message, "", dueMillis);
    }

    void sent(long message, String key, long dueMillis) {
        sending(message, key, dueMillis);
        event(Kind.SENT, 1, message, "1:" + message, "", 0);
    }

    void received(long message, long atMillis) {
        received(message, atMillis, "1:" + message);
    }

    void received(long message, long atMillis, String position) {
        event(Kind.RECEIVED, atMillis, message, position, "consumer", 0);
    }

    void receivedBy(String consumer, long message, long atMillis) {
        event(Kind.RECEIVED, atMillis, message, "1:" + message, consumer, 0);
    }

    void returned(long message, long atMillis) {
        event(Kind.RETURNED, atMillis, message, "1:" + message, "consumer", 0);
    }

    void acknowledged(long message, long atMillis) {
        event(Kind.ACKNOWLEDGED, atMillis, message, "1:" + message, "", 0);
    }

    void fault(Effect effect, long fromMillis, long untilMillis) {
        event(Kind.FAULT, fromMillis, 0, "", "1-kill-broker-1", effect.code());
        event(Kind.HEALED, untilMillis, 0, "", "1-kill-broker-1", 0);
    }

    /** A consumer of that number takes nothing for a while. */
    void stalled(int consumer, long fromMillis, long untilMillis) {
        String name = "3-STALL_CONSUMER-" + consumer + "-ANY";
        event(Kind.FAULT, fromMillis, 0, "", name, Effect.NONE.code());
        event(Kind.HEALED, untilMillis, 0, "", name, 0);
    }

    /** A fault that the cluster has refused. */
    void refused(Effect effect, long fromMillis, long untilMillis) {
        event(Kind.FAULT, fromMillis, 0, "", "2-unload-topic-0", effect.code());
        event(Kind.REFUSED, untilMillis, 0, "", "2-unload-topic-0", 0);
    }

    Verdict verdict() {
        return Judge.of(events);
    }

    Set<Promise> broken() {
        return verdict().broken().keySet();
    }

    long figure(String name) {
        return verdict().figures().get(name);
    }
}
