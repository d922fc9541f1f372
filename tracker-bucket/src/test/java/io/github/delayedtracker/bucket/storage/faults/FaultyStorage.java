/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A storage in memory whose calls go wrong by script or by chance: the durable world, and one view of it for each broker life.
 *
 * <p>One thread, virtual time. A call takes effect in one event and answers in a later one; never inside the call, except where a
 * script says so. Faults and delays are drawn from the seed in the order of the calls, so the same calls fail the same way.
 */
public final class FaultyStorage {

    private static final int DEFAULT_MAX_ENTRY_BYTES = 5 * 1024 * 1024;

    private final DurableWorld world = new DurableWorld();
    private final FaultCounts counts = new FaultCounts();
    private final List<StorageLife> lives = new ArrayList<>();
    private final Map<Long, Fault> ledgerFaults = new HashMap<>();
    private final FaultPlan plan;
    private final SplittableRandom random;
    private final Later later;
    private int maxEntryBytes = DEFAULT_MAX_ENTRY_BYTES;
    private boolean healed;
    private boolean wasAway;
    private int outages;
    private long calls;

    /** An empty world. */
    public FaultyStorage(long seed, FaultRates rates, Later later) {
        this.random = new SplittableRandom(seed);
        this.plan = new FaultPlan(rates);
        this.later = later;
    }

    /** A broker's view; the life before it, if any, is to be crashed or let go first. */
    public StorageLife newLife() {
        lives.removeIf(StorageLife::isDead);
        StorageLife life = new StorageLife(this);
        lives.add(life);
        return life;
    }

    /** The nth call of an operation (from 1, counted from now) by a subscription (its cursor, topic/cursor, or *) fails so. */
    public FaultyStorage onCall(Operation operation, String subscription, int nth, Fault fault) {
        if (nth < 1) {
            throw new IllegalArgumentException("calls are counted from 1, got " + nth);
        }
        healed = false;
        plan.add(operation, subscription, nth, fault);
        return this;
    }

    /** Every call of an operation (of all operations the fault suits if null) fails so, until the storage heals. */
    public FaultyStorage onEvery(Operation operation, String subscription, Fault fault) {
        healed = false;
        plan.add(operation, subscription, 0, fault);
        return this;
    }

    /** Every call that asks whose a ledger is, or opens it, fails so until the storage heals. */
    public FaultyStorage onLedger(long ledgerId, Fault fault) {
        healed = false;
        ledgerFaults.put(ledgerId, fault);
        return this;
    }

    /** Changes what is drawn from now on. */
    public void setRates(FaultRates rates) {
        healed = false;
        plan.setRates(rates);
    }

    /** The end of all faults: the script and the rates are dropped, what hangs goes on. What is lost stays lost. */
    public void heal() {
        healed = true;
        ledgerFaults.clear();
        plan.heal();
        List.copyOf(lives).forEach(StorageLife::heal);
    }

    /** For some time every call of these operations fails so; then the script is over. */
    public void away(Set<Operation> operations, Fault fault, long millis) {
        wasAway = true;
        outages++;
        operations.forEach(operation -> onEvery(operation, "*", fault));
        later.after(millis, () -> {
            outages--;
            endScript();
        });
    }

    /** Calls of all brokers that will still answer or take effect, or hang. */
    public int callsUnderWay() {
        return lives.stream().mapToInt(StorageLife::callsUnderWay).sum();
    }

    /** Whether it is {@link #away}. */
    public boolean isAway() {
        return outages > 0;
    }

    /** Whether it ever was {@link #away}. */
    public boolean wasAway() {
        return wasAway;
    }

    /** The script is over, what hangs goes on, and what is drawn is drawn as before. */
    public void endScript() {
        plan.endScript();
        List.copyOf(lives).forEach(StorageLife::heal);
    }

    /** What is durable. */
    public DurableWorld world() {
        return world;
    }

    /** What went wrong so far. */
    public FaultCounts counts() {
        return counts;
    }

    /** Sets the largest entry, 5 MiB unless told. */
    public FaultyStorage withMaxEntryBytes(int bytes) {
        maxEntryBytes = bytes;
        return this;
    }

    int maxEntryBytes() {
        return maxEntryBytes;
    }

    boolean isHealed() {
        return healed;
    }

    Later later() {
        return later;
    }

    SplittableRandom random() {
        return random;
    }

    boolean drawThrow() {
        return plan.drawThrow(random);
    }

    long usualMillis() {
        return plan.usualMillis(random);
    }

    long nextCall() {
        return ++calls;
    }

    Optional<Fault> ledgerFault(Operation operation, long ledgerId) {
        Optional<Fault> fault = Optional.ofNullable(ledgerFaults.get(ledgerId));
        fault.ifPresent(found -> counts.add(operation, found.kind()));
        return fault;
    }

    Fault decide(Operation operation, String subscription) {
        Fault fault = plan.decide(operation, subscription, random);
        counts.add(operation, fault.kind());
        return fault;
    }
}
