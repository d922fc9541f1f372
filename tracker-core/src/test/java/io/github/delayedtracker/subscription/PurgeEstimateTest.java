/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PurgeEstimateTest {

    private static final int ASKED_FOR_A_CHANGE = 4;

    private final PurgeEstimate estimate = new PurgeEstimate();

    @Test
    void aPassPaysOnceAQuarterIsDeadForSure() {
        assertFalse(estimate.pays(10_000, 10_000));
        assertFalse(estimate.pays(10_000, 7_501));
        assertTrue(estimate.pays(10_000, 7_500));
    }

    @Test
    void aFewDeadAreNotWorthAPass() {
        assertFalse(estimate.pays(20, 5));
        assertTrue(estimate.pays(20, 4));
    }

    @Test
    void aBacklogOfOtherMessagesSaysNothingOfTheDead() {
        assertFalse(estimate.pays(10_000, 1_000_000));
        assertFalse(estimate.pays(0, 0));
    }

    @Test
    void whatAPassDidNotFindIsNotLookedForAgain() {
        assertTrue(estimate.pays(10_000, 5_000));
        estimate.passed(10_000, 5_000);
        assertFalse(estimate.pays(10_000, 5_000));
        assertFalse(estimate.pays(10_000, 2_501));
        assertTrue(estimate.pays(10_000, 2_500));
    }

    @Test
    void whatWasToleratedIsForgottenOnceItIsExplained() {
        estimate.passed(10_000, 5_000);
        assertFalse(estimate.pays(10_000, 9_000));
        assertFalse(estimate.pays(10_000, 6_501));
        assertTrue(estimate.pays(10_000, 6_500));
    }

    /** Of a subscription that is published to, acknowledged one by one and handed out, with a backlog counted wrong or right. */
    @Test
    void passesAskAboutFourPositionsAnAcknowledgementOrAddAtMostWhateverTheyFind() {
        for (int shape = 0; shape < 6; shape++) {
            long seed = Long.getLong("delayed.test.seed", new Random().nextLong());
            Random random = new Random(seed);
            PurgeEstimate policy = new PurgeEstimate();
            long live = 0;
            long dead = 0;
            long paid = 0;
            long asked = 0;
            long error = shape % 3 == 0 ? 0 : shape % 3 == 1 ? 3_000 : -3_000;
            String where = "shape " + shape + ", -Ddelayed.test.seed=" + seed;
            for (int step = 0; step < 300_000; step++) {
                int what = random.nextInt(100);
                if (what < 50 - 8 * shape || live == 0) {
                    live++;
                    paid++;
                } else if (what < 90) {
                    live--;
                    dead++;
                    paid++;
                } else {
                    live--;
                }
                long backlog = Math.max(0, live - error);
                if (policy.pays(live + dead, backlog)) {
                    asked += live + dead;
                    // Some cannot be found: they have just moved.
                    dead = shape >= 3 ? dead / 2 : 0;
                    policy.passed(live + dead, Math.max(0, live - error));
                }
                if (asked > ASKED_FOR_A_CHANGE * paid) {
                    fail(asked + " asked after " + paid + " acknowledgements and adds, " + where);
                }
                long most = Math.max(PurgeEstimate.LEAST_DEAD, (live + dead) / 4 + 1);
                if (error == 0 && shape < 3 && dead > most) {
                    fail(dead + " dead beside " + live + ", " + where);
                }
            }
            assertTrue(asked > 0, "no pass, " + where);
        }
    }
}
