/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.MigrationJudge.Stored;
import io.github.delayedtracker.it.MigrationJudge.Verdict;
import io.github.delayedtracker.it.MigrationRoute.Step;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What counts as lost, early and repeated while trackers change, and how a route is written. */
class MigrationJudgeTest {

    private static final long DUE = 100_000;
    private static final Stored HERE = new Stored(1, 2);
    private static final Stored THERE = new Stored(1, 3);

    private final MigrationJudge judge = new MigrationJudge(1_000, 7_000);

    MigrationJudgeTest() {
        judge.sending(0, DUE);
        judge.stored(0);
    }

    private List<Integer> counts() {
        Verdict verdict = judge.verdict();
        return List.of(verdict.lost(), verdict.early(), verdict.sentTwice(), verdict.again(), verdict.young(), verdict.old(),
                verdict.twice(), verdict.doubled());
    }

    private void ends(long beginMillis, long endMillis) {
        judge.trackerEnds(beginMillis);
        judge.trackerEnded(endMillis);
    }

    @Test
    void aMessageThatComesAndIsAcknowledgedIsWell() {
        judge.arrived(0, HERE, DUE - 1_000);
        judge.acked(HERE, DUE);
        assertEquals(List.of(0, 0, 0, 0, 0, 0, 0, 0), counts());
        assertTrue(judge.allAcked());
    }

    @Test
    void aStoredMessageThatIsNotAcknowledgedIsLost() {
        judge.arrived(0, HERE, DUE);
        assertEquals(List.of(1, 0, 0, 0, 0, 0, 0, 0), counts());
        assertFalse(judge.allAcked());
    }

    @Test
    void aMessageThatComesMoreThanTheWindowBeforeItsTimeIsEarly() {
        judge.arrived(0, HERE, DUE - 1_001);
        judge.acked(HERE, DUE);
        assertEquals(List.of(0, 1, 0, 0, 0, 0, 0, 0), counts());
    }

    @Test
    void twoCopiesOfItsProducerAreNoRepetition() {
        judge.arrived(0, HERE, DUE);
        judge.arrived(0, THERE, DUE);
        judge.acked(THERE, DUE);
        assertEquals(List.of(0, 0, 1, 0, 0, 0, 0, 0), counts());
    }

    @Test
    void whatWasNotAcknowledgedMayComeAgainAfterAnEnd() {
        judge.arrived(0, HERE, DUE);
        ends(DUE + 10, DUE + 20);
        judge.arrived(0, HERE, DUE + 30);
        judge.acked(HERE, DUE + 40);
        assertEquals(List.of(0, 0, 0, 1, 0, 0, 0, 0), counts());
    }

    @Test
    void whatWasNotAcknowledgedMayNotComeAgainUnderOneTracker() {
        ends(DUE - 20, DUE - 10);
        judge.arrived(0, HERE, DUE);
        judge.arrived(0, HERE, DUE + 101);
        judge.acked(HERE, DUE + 140);
        assertEquals(List.of(0, 0, 0, 0, 0, 0, 1, 0), counts());
    }

    @Test
    void whatWasAcknowledgedJustBeforeAnEndOrDuringItIsYoung() {
        judge.sending(1, DUE);
        judge.arrived(0, HERE, DUE);
        judge.acked(HERE, DUE);
        judge.arrived(1, THERE, DUE + 7_001);
        ends(DUE + 7_000, DUE + 7_100);
        judge.acked(THERE, DUE + 7_050);
        judge.arrived(0, HERE, DUE + 7_200);
        judge.arrived(1, THERE, DUE + 7_200);
        assertEquals(List.of(0, 0, 0, 0, 2, 0, 0, 0), counts());
    }

    @Test
    void whatWasAcknowledgedLongBeforeAnEndIsOld() {
        judge.arrived(0, HERE, DUE);
        judge.acked(HERE, DUE);
        ends(DUE + 7_001, DUE + 7_100);
        judge.arrived(0, HERE, DUE + 7_200);
        assertEquals(List.of(0, 0, 0, 0, 0, 1, 0, 0), counts());
    }

    @Test
    void whatWasAcknowledgedIsOldWhereNoTrackerHasEnded() {
        judge.arrived(0, HERE, DUE);
        judge.acked(HERE, DUE);
        judge.arrived(0, HERE, DUE + 101);
        assertEquals(List.of(0, 0, 0, 0, 0, 1, 0, 0), counts());
    }

    @Test
    void whatComesTwiceWithinATenthOfASecondUnderOneTrackerIsDoubled() {
        ends(DUE - 20, DUE - 10);
        judge.arrived(0, HERE, DUE);
        judge.acked(HERE, DUE + 1);
        judge.arrived(0, HERE, DUE + 100);
        assertEquals(List.of(0, 0, 0, 0, 0, 0, 0, 1), counts());
    }

    @Test
    void theFirstArrivalAfterATimeIsOfAMessageSentBefore() {
        judge.arrived(5, THERE, DUE + 1);
        judge.arrived(0, HERE, DUE + 2);
        judge.arrived(0, HERE, DUE + 3);
        assertEquals(OptionalLong.of(DUE + 2), judge.firstAfter(DUE, 5));
    }

    @Test
    void aRouteIsABrokerAndSteps() {
        assertEquals(List.of(new Step(false, false, "bucket", "4.0"), new Step(true, false, "heap", "4.2"),
                new Step(false, true, "bucket", "4.0"), new Step(false, true, "", "4.0")),
                MigrationRoute.of("stock-memory > bucket ! heap@4.2 > sub:bucket > sub:").steps());
    }

    @Test
    void aRouteEndsWithTheSubscriptionsOwnTrackerWhereTheBrokerHasThePlugin() {
        assertEquals("bucket", MigrationRoute.of("heap > sub:bucket > timebucket@4.2").last());
        assertEquals("stock-memory", MigrationRoute.of("heap > sub:bucket > stock-memory").last());
        assertEquals("timebucket", MigrationRoute.of("heap > sub:bucket > timebucket > sub:").last());
        assertEquals("bucket", MigrationRoute.of("stock-bucket > bucket-pip195").last());
    }

    @Test
    void aRouteThatNobodyCanReadIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> MigrationRoute.of("heap > Bucket?"));
        assertThrows(IllegalArgumentException.class, () -> MigrationRoute.of("sub:heap > bucket"));
    }
}
