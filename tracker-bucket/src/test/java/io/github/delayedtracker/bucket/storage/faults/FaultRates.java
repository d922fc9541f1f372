/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** How often each fault comes at random, in one of a thousand calls, and how late late is. */
public final class FaultRates {

    private final Map<Fault.Kind, Integer> perMille = new EnumMap<>(Fault.Kind.class);
    private final long maxLateMillis;
    private final long maxUsualMillis;

    /**
     * No faults yet.
     *
     * @param maxUsualMillis a call that nothing is wrong with takes up to this, effect and answer each
     * @param maxLateMillis a late one up to this more
     */
    public FaultRates(long maxUsualMillis, long maxLateMillis) {
        this.maxUsualMillis = maxUsualMillis;
        this.maxLateMillis = maxLateMillis;
    }

    /** Nothing wrong, answers one event later. */
    public static FaultRates none() {
        return new FaultRates(0, 0);
    }

    /** Every kind that heals by itself or by trying again, each at one rate; nothing is lost, damaged or hung. */
    public static FaultRates passing(int perMilleEach, long maxUsualMillis, long maxLateMillis) {
        FaultRates rates = new FaultRates(maxUsualMillis, maxLateMillis);
        for (Fault.Kind kind : new Fault.Kind[] {Fault.Kind.DELAY, Fault.Kind.ANSWER_LATE, Fault.Kind.REORDER,
            Fault.Kind.FAIL_BEFORE, Fault.Kind.FAIL_AFTER, Fault.Kind.CONFLICT, Fault.Kind.ANSWER_TWICE, Fault.Kind.THROW}) {
            rates.with(kind, perMilleEach);
        }
        return rates;
    }

    /** Sets the rate of one kind. */
    public FaultRates with(Fault.Kind kind, int rate) {
        perMille.put(kind, rate);
        return this;
    }

    long usualMillis(SplittableRandom random) {
        return maxUsualMillis == 0 ? 0 : random.nextLong(maxUsualMillis + 1);
    }

    /** Whether what is no call of the storage throws, as often as those. */
    boolean drawThrow(SplittableRandom random) {
        int rate = perMille.getOrDefault(Fault.Kind.THROW, 0);
        return rate > 0 && random.nextInt(1000) < rate;
    }

    /** What goes wrong with a call, if anything. */
    Fault draw(Operation operation, SplittableRandom random) {
        if (perMille.isEmpty()) {
            return Fault.NONE;
        }
        int point = random.nextInt(1000);
        for (Map.Entry<Fault.Kind, Integer> rate : perMille.entrySet()) {
            if (rate.getKey().suits(operation)) {
                point -= rate.getValue();
                if (point < 0) {
                    return new Fault(rate.getKey(), 1 + random.nextLong(maxLateMillis + 1),
                            rate.getKey() == Fault.Kind.CONFLICT ? StorageException.Kind.CONFLICT
                                    : StorageException.Kind.UNAVAILABLE);
                }
            }
        }
        return Fault.NONE;
    }
}
