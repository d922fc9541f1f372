/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.fuzz.FuzzTarget;
import io.github.delayedtracker.http.Authorization.Asking;
import io.github.delayedtracker.http.Calls.Call;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.http.HttpServletRequest;
import org.apache.pulsar.broker.authentication.AuthenticationDataSource;

/**
 * Any request is read in full, or refused with a status of 400 to 415 and a reason of one line. An input is five lines and a
 * body: the action, the rest of the path, the query, the type of the content, and its encoding, empty for none.
 */
class RequestFuzzTest extends FuzzTarget {

    private static final long NOW = 1_700_000_000_000L;
    private static final int LINES = 5;
    private static final Asking NOBODY = new Asking(null, null, new AuthenticationDataSource() { });

    @Override
    protected List<byte[]> seeds() {
        return List.of(
                bytes("cancel|/persistent/public/default/orders|subscription=s&wholeBatches=true|text/plain||12:3\n12:4:-1:7\n"),
                bytes("cancel|/persistent/a/b/c%2Bd|subscription=s&dueBefore=6h&dueAfter=10&dryRun=true&yes=false|text/plain||"),
                bytes("reschedule|/persistent/a/b/c|due=6h|application/json; charset=utf-8||{\"ids\":[\"12:3\",\"1:2:3\"]}"),
                bytes("reschedule|/persistent/a/b/c|by=-30m&subscription=x&all=true&after=1:2:3@1700000000000|text/plain||"),
                bytes("deliver-now|/persistent/a/b/c||text/plain||5:6"),
                bytes("list|/persistent/a/b/c|subscription=s&from=1h&to=2d&limit=20&after=9:1:2|||"),
                bytes("schedule|/persistent/a/b/%e2%82%ac|until=10m,6h,7d,1700000000001&authoritative=true|||"),
                bytes("expiring|/persistent/a/b/c|after=17|||"), bytes("/|/sweep|after=5|||"));
    }

    private static byte[] bytes(String text) {
        return text.replace('|', '\n').getBytes(StandardCharsets.UTF_8);
    }

    @Override
    protected void read(byte[] bytes) throws IOException {
        String[] lines = new String[LINES];
        int from = 0;
        for (int i = 0; i < LINES; i++) {
            int to = from;
            while (to < bytes.length && bytes[to] != '\n') {
                to++;
            }
            lines[i] = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            from = Math.min(bytes.length, to + 1);
        }
        byte[] body = Arrays.copyOfRange(bytes, from, bytes.length);
        for (String method : List.of("GET", "POST")) {
            try {
                assertIsWhole(Calls.read(request(method, lines, body), NOBODY, NOW));
            } catch (Failure refused) {
                assertTrue(refused.status() >= 400 && refused.status() <= 415, () -> "status " + refused.status());
                String reason = Reply.failed(refused).body().path("reason").asText();
                assertTrue(reason.lines().count() == 1 && reason.chars().noneMatch(Character::isISOControl), reason);
            }
        }
        try {
            Query.ofSweep(lines[2]).afterLedger().ifPresent(ledger -> assertTrue(lines[2].contains("after")));
        } catch (Failure refused) {
            assertEquals(400, refused.status());
        }
    }

    private static void assertIsWhole(Call call) {
        assertTrue(call.topic().toString().startsWith("persistent://"), () -> call.topic().toString());
        call.subscription().ifPresent(name -> assertTrue(!name.isBlank()));
        assertTrue(call.timesMillis().equals(call.timesMillis().stream().sorted().distinct().toList()));
        call.chosen().ifPresent(chosen -> {
            if (chosen instanceof DueWithin within) {
                assertTrue(within.fromMillis() <= within.untilMillis(), within::toString);
            } else {
                assertTrue(((Named) chosen).ids().stream().allMatch(name -> name.ledgerId() >= 0 && name.entryId() >= 0));
            }
        });
    }

    private static HttpServletRequest request(String method, String[] lines, byte[] body) {
        Map<String, Object> answers = Map.of("getMethod", method,
                "getRequestURI", DelayedServlets.BASE_PATH + lines[1] + "/" + lines[0], "getContentType", lines[3],
                "getContentLengthLong", (long) body.length, "getInputStream", new Bytes(body));
        return (HttpServletRequest) Proxy.newProxyInstance(RequestFuzzTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class}, (proxy, called, arguments) -> switch (called.getName()) {
                    case "getQueryString" -> lines[2].isEmpty() ? null : lines[2];
                    case "getHeader" -> arguments[0].equals("Content-Encoding") && !lines[4].isEmpty() ? lines[4] : null;
                    default -> {
                        Object answer = answers.get(called.getName());
                        if (answer == null) {
                            throw new UnsupportedOperationException(called.toString());
                        }
                        yield answer;
                    }
                });
    }

    /** A body that is there in full. */
    private static final class Bytes extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        Bytes(byte[] bytes) {
            this.bytes = new ByteArrayInputStream(bytes);
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] into, int from, int length) {
            return bytes.read(into, from, length);
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("a body that is there in full");
        }
    }
}
