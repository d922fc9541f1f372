/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.heap.HeapIndexProvider;
import io.github.delayedtracker.index.DueRows;
import io.github.delayedtracker.index.PositionSet;
import io.github.delayedtracker.index.PositionTimes;
import io.github.delayedtracker.subscription.ScheduleWalk.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A look into a schedule: in order, once each, page after page, true to what is scheduled when a row is passed on. */
class ScheduleWalkTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long END = Long.MAX_VALUE;

    private final SubscriptionState state =
            States.empty(new HeapIndexProvider()::newIndex, new TimeRules(true, 1_000, 1));
    private PositionTimes moved = PositionTimes.NONE;
    private final PositionSet gone = new PositionSet();
    private long nowMillis = NOW;

    private ScheduleWalk walk(long fromMillis, long untilMillis) {
        ScheduleWalk walk = new ScheduleWalk(state, moved, gone::contains, fromMillis, untilMillis, nowMillis);
        assertEquals(Optional.of("beside"), walk.begin(() -> "beside"));
        return walk;
    }

    private static String text(Row row) {
        return (row.dueMillis().isPresent() ? row.dueMillis().getAsLong() - NOW : "overdue") + "=" + row.ledgerId() + ":"
                + row.entryId() + (row.isMoved() ? " moved" : "");
    }

    private List<String> all(long fromMillis, long untilMillis, int limit) {
        List<String> rows = new ArrayList<>();
        Optional<Row> next = Optional.empty();
        do {
            int before = rows.size();
            next = walk(fromMillis, untilMillis).pass(next, limit, row -> rows.add(text(row)));
            assertTrue(rows.size() - before <= limit);
        } while (next.isPresent());
        return rows;
    }

    @Test
    void rowsOfATimeComeInOrderOnPagesOfAnySize() {
        for (int i = 0; i < 200; i++) {
            assertTrue(state.offer(1 + i % 2, i, NOW + 2_000 + i / 4, NOW));
        }
        List<String> whole = all(NOW + 2_010, NOW + 2_039, 1_000);
        assertEquals(120, whole.size());
        assertEquals("2010=1:40", whole.get(0));
        assertEquals("2039=2:159", whole.get(119));
        for (int limit : new int[] {1, 7, 64, 119, 120, 121}) {
            assertEquals(whole, all(NOW + 2_010, NOW + 2_039, limit), "pages of " + limit);
        }
    }

    @Test
    void whatIsAcknowledgedIsLeftOutThoughTheIndexStillHasIt() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertTrue(state.offer(1, i, NOW + (i < 50 ? 500 : 2_000 + i), NOW));
        }
        nowMillis = NOW + 1_500;
        assertEquals(0, state.takeDue(nowMillis, 200, 1, 0, (ledgerId, entryId) -> { }));
        for (int i = 0; i < 200; i += 2) {
            gone.add(1, i);
        }
        List<String> rows = all(0, END, 7);
        assertEquals(100, rows.size());
        assertEquals("overdue=1:1", rows.get(0));
        assertEquals("2199=1:199", rows.get(99));
        List<String> unordered = new ArrayList<>();
        assertEquals(Optional.empty(), walk(0, END).passAll(Optional.empty(), () -> true, (ledgerId, entryId, atMillis) ->
                unordered.add((atMillis == nowMillis ? "overdue" : atMillis - NOW) + "=" + ledgerId + ":" + entryId)));
        assertEquals(new TreeSet<>(rows), new TreeSet<>(unordered));
        assertEquals(100, unordered.size());
    }

    @Test
    void aMovedMessageIsPassedOnceAtTheTimeThatItWasGiven() throws Exception {
        for (int i = 0; i < 100; i++) {
            assertTrue(state.offer(1, i, NOW + 10_000 + i, NOW));
        }
        Rescheduled rescheduled = new Rescheduled(state);
        PositionSet some = new PositionSet();
        for (int i = 0; i < 50; i++) {
            some.add(1, i);
        }
        rescheduled.give(PositionTimes.of(some, NOW + 20_000), NOW);
        moved = rescheduled.times();
        List<String> passed = new ArrayList<>();
        assertEquals(Optional.empty(), walk(0, END).passAll(Optional.empty(), () -> true, (ledgerId, entryId, atMillis) ->
                passed.add(atMillis - NOW + ":" + entryId)));
        assertEquals(100, passed.size());
        assertTrue(passed.contains("20000:0") && passed.contains("10099:99"));
        List<Integer> few = new ArrayList<>();
        assertThrows(ScheduleWalk.EndedException.class, () -> walk(0, END).passAll(Optional.empty(), few::isEmpty,
                (ledgerId, entryId, atMillis) -> few.add(1)));
    }

    @Test
    void aMovedMessageThatItsOwnTimeHasMadeOverdueIsFoundAtTheTimeThatItWasGiven() throws Exception {
        assertTrue(state.offer(1, 1, NOW + 2_000, NOW));
        assertTrue(state.offer(1, 2, NOW + 2_000, NOW));
        PositionSet some = new PositionSet();
        some.add(1, 1);
        Rescheduled rescheduled = new Rescheduled(state);
        rescheduled.give(PositionTimes.of(some, NOW + 20_000), NOW);
        moved = rescheduled.times();
        nowMillis = NOW + 3_000;
        assertEquals(0, state.takeDue(nowMillis, 10, 1, 0, (ledgerId, entryId) -> { }));
        assertEquals(List.of("20000=1:1 moved"), all(NOW + 10_000, END, 10));
        assertEquals(List.of("overdue=1:2"), all(0, NOW + 10_000, 10));
        List<String> passed = new ArrayList<>();
        assertEquals(Optional.empty(), walk(0, END).passAll(Optional.empty(), () -> true, (ledgerId, entryId, atMillis) ->
                passed.add(atMillis - NOW + ":" + entryId)));
        assertEquals(List.of("3000:2", "20000:1"), passed);
    }

    @Test
    @DisplayName("R30: a message that was to be read for its time when a look began is of no time in it, though it is read since")
    void whatWasToBeReadWhenTheLookBeganIsLeftOut() throws Exception {
        assertTrue(state.offer(1, 1, NOW + 20_000, NOW));
        Withdrawals withdrawals = new Withdrawals(state);
        CandidateBatch asked = new CandidateBatch();
        asked.accept(1, 1);
        withdrawals.withdraw(asked, (ledgerId, entryId) -> { });
        withdrawals.readAgain(1, 1);
        ScheduleWalk look = new ScheduleWalk(state, moved, gone::contains, 0, NOW + 1_000, nowMillis);
        look.leaveOutToBeRead(withdrawals);
        assertEquals(Optional.of("beside"), look.begin(() -> "beside"));
        assertEquals(1, state.takeDue(nowMillis, 10, 2, 0, (ledgerId, entryId) -> { }));
        withdrawals.isRead(1, 1);
        assertTrue(state.offer(1, 1, NOW + 20_000, NOW));
        List<String> rows = new ArrayList<>();
        assertEquals(Optional.empty(), look.pass(Optional.empty(), 10, row -> rows.add(text(row))));
        assertEquals(List.of(), rows);
        assertEquals(List.of("20000=1:1"), all(0, END, 10));
    }

    @Test
    void aPassThatIsNotToGoOnEndsAmongOverdueOnesToo() {
        for (int i = 0; i < 2_000; i++) {
            assertTrue(state.offer(1, i, NOW + 500, NOW));
        }
        nowMillis = NOW + 1_500;
        assertEquals(0, state.takeDue(nowMillis, 2_000, 1, 0, (ledgerId, entryId) -> { }));
        int[] passed = {0};
        assertThrows(ScheduleWalk.EndedException.class, () -> walk(0, END).passAll(Optional.empty(), () -> passed[0] < 100,
                (ledgerId, entryId, atMillis) -> passed[0]++));
        assertEquals(100, passed[0]);
    }

    @Test
    void overdueOnesComeFirstAndAreDueNow() {
        for (int i = 0; i < 1_000; i++) {
            assertTrue(state.offer(1, i, NOW + 2_000, NOW));
        }
        assertTrue(state.offer(1, 5_000, NOW + 9_000, NOW));
        nowMillis = NOW + 3_000;
        for (int i = 0; i < 4; i++) {
            assertTrue(state.takeDue(nowMillis, 100, 1, 0, (ledgerId, entryId) -> { }) == 0, "below the read position");
        }
        List<String> rows = all(0, END, 100);
        assertEquals(1_001, rows.size());
        assertEquals("overdue=1:0", rows.get(0));
        assertEquals("9000=1:5000", rows.get(1_000));
        assertEquals(1_001, new TreeSet<>(rows).size());
        assertEquals(List.of("9000=1:5000"), all(nowMillis + 1, END, 100));
        long inIndex = rows.stream().filter(row -> row.startsWith("2000=")).count();
        assertEquals(1_000 - inIndex, all(nowMillis, NOW + 8_000, 5_000).size(), "those in the index have their own time");
    }

    @Test
    void aMovedMessageIsListedAtItsNewTimeAlone() {
        assertTrue(state.offer(1, 1, NOW + 5_000, NOW));
        assertTrue(state.offer(1, 2, NOW + 6_000, NOW));
        Rescheduled rescheduled = new Rescheduled(state);
        PositionTimes.Builder times = new PositionTimes.Builder();
        times.add(1, 1, NOW + 60_000);
        assertEquals(1, rescheduled.give(times.build(), NOW).size());
        moved = rescheduled.times();
        assertEquals(List.of("6000=1:2", "60000=1:1 moved"), all(0, END, 10));
        assertEquals(List.of("6000=1:2"), all(0, NOW + 59_000, 10));
    }

    @Test
    void whatLeavesTheScheduleAfterTheLookBeganIsNotPassedOn() {
        for (int i = 0; i < 500; i++) {
            assertTrue(state.offer(1, i, NOW + 2_000 + i, NOW));
        }
        ScheduleWalk walk = walk(0, END);
        for (int i = 0; i < 500; i += 2) {
            assertTrue(state.forget(1, i));
        }
        List<String> rows = new ArrayList<>();
        assertEquals(Optional.empty(), walk.pass(Optional.empty(), 1_000, row -> rows.add(text(row))));
        assertEquals(250, rows.size());
        assertEquals("2001=1:1", rows.get(0));
    }

    @Test
    void whereStorageWasReadInPartALaterLookGoesOnBehindThat() {
        assertTrue(state.offer(1, 1, NOW + 5_000, NOW));
        assertTrue(state.offer(1, 2, NOW + 7_000, NOW));
        ScheduleWalk walk = walk(0, END);
        DueRows stored = new DueRows(0, END);
        stored.add(NOW + 5_500, 1, 1);
        stored.add(NOW + 5_600, 9, 9);
        walk.include(List.of(stored), NOW + 6_000);
        List<String> rows = new ArrayList<>();
        Optional<Row> next = walk.pass(Optional.empty(), 10, row -> rows.add(text(row)));
        assertEquals(List.of("5000=1:1"), rows, "neither twice nor what is not scheduled");
        assertEquals(NOW + 6_001, next.orElseThrow().dueMillis().orElseThrow());
        assertEquals(Optional.empty(), walk(0, END).pass(next, 10, row -> rows.add(text(row))));
        assertEquals(List.of("5000=1:1", "7000=1:2"), rows);
    }

    @Test
    void aStoredMessageThatIsBeingLoadedIsPassedOnceWithAllTheOthers() throws Exception {
        assertTrue(state.offer(1, 1, NOW + 5_000, NOW));
        assertTrue(state.offer(1, 2, NOW + 7_000, NOW));
        ScheduleWalk walk = walk(0, END);
        DueRows stored = new DueRows(0, END);
        stored.add(NOW + 5_500, 1, 1);
        stored.add(NOW + 5_600, 9, 9);
        walk.include(List.of(stored), END);
        List<Long> entries = new ArrayList<>();
        assertEquals(Optional.empty(), walk.passAll(Optional.empty(), () -> true, (ledgerId, entryId, atMillis) ->
                entries.add(entryId)));
        assertEquals(List.of(1L, 2L), entries);
    }

    @Test
    void whatIsScheduledOfSomePositionsIsTold() {
        PositionSet asked = new PositionSet();
        for (int i = 0; i < 300; i++) {
            asked.add(1, i);
            if (i % 3 > 0) {
                assertTrue(state.offer(1, i, NOW + (i % 3 == 1 ? 500 : 5_000), NOW));
            }
        }
        assertEquals(0, state.takeDue(NOW + 500, 300, 1, 0, (ledgerId, entryId) -> { }));
        assertEquals(100, state.overdueCount());
        PositionSet known = ScheduleWalk.known(state, asked);
        assertEquals(200, known.size());
        known.forEach((ledgerId, entryId) -> assertTrue(entryId % 3 > 0, () -> "entry " + entryId));
    }

    @Test
    void pagesOfOverdueOnesGoOnBehindTheLastOne() {
        for (long ledgerId = 1; ledgerId <= 2; ledgerId++) {
            for (int i = 0; i < 5; i++) {
                assertTrue(state.offer(ledgerId, i, NOW + 500, NOW));
            }
        }
        nowMillis = NOW + 1_500;
        assertEquals(0, state.takeDue(nowMillis, 100, 1, 0, (ledgerId, entryId) -> { }));
        List<String> whole = List.of("overdue=1:0", "overdue=1:1", "overdue=1:2", "overdue=1:3", "overdue=1:4", "overdue=2:0",
                "overdue=2:1", "overdue=2:2", "overdue=2:3", "overdue=2:4");
        for (int limit = 1; limit <= 11; limit++) {
            assertEquals(whole, all(0, END, limit), "pages of " + limit);
        }
        assertEquals(whole, all(nowMillis, nowMillis, 10), "they are due now");
        assertEquals(List.of(), all(nowMillis + 1, END, 10), "they are due now");
        assertEquals(List.of(), all(0, nowMillis - 1, 10), "they are due now");
    }

    @Test
    void noOverdueOneComesAgainBehindOnesOfATime() {
        assertTrue(state.offer(2, 0, NOW + 500, NOW));
        assertTrue(state.offer(1, 0, NOW + 9_000, NOW));
        assertTrue(state.offer(1, 1, NOW + 9_500, NOW));
        nowMillis = NOW + 1_500;
        assertEquals(0, state.takeDue(nowMillis, 100, 1, 0, (ledgerId, entryId) -> { }));
        for (int limit = 1; limit <= 3; limit++) {
            assertEquals(List.of("overdue=2:0", "9000=1:0", "9500=1:1"), all(0, END, limit), "pages of " + limit);
        }
    }

    @Test
    void aPassOverAllGoesOnWhereAPageEnded() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertTrue(state.offer(1, i, NOW + 2_000 + i / 4, NOW));
        }
        Optional<Row> next = walk(0, END).pass(Optional.empty(), 78, row -> { });
        Set<Long> entries = new TreeSet<>();
        assertEquals(Optional.empty(), walk(0, END).passAll(next, () -> true, (ledgerId, entryId, atMillis) ->
                assertTrue(entries.add(entryId))));
        assertEquals(122, entries.size());
        assertTrue(entries.contains(78L));
    }

    @Test
    void aPassOverAllEndsWhereStorageWasReadInPart() throws Exception {
        for (int i = 0; i < 7; i++) {
            assertTrue(state.offer(1, i, NOW + 9_000 - i * 1_000L, NOW));
        }
        ScheduleWalk walk = walk(0, END);
        walk.include(List.of(), NOW + 6_000);
        walk.include(List.of(), NOW + 6_500);
        List<Long> entries = new ArrayList<>();
        Optional<Row> next = walk.passAll(Optional.empty(), () -> true, (ledgerId, entryId, atMillis) -> entries.add(entryId));
        assertEquals(Set.of(3L, 4L, 5L, 6L), Set.copyOf(entries));
        assertEquals(NOW + 6_001, next.orElseThrow().dueMillis().orElseThrow());
    }

    @Test
    void aClosedScheduleIsNotLookedAt() {
        state.close();
        assertEquals(Optional.empty(), new ScheduleWalk(state, moved, gone::contains, 0, END, NOW).begin(() -> "beside"));
    }

    @Test
    void itAgreesWithASortedListUnderRandomChanges() {
        long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
        Random random = new Random(seed);
        TreeSet<String> expected = new TreeSet<>();
        for (int round = 0; round < 300; round++) {
            int entry = random.nextInt(400);
            int due = 2_000 + random.nextInt(50);
            boolean isForgotten = state.forget(1, entry);
            assertEquals(isForgotten, expected.removeIf(row -> row.endsWith(":" + entry)), "seed " + seed);
            if (!isForgotten) {
                assertTrue(state.offer(1, entry, NOW + due, NOW));
                expected.add(due + "=1:" + entry);
            }
            if (round % 10 == 0) {
                List<String> found = all(0, END, 1 + random.nextInt(90));
                List<String> times = found.stream().map(row -> row.split("=")[0]).toList();
                assertEquals(times.stream().sorted().toList(), times, "seed " + seed);
                // One that was forgotten and came again may be listed at times it once had, once a page.
                assertEquals(positions(expected), positions(found), "seed " + seed);
            }
        }
    }

    private static Set<String> positions(Iterable<String> rows) {
        Set<String> positions = new TreeSet<>();
        rows.forEach(row -> positions.add(row.split("=")[1]));
        return positions;
    }
}
