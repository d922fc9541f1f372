/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.DueRows;
import io.github.delayedtracker.index.DueRun;
import io.github.delayedtracker.index.MergedRuns;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.index.PositionWalk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One look into the schedule of a subscription: its positions in the order of their due times.
 *
 * <p>What the index has is taken in one hold of the lock, and read and merged without it. Whether a row is still scheduled is
 * asked under the lock, {@value #SLICE} rows at a time. A message to which a command has given a time is passed on with that
 * time, whatever the index has rounded it to. What is overdue has left the index, and its time with it: it counts as due now, or
 * at the moment at which a look of several pages began, and comes first, in the order of positions; unless a command has given it
 * a later time, and the index kept the one before as well. A position is passed on once. A message that is to be read again for
 * its time can be left out: its row is of no time, also where it has been read since the look began. A look is used by one thread
 * at a time, and closed in the end.
 */
public final class ScheduleWalk {

    /** Rows asked for in one hold of the lock. */
    static final int SLICE = 64;
    /** Overdue positions visited in one hold of the lock. */
    private static final int OVERDUE_SLICE = 512;
    /** Where stored rows are among the runs: behind those with a given time. */
    private static final int FIRST_STORED = 1;
    /** Rows that one call goes past, most of them not scheduled any more. */
    private static final long MOST_PASSED = 2_000_000;

    private final SubscriptionState state;
    private final PositionTimes moved;
    private final PositionTimes.Test gone;
    private final long fromMillis;
    private final long untilMillis;
    private final long nowMillis;
    private long overdueMillis;
    private final List<DueRun> runs = new ArrayList<>();
    private int stored;
    private final PositionSet seen = new PositionSet();
    private Optional<Withdrawals> withdrawals = Optional.empty();
    private long completeUntilMillis;

    /**
     * A scheduled message.
     *
     * @param dueMillis when it is due, epoch milliseconds, as rounded by the index unless moved; empty if it is overdue
     * @param isMoved whether a command has given it that time
     */
    public record Row(OptionalLong dueMillis, long ledgerId, long entryId, boolean isMoved) {
    }

    /** A receiver of rows. */
    @FunctionalInterface
    public interface RowSink {

        /** Takes one. */
        void accept(Row row);
    }

    /**
     * A look at what is due in a time, both ends inclusive.
     *
     * @param moved the times that commands have given
     * @param gone whether a position is acknowledged, though it may be in the index for a while: it is not passed on
     */
    public ScheduleWalk(SubscriptionState state, PositionTimes moved, PositionTimes.Test gone, long fromMillis, long untilMillis,
            long nowMillis) {
        this.state = state;
        this.moved = moved;
        this.gone = gone;
        this.fromMillis = fromMillis;
        this.untilMillis = untilMillis;
        this.completeUntilMillis = untilMillis;
        this.nowMillis = nowMillis;
        this.overdueMillis = nowMillis;
    }

    /** Counts what is overdue as due at a moment that has passed, the same for all pages. Before {@link #begin}. */
    public void countOverdueAt(long millis) {
        overdueMillis = millis;
    }

    /** Whether anything is overdue now. */
    public boolean isAnyOverdue() {
        return state.lockedWithOverdue((index, overdue) -> !overdue.isEmpty());
    }

    /** Leaves out what is to be read again for its time. Before {@link #begin}. */
    public void leaveOutToBeRead(Withdrawals of) {
        withdrawals = Optional.of(of);
    }

    /** Those of some positions that are scheduled now. */
    public static PositionSet known(SubscriptionState state, PositionSet asked) {
        CandidateBatch all = new CandidateBatch();
        asked.forEach(all);
        PositionSet known = new PositionSet();
        for (int from = 0; from < all.size(); from += SLICE) {
            int begin = from;
            boolean unused = state.lockedWithOverdue((index, overdue) -> {
                for (int i = begin; i < Math.min(all.size(), begin + SLICE); i++) {
                    long ledgerId = all.ledgerId(i);
                    long entryId = all.entryId(i);
                    if (index.holds(ledgerId, entryId) || overdue.contains(ledgerId, entryId)) {
                        known.add(ledgerId, entryId);
                    }
                }
                return true;
            });
        }
        return known;
    }

    /**
     * Takes what the index has in memory; first of all. In the same hold of the lock something else is asked for. To be closed
     * also where this fails.
     */
    public <T> Optional<T> begin(Supplier<T> beside) {
        DueRows given = new DueRows(fromMillis, untilMillis);
        moved.forEach((ledgerId, entryId, atMillis) -> given.add(atMillis, ledgerId, entryId));
        runs.add(given);
        List<T> answer = new ArrayList<>();
        boolean isOpen = state.lockedWithOverdue((index, overdue) -> {
            runs.addAll(index.runs(fromMillis, untilMillis));
            answer.add(beside.get());
            return true;
        });
        return isOpen ? Optional.of(answer.get(0)) : Optional.empty();
    }

    /** Takes runs of what was not in memory. Behind a time there may be more, which this look does not pass on. */
    public void include(List<DueRun> more, long moreCompleteUntilMillis) {
        runs.addAll(FIRST_STORED, more);
        stored += more.size();
        completeUntilMillis = Math.min(completeUntilMillis, moreCompleteUntilMillis);
    }

    /**
     * Passes on rows, once.
     *
     * @param after the row to go on behind; empty from the start
     * @param limit how many at most
     * @return the row behind which another look goes on; empty if there are no more
     */
    public Optional<Row> pass(Optional<Row> after, int limit, RowSink sink) {
        Limited limited = new Limited(limit, () -> true, sink);
        if (passOverdue(after, limited) || passIndexed(after, limited)) {
            return Optional.of(limited.last);
        }
        return goesOn();
    }

    /** A look that was not to go on. */
    public static final class EndedException extends Exception {

        private static final long serialVersionUID = 1;
    }

    /**
     * Passes on each row, in no order, with its time; what is overdue with the time of the look. A position that was forgotten
     * and indexed anew before the look may come twice.
     *
     * @param after as of {@link #pass}
     * @param goesOn asked every {@value #SLICE} rows, and for each overdue one
     * @return the row behind which another look goes on; empty if there are no more
     * @throws EndedException if it was not to go on: what was passed on is not all
     */
    public Optional<Row> passAll(Optional<Row> after, BooleanSupplier goesOn, PositionTimes.Sink sink) throws EndedException {
        if (passOverdue(after, new Limited(Integer.MAX_VALUE, goesOn, row ->
                sink.accept(row.ledgerId(), row.entryId(), nowMillis)))) {
            throw new EndedException();
        }
        Slice slice = new Slice();
        for (int number = 0; number < runs.size(); number++) {
            DueRun run = runs.get(number);
            DueRun rows = run.unordered();
            boolean isOrdered = rows == run;
            boolean more = rows.next();
            while (more) {
                if (!goesOn.getAsBoolean()) {
                    throw new EndedException();
                }
                slice.count = 0;
                while (more && slice.count < SLICE) {
                    boolean isBehind = rows.dueMillis() > completeUntilMillis;
                    boolean unusedToo = !isBehind && slice.addIfBehind(after, rows);
                    more = !(isBehind && isOrdered) && rows.next();
                }
                slice.ask();
                slice.passScheduled(number, sink);
            }
        }
        return goesOn();
    }

    private Optional<Row> goesOn() {
        return completeUntilMillis < untilMillis
                ? Optional.of(new Row(OptionalLong.of(completeUntilMillis + 1), -1, -1, false)) : Optional.empty();
    }

    /** Ends the look. */
    public void close() {
        runs.forEach(DueRun::close);
    }

    /** A sink of a limited number of rows. */
    private static final class Limited {

        private final RowSink sink;
        private final BooleanSupplier goesOn;
        private int left;
        /** The last row that was passed on, or gone past. */
        private Row last;

        private Limited(int limit, BooleanSupplier goesOn, RowSink sink) {
            this.left = limit;
            this.goesOn = goesOn;
            this.sink = sink;
        }

        /** Passes a row on; false if it takes no more. */
        private boolean take(Row row) {
            if (left == 0 || !goesOn.getAsBoolean()) {
                return false;
            }
            left--;
            last = row;
            sink.accept(row);
            return true;
        }
    }

    /** True if there may be more overdue ones. */
    private boolean passOverdue(Optional<Row> after, Limited sink) {
        if (overdueMillis < fromMillis || Math.max(overdueMillis, nowMillis) > untilMillis
                || after.map(row -> row.dueMillis().isPresent()).orElse(false)) {
            return false;
        }
        PositionWalk[] walk = {PositionWalk.NONE};
        boolean unused = state.lockedWithOverdue((index, overdue) -> {
            walk[0] = overdue.walk();
            return true;
        });
        for (boolean more = true; more;) {
            List<Row> some = new ArrayList<>();
            more = state.lockedWithOverdue((index, overdue) -> walk[0].step(OVERDUE_SLICE, (ledgerId, entryId) -> {
                if ((after.isEmpty() || isBehind(ledgerId, entryId, after.get())) && !isForLater(ledgerId, entryId)
                        && !isToBeRead(ledgerId, entryId)) {
                    some.add(new Row(OptionalLong.empty(), ledgerId, entryId, moved.at(ledgerId, entryId).isPresent()));
                }
            }));
            for (Row row : some) {
                boolean isNew = seen.add(row.ledgerId(), row.entryId()) && !gone.test(row.ledgerId(), row.entryId());
                if (isNew && !sink.take(row)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isToBeRead(long ledgerId, long entryId) {
        return withdrawals.isPresent() && moved.at(ledgerId, entryId).isEmpty()
                && withdrawals.get().isToBeRead(ledgerId, entryId);
    }

    private boolean isForLater(long ledgerId, long entryId) {
        return moved.at(ledgerId, entryId).orElse(nowMillis) > nowMillis;
    }

    private static boolean isBehind(long ledgerId, long entryId, Row row) {
        return ledgerId > row.ledgerId() || ledgerId == row.ledgerId() && entryId > row.entryId();
    }

    /** True if there may be more of them. */
    private boolean passIndexed(Optional<Row> after, Limited sink) {
        MergedRuns rows = new MergedRuns(runs);
        long passed = 0;
        boolean more = rows.next();
        while (more) {
            Slice slice = new Slice();
            while (more && slice.count < SLICE) {
                if (rows.dueMillis() > completeUntilMillis) {
                    more = false;
                } else {
                    passed += slice.addIfBehind(after, rows) ? 1 : 0;
                    more = rows.next();
                }
            }
            slice.ask();
            for (int i = 0; i < slice.count; i++) {
                Row row = slice.row(i);
                if (slice.isToPass(i) && !sink.take(row)) {
                    return true;
                }
                if (passed > MOST_PASSED && more) {
                    sink.last = row;
                }
            }
            if (passed > MOST_PASSED && more && slice.count > 0) {
                return true;
            }
        }
        return false;
    }

    /** Rows whose positions are asked for in one hold of the lock. */
    private final class Slice {

        private final long[] due = new long[SLICE];
        private final long[] ledgerIds = new long[SLICE];
        private final long[] entryIds = new long[SLICE];
        private final boolean[] isScheduled = new boolean[SLICE];
        private int count;

        private boolean addIfBehind(Optional<Row> after, DueRun run) {
            if (after.isPresent() && after.get().dueMillis().isPresent()) {
                long afterMillis = after.get().dueMillis().getAsLong();
                if (run.dueMillis() < afterMillis
                        || run.dueMillis() == afterMillis && !isBehind(run.ledgerId(), run.entryId(), after.get())) {
                    return false;
                }
            }
            due[count] = run.dueMillis();
            ledgerIds[count] = run.ledgerId();
            entryIds[count] = run.entryId();
            count++;
            return true;
        }

        private void ask() {
            boolean unused = count > 0 && state.lockedWithOverdue((index, overdue) -> {
                for (int i = 0; i < count; i++) {
                    long ledgerId = ledgerIds[i];
                    long entryId = entryIds[i];
                    boolean isKnown = index.holds(ledgerId, entryId) || isForLater(ledgerId, entryId)
                            && overdue.contains(ledgerId, entryId);
                    isScheduled[i] = isKnown && !isToBeRead(ledgerId, entryId);
                }
                return true;
            });
        }

        private Row row(int i) {
            return new Row(OptionalLong.of(due[i]), ledgerIds[i], entryIds[i], given(i).isPresent());
        }

        private OptionalLong given(int i) {
            return moved.at(ledgerIds[i], entryIds[i]);
        }

        /** Whether it is the row of a message to be read, which may outlast the read. */
        private boolean isTimeless(int i) {
            return withdrawals.isPresent() && due[i] == Withdrawals.TO_BE_READ_MILLIS;
        }

        private boolean isScheduledForThen(int i) {
            OptionalLong given = given(i);
            return isScheduled[i] && (given.isEmpty() ? !isTimeless(i) : given.getAsLong() == due[i]);
        }

        /** Whether it is scheduled, for this time, and was not passed on before. */
        private boolean isToPass(int i) {
            return isScheduledForThen(i) && seen.add(ledgerIds[i], entryIds[i]) && !gone.test(ledgerIds[i], entryIds[i]);
        }

        private void passScheduled(int run, PositionTimes.Sink sink) {
            // The first run has the messages with a given time, and the only rows of them that count.
            boolean areGiven = run < FIRST_STORED;
            for (int i = 0; i < count; i++) {
                if (isScheduledForThen(i) && areGiven == given(i).isPresent() && isNew(run, i)
                        && !gone.test(ledgerIds[i], entryIds[i])) {
                    sink.accept(ledgerIds[i], entryIds[i], due[i]);
                }
            }
        }

        /** Whether it was no stored row of the same look; one that has been loaded is in memory as well. */
        private boolean isNew(int run, int i) {
            return stored == 0 || run < FIRST_STORED
                    || (run < FIRST_STORED + stored ? seen.add(ledgerIds[i], entryIds[i])
                            : !seen.contains(ledgerIds[i], entryIds[i]));
        }
    }
}
