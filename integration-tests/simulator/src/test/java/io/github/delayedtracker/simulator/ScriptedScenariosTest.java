/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.simulator.Action.Kind;
import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promises told as scenarios, each on every backend. */
class ScriptedScenariosTest {

    private static final long DAY = 86_400_000;

    private final List<String> trace = new ArrayList<>();

    private void keepsEveryPromise(Scenario scenario) {
        assertEquals(Optional.empty(), new Simulation(trace::add).run(scenario).map(Violation::getMessage));
    }

    private long times(String words) {
        return trace.stream().filter(line -> line.contains(words)).count();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void deliversWhatIsDueWhileASealHangs(int backend) {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, backend))
                .then(Kind.CONNECT)
                .then(Kind.SLOW_WORKER, 0, 600_000)
                .at(100).then(Kind.PUBLISH_SPREAD, 100, 60_000)
                .at(300_000).end());
        assertEquals(100, times("is sent"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aReconnectReadsNothingAgainThatIsHeld(int backend) {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, backend))
                .then(Kind.CONNECT)
                .at(100).then(Kind.PUBLISH, 50, DAY)
                .at(10_000).then(Kind.DISCONNECT_ALL)
                .at(20_000).then(Kind.CONNECT)
                .at(40_000).end());
        assertEquals(50, times("addMessage = true"));
        assertEquals(50, times("containsMessage = true"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whatIsOverdueAtAReconnectIsSentOnce(int backend) {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, backend).with(Parameter.WORK, 50))
                .then(Kind.CONNECT)
                .at(100).then(Kind.PUBLISH_SPREAD, 100, 5_000)
                .at(200).then(Kind.DISCONNECT_ALL)
                .at(10_000).then(Kind.CONNECT)
                .at(30_000).end());
        assertEquals(100, times("is sent"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aClockSetForwardReleasesWithinAMinute(int backend) {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, backend))
                .then(Kind.CONNECT)
                .at(100).then(Kind.PUBLISH, 10, 3_600_000)
                .at(30_000).then(Kind.STEP_CLOCK, 0, 3_600_000)
                .at(95_000).end());
        assertEquals(10, times("is sent"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whatWasPublishedAfterAClearIsDelivered(int backend) {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, backend).with(Parameter.LATENCY, 5))
                .then(Kind.CONNECT)
                .at(100).then(Kind.PUBLISH, 20, 10_000)
                .at(1_000).then(Kind.CLEAR)
                .then(Kind.PUBLISH, 5, 10_000)
                .at(20_000).end());
        assertEquals(5, times("is sent"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void afterAKillAllIsReadAgainAndNothingIsLost(int backend) {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, backend))
                .then(Kind.CONNECT)
                .at(100).then(Kind.PUBLISH_SPREAD, 100, 60_000)
                .at(30_000).then(Kind.FLUSH).then(Kind.KILL)
                .at(200_000).end());
        assertEquals(100, times("is sent"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whatFollowsALongRunOfAcknowledgedMessagesIsOnTime(int backend) {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, backend).with(Parameter.BATCH, 1))
                .then(Kind.CONNECT)
                .at(100).then(Kind.PUBLISH, 1, DAY)
                .then(Kind.PUBLISH, 3_000, 60_000)
                .then(Kind.PUBLISH, 5, 60_001)
                .at(30_000).then(Kind.ACK, 1, 3_000)
                .at(100_000).end());
        assertEquals(5, times("is sent"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void b6WhatWaitsWhenATopicCannotBeClosedIsDelivered(int backend) {
        for (long closedMillis : new long[] {70_000, 130_000, 250_000}) {
            trace.clear();
            keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, backend))
                    .then(Kind.CONNECT)
                    .at(100).then(Kind.PUBLISH, 20, 400_000)
                    .at(1_000).then(Kind.CLOSE_FAILS, 1, closedMillis)
                    .at(270_000).then(Kind.PUBLISH, 10, 100_000)
                    .at(500_000).end());
            assertEquals(30, times("is sent"));
        }
    }

    @Test
    void b6AStoredIndexThatWasLetGoOfIsThereAgainWhenTheTopicIsLoaded() {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, Setup.BUCKET))
                .then(Kind.CONNECT)
                .at(100).then(Kind.PUBLISH_SPREAD, 60, 600_000)
                .at(20_000).then(Kind.CLOSE_FAILS, 1, 130_000)
                .at(200_000).then(Kind.PUBLISH_SPREAD, 30, 600_000)
                .at(300_000).then(Kind.UNLOAD, 0, 0)
                .at(900_000).end());
        assertEquals(90, times("is sent"));
    }

    /** S10: two buckets are there when the next owner loads the topic, and the former one merges them with two more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void aFormerOwnerCostsNothingThatIsStored(int seed) {
        keepsEveryPromise(Scenario.script(Setup.calm().with(Parameter.BACKEND, Setup.BUCKET).with(Parameter.SEED, seed)
                        .with(Parameter.LATENCY, 1).with(Parameter.BATCH, 4))
                .then(Kind.CONNECT)
                .at(1_000).then(Kind.PUBLISH, 8, 800_000)
                .at(2_000).then(Kind.PUBLISH, 8, 800_000)
                .at(3_000).then(Kind.PUBLISH, 2, 800_000)
                .at(3_100).then(Kind.TWO_OWNERS, 11_900, 90_000)
                .at(150_000).then(Kind.FLUSH)
                .end());
        assertTrue(times("is sent") >= 26, () -> times("is sent") + " were sent");
    }

    /** What was restored from a journal stays there though a skip of no message takes the journal's stamp away. */
    @Test
    void aSkipOfNoMessageBringsNothingBackWithALaterKill() {
        keepsEveryPromise(Scenario.parse("LINE=2 STRICT=1 TICK=1000 LEDGER=10 BATCH=4 JOURNAL=2 STATS=2 | 0:CONNECT:0:0"
                + " 14437:PUBLISH:1:600000 14437:PUBLISH:1:900000 16655:PUBLISH:2:0 16655:PUBLISH:1:400000"
                + " 16874:PUBLISH:1:60000 29808:PUBLISH_SPREAD:12:17328 76731:KILL:10:0 90934:SKIP:0:0 147588:KILL:0:0"
                + " 200000:KILL:0:0"));
    }

    /** The count that is asked for prunes what was cleared, and another message is added before it is asked for again. */
    @Test
    void aMessageThatComesForOneThatTheCountHasPrunedIsCounted() {
        keepsEveryPromise(Scenario.parse("SEED=90036610 BACKEND=2 LINE=1 STRICT=0 TICK=10"
                + " PRECISION=64 ADAPTIVE=100 KEY_SHARED=0 STUCK=0"
                + " LOOK_AHEAD=2000 LEDGER=20 BATCH=10 QUEUE=1 LATENCY=1 WORK=5 NACK=0 PUT_OFF=15 HOLD=0"
                + " LEDGER_START=0 SKIP=1 WORKER=0 STATS=10 FAULTS=0 ACKS_AT_ONCE=1 MEMORY=0 CALLS=0 JOURNAL=8"
                + " EVERY_RECORD=0 JOURNAL_FAULTS=0 | 0:CONNECT:0:0 2164:PUBLISH_SPREAD:9:4593 7523:SKIP:1:0"
                + " 7523:CLEAR:9:0 7525:PUBLISH_SPREAD:5:5636 153606:CONNECT:0:0"));
    }

    /** The type is switched while it is not known yet what was moved, and a read ends after that. */
    @Test
    void aTrackerThatIsClosedBeforeItKnowsWhatWasMovedLetsNothingThrough() {
        keepsEveryPromise(Scenario.parse("SEED=90258580 BACKEND=0 LINE=1 STRICT=0 TICK=10 PRECISION=0 ADAPTIVE=0"
                + " KEY_SHARED=0 STUCK=0 LOOK_AHEAD=2000 LEDGER=1000 BATCH=100 QUEUE=1000 LATENCY=1 WORK=0 NACK=0 PUT_OFF=15"
                + " HOLD=0 LEDGER_START=0 SKIP=1 WORKER=0 STATS=0 FAULTS=0 ACKS_AT_ONCE=1 MEMORY=0 CALLS=0 JOURNAL=5"
                + " EVERY_RECORD=0 JOURNAL_FAULTS=5 | 0:CONNECT:0:0 21:FLUSH:7:0 1703:MOVE:82:0 1845:MOVE:67:300000"
                + " 3002:PUBLISH:3:11607 3156:CANCEL:8:11 3564:PUBLISH:1:2000000 3564:CONNECT:0:0"
                + " 3564:PUBLISH:2:1500 3564:PUBLISH:1:60000 3564:PUBLISH:1:0 3564:PUBLISH:1:60000 3580:PUBLISH:2:0"
                + " 3580:PUBLISH:1:60000 3592:PUBLISH:2:0 3592:PUBLISH:1:60000 3797:MOVE_DUE:60000:20000"
                + " 5160:CANCEL:8:6 5242:MOVE:3:3000 17801:DISCONNECT:2:0 17804:KILL:6:0 17809:SWITCH_TYPE:2:0"));
    }

    @Test
    void aSubscriptionWithoutConsumersIsNotWokenOverAndOver() {
        keepsEveryPromise(Scenario.script(Setup.calm())
                .then(Kind.CONNECT)
                .at(100).then(Kind.PUBLISH, 10, 1_500)
                .at(200).then(Kind.DISCONNECT_ALL)
                .at(3_600_000).end());
        assertTrue(times("wakes the dispatcher") < 100, () -> "woken " + times("wakes the dispatcher") + " times");
    }
}
