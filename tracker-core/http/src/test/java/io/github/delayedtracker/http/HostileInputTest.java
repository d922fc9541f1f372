/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths and parameters that no well-behaved client sends. */
class HostileInputTest {

    private static final String BASE = DelayedServlets.BASE_PATH + "/persistent/public/default/";

    private static void assertRefused(int status, Executable call) {
        assertEquals(status, assertThrows(Failure.class, call).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%4", "%zz", "a%", "%\u0664\u0661", "%c3%28", "%ed%a0%80", "%c0%af", "%00", "%7f", "%c2%85"})
    void whatIsNotWellFormedIsRefused(String encoded) {
        assertRefused(400, () -> Percent.decode("it", encoded));
        assertRefused(400, () -> Query.of(Route.Action.CANCEL, "subscription=" + encoded));
        assertRefused(400, () -> Query.of(Route.Action.CANCEL, encoded + "=1"));
        assertRefused(400, () -> Route.of("GET", BASE + encoded + "/schedule"));
    }

    @ParameterizedTest
    @CsvSource({"abc,abc", "a+b,a+b", "%41%42,AB", "%2541,%41", "%e2%82%ac,\u20ac", "%F0%9F%98%80,\ud83d\ude00"})
    void whatIsWellFormedIsDecodedOnce(String encoded, String decoded) {
        assertEquals(decoded, Percent.decode("it", encoded));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "//", "/admin/delayed/v1", "/admin/delayed/v10/persistent/a/b/c/cancel",
        "/admin/delayed/v1/../persistent/a/b/c/cancel", "*", "/admin/delayed/v1/persistent/a/b/c/d/cancel",
        "/admin/delayed/v1/Persistent/a/b/c/cancel", "/admin/delayed/v1/persistent/a/b/c/Cancel"})
    void aPathOfOtherShapeIsNotFound(String path) {
        assertRefused(404, () -> Route.of("POST", path));
    }

    @Test
    void noInputEndsInAnythingButARefusal() {
        Random random = new Random(1);
        String alphabet = "%/?&=;:.+,@ \u0000\n\u20acabc019persistent";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(30); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                Query.of(Route.Action.SCHEDULE, "until=" + text).untilMillis(0);
                Route.of("GET", BASE + text + "/schedule");
            } catch (Failure refused) {
                assertTrue(refused.status() == 400 || refused.status() == 404, text + ": " + refused.status());
            }
        }
    }

    @Test
    void aLocationTakesTheQueryOverButForTheWordOfTheBrokerBefore() {
        Ownership.Elsewhere there = new Ownership.Elsewhere("http://127.0.0.1:8080", true);
        assertEquals(URI.create("http://127.0.0.1:8080/a%2Fb?authoritative=true"), there.location("/a%2Fb", null));
        assertEquals(URI.create("http://127.0.0.1:8080/a?x=1&y=&authoritative=true"),
                there.location("/a", "authoritative=false&x=1&&y=&authoritative"));
        assertRefused(400, () -> there.location("/a", "x={"));
    }

    @Test
    void aParameterWithoutAValueIsEmpty() {
        assertRefused(400, () -> Query.of(Route.Action.CANCEL, "subscription").subscription());
        assertRefused(400, () -> Query.of(Route.Action.CANCEL, "wholeBatches").wholeBatches());
        assertEquals(Optional.empty(), Query.of(Route.Action.CANCEL, "&&").subscription());
        assertFalse(Query.of(Route.Action.CANCEL, null).wholeBatches());
    }

    @Test
    void whatIsShownIsOneLineAndBounded() {
        assertEquals("'a?b??'", Printable.value("a\nb\u2028\u202e"));
        assertEquals(80 + 5, Printable.value("x".repeat(5_000)).length());
        JsonNode body = Reply.failed(new Failure(400, "a\r\nb\u001b[31m")).body();
        assertEquals("a??b?[31m", body.path("reason").asText());
    }
}
