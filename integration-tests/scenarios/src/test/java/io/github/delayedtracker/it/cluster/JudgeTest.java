/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.cluster.RunEvent.Effect;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import io.github.delayedtracker.it.cluster.Verdict.Promise;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The judge sees each kind of broken promise, and excuses what a fault excuses and nothing else. */
class JudgeTest {

    private final JudgedRun run = JudgedRun.whole(0);

    /** A message that came and was acknowledged at five seconds. */
    private void doneAtFiveSeconds() {
        run.sent(1, 5_000);
        run.received(1, 5_000);
        run.acknowledged(1, 5_001);
    }

    @Test
    void aRunInWhichAllComeOnceAndInTimeHolds() {
        doneAtFiveSeconds();
        assertEquals(Set.of(), run.broken());
        assertTrue(run.verdict().holds());
        assertEquals(2, run.figure("sent"));
        assertEquals(2, run.figure("received"));
        assertEquals(2, run.figure("acknowledged"));
    }

    @Test
    void aMessageTheBrokerHasAndThatNeverComesIsLost() {
        run.sent(1, 5_000);
        assertEquals(Set.of(Promise.NOTHING_IS_LOST), run.broken());
    }

    @Test
    void aMessageOfAFailedOrUnansweredSendMayComeOrNot() {
        for (int message = 1; message <= 4; message++) {
            run.sending(message, "", 5_000);
        }
        run.event(Kind.UNSENT, 100, 1, "", "", 0);
        run.event(Kind.UNSENT, 100, 2, "", "", 0);
        run.received(2, 5_000);
        run.received(4, 5_000);
        assertEquals(Set.of(), run.broken());
        assertEquals(4, run.figure("unsure"));
    }

    @Test
    void aMessageBeforeItsTimeIsEarlyByMoreThanTheSlackOnly() {
        for (JudgedRun early : new JudgedRun[] {run, JudgedRun.whole(1)}) {
            early.sent(1, 5_000);
            early.received(1, 4_999);
            assertEquals(early == run ? Set.of(Promise.NOTHING_IS_EARLY) : Set.of(), early.broken());
        }
    }

    @Test
    void aMessageMayBeEarlyByAStepWhileAClockIsSteppedAndNeverMore() {
        long[] cameMillis = {20_000 - JudgedRun.STEP, 20_000 - JudgedRun.STEP - 1};
        for (long came : cameMillis) {
            JudgedRun early = JudgedRun.whole(0);
            early.fault(Effect.STEPS_A_CLOCK, 19_000, 20_000);
            early.sent(1, 20_000);
            early.received(1, came);
            assertEquals(came == cameMillis[0] ? Set.of() : Set.of(Promise.NOTHING_IS_EARLY), early.broken());
        }
        run.fault(Effect.STEPS_A_CLOCK, 19_000, 20_000);
        run.sent(1, 19_100);
        run.received(1, 18_999);
        assertEquals(Set.of(Promise.NOTHING_IS_EARLY), run.broken());
    }

    @Test
    void nothingComesAgainByAStepOfAClock() {
        doneAtFiveSeconds();
        run.fault(Effect.STEPS_A_CLOCK, 5_500, 6_000);
        run.received(1, 6_500);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
        JudgedRun open = JudgedRun.whole(0);
        open.sent(1, 5_000);
        open.received(1, 5_000);
        open.fault(Effect.STEPS_A_CLOCK, 5_500, 6_000);
        open.received(1, 6_500);
        assertEquals(Set.of(Promise.TWICE_HAS_A_CAUSE), open.broken());
    }

    @Test
    void whatNobodySentIsMadeUp() {
        run.received(7, 5_000);
        assertEquals(Set.of(Promise.NOTHING_IS_MADE_UP), run.broken());
    }

    @Test
    void twoMessagesFromOnePositionAreMadeUp() {
        doneAtFiveSeconds();
        run.sending(2, "", 5_000);
        run.received(2, 5_002, "1:1");
        assertEquals(Set.of(Promise.NOTHING_IS_MADE_UP), run.broken());
    }

    @Test
    void whatWasGivenBackComesAgainOnce() {
        run.sent(1, 5_000);
        run.received(1, 5_000);
        run.returned(1, 5_001);
        run.received(1, 6_000);
        assertEquals(Set.of(), run.broken());
        assertEquals(1, run.figure("again-before-acknowledgement"));
        run.received(1, 7_000);
        assertEquals(Set.of(Promise.TWICE_HAS_A_CAUSE), run.broken());
    }

