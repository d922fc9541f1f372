/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.it.cluster.RunEvent.Effect;
import io.github.delayedtracker.it.cluster.Verdict.Promise;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The judge sees messages of a key that come in another order than they were sent, where their order is promised. */
class JudgeOrderTest {

    private static void secondFirst(JudgedRun run, String key, long dueMillis) {
        run.sent(1, key, dueMillis);
        run.sent(2, key, dueMillis);
        run.received(2, 6_000);
        run.received(1, 6_001);
    }

    @Test
    void messagesOfAKeyWithoutDelayComeInTheirOrderFaultOrNot() {
        JudgedRun run = JudgedRun.whole(1_000);
        run.fault(Effect.FORGETS, 5_000, 5_500);
        secondFirst(run, "3-k", 0);
        assertEquals(Set.of(Promise.KEYS_KEEP_ORDER), run.broken());
        assertEquals(1, run.figure("overtaken"));
    }

    @Test
    void messagesWithoutAKeyHaveNoOrder() {
        JudgedRun run = JudgedRun.whole(0);
        secondFirst(run, "", 0);
        assertEquals(Set.of(), run.broken());
    }

    @Test
    void keysAndTimesHaveNoOrderBetweenThem() {
        JudgedRun run = JudgedRun.whole(0);
        run.sent(1, "3-a", 0);
        run.sent(2, "3-b", 0);
        run.sent(3, "3-a", 5_001);
        run.sent(4, "3-a", 5_000);
        for (long message = 4; message > 0; message--) {
            run.received(message, 6_000 - message);
        }
        assertEquals(Set.of(), run.broken());
    }

    @Test
    void messagesOfAKeyThatAreDueAtOneTimeComeInTheirOrder() {
        JudgedRun run = JudgedRun.whole(0);
        secondFirst(run, "3-k", 5_000);
        assertEquals(Set.of(Promise.KEYS_KEEP_ORDER), run.broken());
    }

    @Test
    void notStrictOrAfterAFaultTheyMayOvertakeEachOther() {
        JudgedRun notStrict = JudgedRun.whole(1_000);
        secondFirst(notStrict, "3-k", 5_000);
        JudgedRun struck = JudgedRun.whole(0);
        struck.fault(Effect.FORGETS, 1_000, 1_500);
        secondFirst(struck, "3-k", 5_000);
        assertEquals(Set.of(), notStrict.broken());
        assertEquals(Set.of(), struck.broken());
        assertEquals(1, struck.figure("overtaken"));
    }

    @Test
    void soTheyMayAfterAStallThatKeepsTheBrokerFromReading() {
        JudgedRun stalled = JudgedRun.whole(0);
        stalled.stalled(1, 1_000, 5_990);
        secondFirst(stalled, "3-k", 5_900);
        assertEquals(Set.of(), stalled.broken());
        JudgedRun later = JudgedRun.whole(0);
        later.stalled(1, 6_002, 6_500);
        secondFirst(later, "3-k", 5_900);
        assertEquals(Set.of(Promise.KEYS_KEEP_ORDER), later.broken());
    }

    @Test
    void whatASlowBrokerReadsOnlyWhenItIsDueMayOvertake() {
        JudgedRun late = JudgedRun.whole(0);
        secondFirst(late, "3-k", 4_000);
        assertEquals(Set.of(), late.broken());
        assertEquals(1, late.figure("overtaken"));
        JudgedRun inTime = JudgedRun.whole(0);
        secondFirst(inTime, "3-k", 4_001);
        assertEquals(Set.of(Promise.KEYS_KEEP_ORDER), inTime.broken());
    }

    @Test
    void onlyTheFirstTimeCounts() {
        JudgedRun run = JudgedRun.whole(0);
        run.sent(1, "3-k", 0);
        run.sent(2, "3-k", 0);
        run.received(1, 5_000);
        run.returned(1, 5_001);
        run.received(2, 5_002);
        run.received(1, 6_000);
        assertEquals(Set.of(), run.broken());
    }
}
