/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.cluster.RunEvent.Effect;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The faults of a run, and what each of them excuses. Not thread safe. */
final class Faults {

    private final List<Fault> over = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final Map<String, Fault> open = new HashMap<>();
    private final long flushMillis;
    private final long settleMillis;
    private final long stepMillis;

    /** A fault from its beginning until it was healed, or was refused and may still have done something. */
    private record Fault(String name, Effect effect, long fromMillis, long untilMillis) {

        boolean stalls(String consumer) {
            return name.contains("-STALL_" + consumer.toUpperCase(Locale.ROOT) + "-");
        }
    }

    /**
     * The faults in the events of a run.
     *
     * @param flushMillis how old an acknowledgement has to be before a fault for it to stay
     * @param settleMillis how long after a fault was healed what it held up may still come, twice or as it would have before
     * @param stepMillis how far a clock is stepped at most
     * @throws IllegalArgumentException if one begins twice, or is over before it has begun
     */
    Faults(List<RunEvent> ordered, long flushMillis, long settleMillis, long stepMillis) {
        this.flushMillis = flushMillis;
        this.settleMillis = settleMillis;
        this.stepMillis = stepMillis;
        for (RunEvent event : ordered) {
            if (event.kind() == Kind.FAULT) {
                Fault begun = new Fault(event.text(), Effect.of(event.number()), event.atMillis(), Long.MAX_VALUE - settleMillis);
                if (open.put(event.text(), begun) != null) {
                    throw new IllegalArgumentException("a fault begins that is there: " + event.line());
                }
            } else if (event.kind() == Kind.HEALED || event.kind() == Kind.REFUSED) {
                Fault begun = open.remove(event.text());
                if (begun == null) {
                    throw new IllegalArgumentException("a fault is over that had not begun: " + event.line());
                }
                over.add(new Fault(begun.name, begun.effect, begun.fromMillis, event.atMillis()));
                if (event.kind() == Kind.REFUSED) {
                    refused.add(event.text());
                }
            }
        }
    }

    /** How many have begun and were healed. */
    int healed() {
        return over.size() - refused.size();
    }

    /** The names of those that the cluster has refused. */
    List<String> refused() {
        return List.copyOf(refused);
    }

    /** Whether none has begun. */
    boolean areNone() {
        return over.isEmpty() && open.isEmpty();
    }

    /** The names of those that were not healed. */
    List<String> open() {
        return List.copyOf(open.keySet());
    }

    /**
     * Whether what was acknowledged then may come again at a later time: a fault was there by that time that the
     * acknowledgement had no flush interval before.
     */
    boolean mayForget(long acknowledgedMillis, long receivedMillis) {
        return all().anyMatch(fault -> fault.effect == Effect.FORGETS && fault.fromMillis <= receivedMillis
                && acknowledgedMillis >= fault.fromMillis - flushMillis && acknowledgedMillis <= fault.untilMillis);
    }

    /**
     * Whether what has come at one time, and was not acknowledged, may come again at another: a fault was between, or still
     * settles.
     */
    boolean mayRepeat(long cameMillis, long againMillis) {
        return all().anyMatch(fault -> (fault.effect == Effect.COMES_AGAIN || fault.effect == Effect.FORGETS)
                && fault.fromMillis <= againMillis
                && cameMillis <= fault.untilMillis + settleMillis);
    }

    /** Whether what was sent at one time may have been held up until another: some fault was between, or still settles. */
    boolean mayHoldUp(long sendingMillis, long cameMillis) {
        return all().anyMatch(fault -> fault.fromMillis <= cameMillis && sendingMillis <= fault.untilMillis + settleMillis);
    }

    /**
     * When a consumer may have been sent what it took at a time, at the earliest: what it was sent while it was stalled it has
     * taken when that was over.
     *
     * @param drainMillis how long after a stall it may still take what it was sent before
     */
    long sentMillis(String consumer, long takenMillis, long drainMillis) {
        return all().filter(fault -> fault.stalls(consumer) && fault.fromMillis <= takenMillis
                && takenMillis <= fault.untilMillis + drainMillis).mapToLong(Fault::fromMillis).min().orElse(takenMillis);
    }

    /** How far a clock may have been ahead when something came at that time. */
    long clockAheadMillis(long receivedMillis) {
        return all().anyMatch(fault -> fault.effect == Effect.STEPS_A_CLOCK && fault.fromMillis <= receivedMillis
                && receivedMillis <= fault.untilMillis + settleMillis) ? stepMillis : 0;
    }

    private Stream<Fault> all() {
        return Stream.concat(over.stream(), open.values().stream());
    }
}