    @Test
    void whatComesTwiceAtOnceIsCountedAcknowledgedOrNot() {
        doneAtFiveSeconds();
        run.received(1, 5_000 + JudgedRun.DOUBLE);
        assertEquals(Set.of(), run.broken());
        assertEquals(1, run.figure("sent-twice-at-once"));
        run.received(1, 5_001 + 2 * JudgedRun.DOUBLE);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void whatComesTwiceAtOnceMayComeAsMuchLaterAsTheMachineStoodStill() {
        doneAtFiveSeconds();
        run.event(Kind.SEEN, 5_800, 0, "", Stillness.STOOD_STILL, 700);
        run.received(1, 5_000 + JudgedRun.DOUBLE + 700);
        assertEquals(Set.of(), run.broken());
        assertEquals(1, run.figure("sent-twice-at-once"));
        run.received(1, 5_801 + JudgedRun.DOUBLE + 1_400);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void whatComesTwiceFromASlowBrokerMayComeAsMuchLaterAsItWasLate() {
        run.sent(1, 5_000);
        run.received(1, 5_600);
        run.acknowledged(1, 5_601);
        run.received(1, 5_600 + JudgedRun.DOUBLE + 600);
        assertEquals(Set.of(), run.broken());
        run.received(1, 6_301 + JudgedRun.DOUBLE + 600);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void whatWasSentTwiceAtOnceAStalledConsumerTakesWhenItGoesOn() {
        doneAtFiveSeconds();
        run.stalled(2, 5_000 + JudgedRun.DOUBLE, 40_000);
        run.receivedBy("consumer-2", 1, 40_000);
        assertEquals(Set.of(), run.broken());
        assertEquals(1, run.figure("sent-twice-at-once"));
    }

    @Test
    void whatWasSentTwiceAtOnceAndGivenBackByOneOfThemIsStillTakenByAStalledConsumer() {
        doneAtFiveSeconds();
        run.received(1, 5_002);
        run.returned(1, 5_003);
        run.stalled(2, 5_000, 40_000);
        run.receivedBy("consumer-2", 1, 40_000);
        assertEquals(Set.of(), run.broken());
        assertEquals(2, run.figure("sent-twice-at-once"));
    }

    @Test
    void aStallOfAnotherConsumerOrOneThatBeganLaterOrIsOverExcusesNothing() {
        long[][] stalls = {{1, 5_000, 40_000}, {2, 5_001 + JudgedRun.DOUBLE, 40_000}, {2, 5_000, 39_999 - JudgedRun.DOUBLE}};
        for (long[] stall : stalls) {
            JudgedRun other = JudgedRun.whole(0);
            other.sent(1, 5_000);
            other.received(1, 5_000);
            other.acknowledged(1, 5_001);
            other.stalled((int) stall[0], stall[1], stall[2]);
            other.receivedBy("consumer-2", 1, 40_000);
            assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), other.broken());
        }
    }

    @Test
    void whatAnOutageHeldUpMayNotComeTwiceForAsLong() {
        run.sent(1, 5_000);
        run.received(1, 60_000);
        run.acknowledged(1, 60_001);
        run.received(1, 63_001 + JudgedRun.DOUBLE);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void aMachineThatStoodStillLongBeforeOrAfterExcusesNothing() {
        doneAtFiveSeconds();
        run.event(Kind.SEEN, 4_299, 0, "", Stillness.STOOD_STILL, 700);
        run.event(Kind.SEEN, 9_000, 0, "", Stillness.STOOD_STILL, 700);
        run.received(1, 5_001 + JudgedRun.DOUBLE);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void aFaultSinceItCameExcusesWhatWasNotAcknowledged() {
        run.sent(1, 5_000);
        run.received(1, 5_000);
        run.fault(Effect.COMES_AGAIN, 5_500, 5_600);
        run.received(1, 6_000);
        run.acknowledged(1, 6_001);
        assertEquals(Set.of(), run.broken());
    }

    @Test
    void whatAFaultHeldUpMayComeTwiceUntilItHasSettled() {
        run.sent(1, 5_000 + JudgedRun.SETTLE);
        run.fault(Effect.FORGETS, 4_000, 5_000);
        run.received(1, 5_000 + JudgedRun.SETTLE);
        run.received(1, 5_500 + JudgedRun.SETTLE);
        assertEquals(Set.of(), run.broken());
        run.received(1, 6_000 + JudgedRun.SETTLE);
        assertEquals(Set.of(Promise.TWICE_HAS_A_CAUSE), run.broken());
    }

    @Test
    void aFaultThatLeavesConsumersAloneExcusesNothing() {
        run.sent(1, 5_000);
        run.received(1, 5_000);
        run.fault(Effect.NONE, 5_500, 9_000);
        run.received(1, 6_000);
        assertEquals(Set.of(Promise.TWICE_HAS_A_CAUSE), run.broken());
    }

    @Test
    void whatWasAcknowledgedDoesNotComeAgainWithoutAFault() {
        doneAtFiveSeconds();
        run.received(1, 60_000);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void aFaultWithinAFlushOfTheAcknowledgementExcusesWhatComesAgainAfterIt() {
        doneAtFiveSeconds();
        run.fault(Effect.FORGETS, 5_001 + JudgedRun.FLUSH, 9_000);
        run.received(1, 10_000);
        assertEquals(Set.of(), run.broken());
        assertEquals(1, run.figure("again-after-acknowledgement"));
    }

    @Test
    void aFaultThatWasRefusedMayHaveDoneSomethingAllTheSame() {
        doneAtFiveSeconds();
        run.refused(Effect.FORGETS, 5_001 + JudgedRun.FLUSH, 9_000);
        run.received(1, 10_000);
        assertEquals(Set.of(), run.broken());
    }

    @Test
    void aFaultLongerAfterItExcusesNothing() {
        doneAtFiveSeconds();
        run.fault(Effect.FORGETS, 5_002 + JudgedRun.FLUSH, 9_000);
        run.received(1, 10_000);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void theDeathOfAConsumerForgetsNoAcknowledgement() {
        doneAtFiveSeconds();
        run.fault(Effect.COMES_AGAIN, 5_002, 9_000);
        run.received(1, 6_000);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void anAcknowledgementDuringAFaultIsExcused() {
        run.sent(1, 5_000);
        run.fault(Effect.FORGETS, 4_000, 9_000);
        run.received(1, 5_000);
        run.acknowledged(1, 8_999);
        run.received(1, 20_000);
        assertEquals(Set.of(), run.broken());
    }

    @Test
    void aFaultAfterItHasComeAgainExcusesNothing() {
        doneAtFiveSeconds();
        run.received(1, 6_000);
        run.fault(Effect.FORGETS, 6_001, 9_000);
        assertEquals(Set.of(Promise.ACKNOWLEDGED_STAYS), run.broken());
    }

    @Test
    void aMessageThatIsStoredTwiceIsJudgedByPosition() {
        run.sending(1, "", 5_000);
        run.fault(Effect.FORGETS, 100, 900);
        run.event(Kind.SENT, 1_000, 1, "2:0", "", 0);
        run.received(1, 5_000, "1:1");
        run.acknowledged(1, 5_001);
        assertEquals(Set.of(Promise.NOTHING_IS_LOST), run.broken());
        run.received(1, 60_000, "2:0");
        assertEquals(Set.of(), run.broken());
        assertEquals(1, run.figure("stored-twice"));
    }

    @Test
    void aMessageThatIsStoredTwiceWithoutAFaultIsMadeUp() {
        doneAtFiveSeconds();
        run.received(1, 5_000, "2:0");
        assertEquals(Set.of(Promise.NOTHING_IS_MADE_UP), run.broken());
    }

    @Test
    void moreHandedOutThanWasSentWithADelayIsATrackersFaultUnlessThereWasAnother() {
        run.sent(1, 0);
        run.received(1, 5_000);
        run.event(Kind.SEEN, 6_000, 0, "", Judge.HANDED_OUT, 1);
        assertEquals(Set.of(), run.broken());
        run.event(Kind.SEEN, 7_000, 0, "", Judge.HANDED_OUT, 1);
        assertEquals(Set.of(Promise.HANDED_OUT_ONCE), run.broken());
        run.fault(Effect.FORGETS, 6_500, 6_600);
        assertEquals(Set.of(), run.broken());
    }

    @Test
    void countsThatAreNotZeroAtTheEndAreLeft() {
        run.without("LEDGERS");
        run.event(Kind.LEFT, 9_000, 0, "", "LEDGERS", 1);
        assertEquals(Set.of(Promise.NOTHING_IS_LEFT), run.broken());
    }

    @Test
    void whatCameAgainMayBeLeftUnacknowledgedInTheCountsOfTheBroker() {
        run.without("UNACKNOWLEDGED");
        run.event(Kind.LEFT, 99_000, 0, "", "UNACKNOWLEDGED", 1);
        doneAtFiveSeconds();
        assertEquals(Set.of(Promise.NOTHING_IS_LEFT), run.broken());
        run.fault(Effect.FORGETS, 5_500, 9_000);
        run.received(1, 10_000);
        assertEquals(Set.of(), run.broken());
    }

    @Test
    void theVerdictSaysWhatWasBrokenHowOftenAndWhere() {
        assertTrue(run.verdict().text().startsWith("every promise was kept"), run.verdict().text());
        run.sent(1, 5_000);
        String text = run.verdict().text();
        assertTrue(text.startsWith("BROKEN: [NOTHING_IS_LOST]"), text);
        assertTrue(text.contains("NOTHING_IS_LOST, 1 times") && text.contains("message 1 (at 1:1)"), text);
    }

    @Test
    void aLineThatWasCutShortIsNoEvent() {
        String line = new RunEvent(Kind.SENT, 1, 2, "3:4", "", 0).line();
        assertThrows(IllegalArgumentException.class, () -> RunEvent.of(line.substring(0, line.length() - 2)));
        assertThrows(IllegalArgumentException.class, () -> new RunEvent(Kind.LEFT, 1, 2, "", "a\tb", 0));
        assertThrows(IllegalArgumentException.class, () -> new RunEvent(Kind.LEFT, 1, 2, "a\nb", "", 0));
    }
}
