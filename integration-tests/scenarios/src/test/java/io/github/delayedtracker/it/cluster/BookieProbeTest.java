/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A bookie serves if it takes connections and has registered itself since it was started. */
class BookieProbeTest {

    private static final long STARTED = 5_000;

    private OptionalLong registered = OptionalLong.empty();

    private BookieProbe probe(ServerSocket bookie) {
        return new BookieProbe(InetAddress.getLoopbackAddress().getHostAddress(), bookie.getLocalPort(), id -> registered);
    }

    private static ServerSocket bookie() throws Exception {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @Test
    void oneThatHasRegisteredSinceItsStartServes() throws Exception {
        try (ServerSocket bookie = bookie()) {
            registered = OptionalLong.of(STARTED);
            assertTrue(probe(bookie).answers(STARTED));
        }
    }

    @Test
    void oneThatOnlyTakesConnectionsDoesNot() throws Exception {
        try (ServerSocket bookie = bookie()) {
            assertFalse(probe(bookie).answers(STARTED));
        }
    }

    @Test
    void theRegistrationOfItsFormerLifeIsNotItsOwn() throws Exception {
        try (ServerSocket bookie = bookie()) {
            registered = OptionalLong.of(STARTED - 1);
            assertFalse(probe(bookie).answers(STARTED));
        }
    }

    @Test
    void oneThatTakesNoConnectionsDoesNot() throws Exception {
        ServerSocket bookie = bookie();
        bookie.close();
        registered = OptionalLong.of(STARTED);
        assertFalse(probe(bookie).answers(STARTED));
    }

    @Test
    void itIsStartedWhenTheRegistrationOfItsFormerLifeIsGone() throws Exception {
        try (ServerSocket bookie = bookie()) {
            assertTrue(probe(bookie).mayStart());
            registered = OptionalLong.of(STARTED);
            assertFalse(probe(bookie).mayStart());
        }
    }
}
