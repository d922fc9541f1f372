/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** All scenarios on one broker, which a subclass names. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(BrokerTroubles.class)
abstract class OnABroker {

    /** Tag of the classes whose scenarios run by default only where they carry {@link Scenarios#SMOKE}. */
    static final String MATRIX = "matrix";

    /** Tag of the classes that run only with the profile {@code matrix}. */
    static final String MATRIX_ONLY = "matrix-only";

    private BrokerFixture fixture;

    /** Settings with what some scenarios need: transactions, and entry filters that a namespace may name. */
    static BrokerSettings settings(String tracker, boolean strict, long tickMillis) {
        return BrokerSettings.of(tracker, strict, tickMillis).with(EntryFilterArchive.ALLOWED, "true")
                .with("dispatcherEntryFilterRescheduledMessageDelay", "200").with(EdgeScenarios.TRANSACTIONS, "true");
    }

    /** The broker, not yet started; fails an assumption where this machine cannot run it. */
    abstract Broker newBroker() throws Exception;

    /** The broker, once it was started. */
    final Broker broker() {
        return fixture.broker();
    }

    /** Says in one visible line that something is skipped, and why. */
    static String skipped(String what, String reason) {
        String line = "SKIPPED " + what + ": " + reason;
        System.out.println(line);
        return line;
    }

    @BeforeAll
    void startBroker() throws Exception {
        fixture = BrokerFixture.start(newBroker());
    }

    @AfterAll
    void closeBroker() throws Exception {
        if (fixture != null) {
            fixture.close();
        }
    }

    @Nested
    class Delivery extends DeliveryScenarios {
        @Override
        BrokerFixture broker() {
            return fixture;
        }
    }

    @Nested
    class Reconnect extends ReconnectScenarios {
        @Override
        BrokerFixture broker() {
            return fixture;
        }
    }

    @Nested
    class Cursor extends CursorScenarios {
        @Override
        BrokerFixture broker() {
            return fixture;
        }
    }

    @Nested
    class Edge extends EdgeScenarios {
        @Override
        BrokerFixture broker() {
            return fixture;
        }
    }

    @Nested
    class Policy extends PolicyScenarios {
        @Override
        BrokerFixture broker() {
            return fixture;
        }
    }

    @Nested
    class Precision extends PrecisionScenarios {
        @Override
        BrokerFixture broker() {
            return fixture;
        }
    }

    @Nested
    class Stats extends StatsScenarios {
        @Override
        BrokerFixture broker() {
            return fixture;
        }
    }

    @Nested
    class Restart extends RestartScenarios {
        @Override
        BrokerFixture broker() {
            return fixture;
        }
    }
}
