/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.index.DelayIndexProvider;
import io.github.delayedtracker.subscription.States;
import io.github.delayedtracker.subscription.SubscriptionState;
import io.github.delayedtracker.subscription.TimeRules;
import io.github.delayedtracker.wakeup.ManualTimer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.impl.ManagedCursorImpl;
import org.apache.pulsar.broker.ServiceConfiguration;

/**
 * What a pass over an index costs, on the broker's own cursor: 2 M positions in 40 ledgers, half of them acknowledged at random.
 *
 * <p>As a program, {@code PurgeCost [rounds]}: for each backend on the class path a line of Markdown with the time of a pass that
 * finds 1 M, of one that finds nothing, and how long the cursor's lock was held, the first time and after. Times are those of the
 * thread, without what other programs take.
 */
public final class PurgeCost {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int LEDGERS = 40;
    private static final int ENTRIES = 50_000;
    private static final long NOW = 1_700_000_000_000L;

    private final ManagedCursorImpl cursor;
    private final List<Long> holdNanos = new ArrayList<>();
    private final BrokerAckSource source = new BrokerAckSource(THREADS::getCurrentThreadCpuTime, holdNanos::add);

    private PurgeCost() throws ReflectiveOperationException {
        cursor = RealCursor.of(new ManagedLedgerConfig());
        RealCursor.acknowledgeHalf(cursor, LEDGERS, ENTRIES, 5);
    }

    /** Prints the table. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        int rounds = arguments.length == 0 ? 5 : Integer.parseInt(arguments[0]);
        PurgeCost cost = new PurgeCost();
        System.out.println("ranges " + cost.cursor.getTotalNonContiguousDeletedMessagesRange());
        System.out.println("| backend | finds | pass, ms | parts | a minute's budget takes, M positions |");
        System.out.println("|---|---:|---:|---:|---:|");
        for (DelayIndexProvider provider : ServiceLoader.load(DelayIndexProvider.class)) {
            cost.table(provider, rounds);
        }
        System.out.printf(Locale.ROOT, "cursor's lock held: first %.2f ms, most %.2f ms, median %.2f ms, %d times%n",
                cost.holdNanos.get(0) / 1e6, Collections.max(cost.holdNanos) / 1e6, median(cost.holdNanos) / 1e6,
                cost.holdNanos.size());
    }

    private void table(DelayIndexProvider provider, int rounds) {
        List<Long> finding = new ArrayList<>();
        List<Long> idle = new ArrayList<>();
        int[] parts = {0};
        long found = 0;
        for (int round = 0; round < rounds; round++) {
            SubscriptionState state = States.empty(provider::newIndex, new TimeRules(true, 1_000, 512));
            Random random = new Random(round);
            for (long ledgerId = 1; ledgerId <= LEDGERS; ledgerId++) {
                for (int entryId = 0; entryId < ENTRIES; entryId++) {
                    state.offer(ledgerId, entryId, NOW + random.nextInt(86_400_000), NOW - 1);
                }
            }
            long before = state.count();
            finding.add(pass(state, parts));
            found = before - state.count();
            if (found == 0) {
                throw new IllegalStateException("the pass has found nothing: its figures say nothing");
            }
            idle.add(pass(state, new int[1]));
        }
        line(provider.backendName(), found, median(finding), parts[0] / rounds, (long) LEDGERS * ENTRIES);
        line(provider.backendName(), 0, median(idle), 0, (long) LEDGERS * ENTRIES - found);
    }

    private static void line(String backend, long found, long nanos, int parts, long positions) {
        double budgetNanos = 60e9 / (PurgeQueue.REST + 1);
        System.out.printf(Locale.ROOT, "| %s | %,d | %.0f | %s | %.0f |%n", backend, found, nanos / 1e6,
                parts == 0 ? "" : Integer.toString(parts), positions * budgetNanos / nanos / 1e6);
    }

    private long pass(SubscriptionState state, int[] parts) {
        ManualTimer timer = new ManualTimer(NOW);
        ServiceConfiguration configuration = new ServiceConfiguration();
        TrackerServices services = new TrackerServices(timer, timer::nowMillis, new TrackerRegistry(timer), Runnable::run,
                configuration, new PurgeQueue(Runnable::run, timer, System::nanoTime), source,
                CursorRecordLimits.of(configuration), Optional.empty(), known -> true, new Lateness(),
                new StorageWarnings(timer::nowMillis));
        Purging purging = new Purging(state, new CursorView(cursor, services), new TrackerCounters(), new FailureLog("t"));
        long begin = THREADS.getCurrentThreadCpuTime();
        boolean more = true;
        while (more) {
            long partBegin = THREADS.getCurrentThreadCpuTime();
            parts[0]++;
            more = purging.goOn(() -> THREADS.getCurrentThreadCpuTime() - partBegin < PurgeQueue.WORK_NANOS);
        }
        return THREADS.getCurrentThreadCpuTime() - begin;
    }

    private static long median(List<Long> values) {
        List<Long> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
