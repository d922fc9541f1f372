/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.it.page.PageGuard.Request;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageGuardTest {

    private static final int PORT = 4711;
    private static final String OWN = "127.0.0.1:4711";

    private final PageGuard guard = PageGuard.of(PORT);

    private Optional<String> refusal(String method, String path, String host, String origin, String token) {
        return guard.refusal(new Request(method, path, Optional.ofNullable(host), Optional.ofNullable(origin),
                Optional.ofNullable(token)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:4711", "localhost:4711"})
    void itsOwnPageMayLookAndChange(String host) {
        assertEquals(Optional.empty(), refusal("GET", "/", host, null, null));
        assertEquals(Optional.empty(), refusal("GET", "/api/state", host, null, guard.token()));
        assertEquals(Optional.empty(), refusal("POST", "/api/cancel", host, "http://" + host, guard.token()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"attacker.example:4711", "127.0.0.1", "127.0.0.1:4712", "127.0.0.1:4711.attacker.example", ""})
    void aForeignHostIsRefusedEverything(String host) {
        assertEquals(Optional.of("the Host is not this server"), refusal("GET", "/", host, null, null));
        assertEquals(Optional.of("the Host is not this server"),
                refusal("POST", "/api/cancel", host, "http://" + OWN, guard.token()));
    }

    @ParameterizedTest
    @CsvSource({"GET, http://attacker.example", "POST, http://attacker.example", "POST, null", "POST, https://127.0.0.1:4711",
        "POST, http://127.0.0.1:4712", "GET, http://127.0.0.1:4711.attacker.example"})
    void aForeignOriginIsRefusedWithTheToken(String method, String origin) {
        assertEquals(Optional.of("the Origin is not this server"), refusal(method, "/api/cancel", OWN, origin, guard.token()));
    }

    @Test
    void aChangeWithoutAnOriginIsRefused() {
        assertEquals(Optional.of("the Origin is not this server"), refusal("POST", "/api/cancel", OWN, null, guard.token()));
    }

    @Test
    void whoeverDoesNotKnowTheTokenIsRefused() {
        for (String token : new String[] {null, "", guard.token() + "x", PageGuard.of(PORT).token()}) {
            assertTrue(refusal("GET", "/api/subscriptions", OWN, null, token).orElse("").startsWith("the token is missing"),
                    () -> "token " + token);
        }
    }

    @Test
    void eachStartHasATokenOfItsOwn() {
        assertNotEquals(guard.token(), PageGuard.of(PORT).token());
    }
}
