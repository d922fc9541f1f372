/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.admin.cli.extensions.CustomCommand;
import org.apache.pulsar.admin.cli.extensions.CustomCommandGroup;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the tool against a web server: what they ask, what they print, and the one line of each failure. */
class AdminCommandsTest extends AgainstRig {

    private static final String CANCELLED = "{\"topic\":\"t\",\"subscriptions\":[{\"subscription\":\"s\\t1\","
            + "\"counts\":{\"cancelled\":1,\"unknown\":1},\"answers\":[{\"id\":\"1:1\",\"answer\":\"cancelled\"},"
            + "{\"id\":\"1:2\",\"answer\":\"unknown\"}]}]}";
    private static final String SCHEDULE = "{\"topic\":\"t\",\"subscriptions\":[{\"subscription\":\"a\",\"count\":5,"
            + "\"overdue\":1,\"nextDueMillis\":1700000000000,\"lastDueMillis\":1700000060000,\"blocked\":\"window\","
            + "\"dueBy\":[{\"untilMillis\":1700000060000,\"count\":3}]},"
            + "{\"subscription\":\"b\",\"count\":0,\"overdue\":0,\"nextDueMillis\":null,\"lastDueMillis\":null,"
            + "\"blocked\":\"none\",\"dueBy\":[]}]}";

    @TempDir
    private Path directory;

    private static String lineOf(Executable call) {
        return assertThrows(CommandFailed.class, call).getMessage();
    }

    @Test
    void idsAreSentAndTheAnswersPrinted() throws Exception {
        rig.answer(200, CANCELLED);
        assertEquals("s?1\t1:1\tcancelled" + System.lineSeparator() + "s?1\t1:2\tunknown" + System.lineSeparator(),
                rig.run("cancel", Map.of("topic", "orders", "ids", "1:1, 1:2,", "--subscription", "a b&c",
                        "--whole-batches", true)));
        assertEquals(List.of(new AdminRig.Seen("POST", ORDERS + "cancel?subscription=a%20b%26c&wholeBatches=true",
                "Bearer " + AdminRig.TOKEN, "text/plain; charset=utf-8", "1:1\n1:2")), rig.seen);
    }

    @Test
    void idsComeFromAFileToo() throws Exception {
        Path file = Files.writeString(directory.resolve("ids"), "1:2\n\n  1:3\n");
        rig.answer(200, CANCELLED);
        assertEquals(CANCELLED + System.lineSeparator(), rig.run("cancel",
                Map.of("topic", "public/default/orders", "ids", "1:1", "--ids-file", file.toString(), "--json", true)));
        assertEquals("1:1\n1:2\n1:3", rig.seen.get(0).body());
        assertEquals(ORDERS + "cancel", rig.seen.get(0).uri());
    }

    @Test
    void theScheduleIsPrintedByLines() throws Exception {
        rig.answer(200, SCHEDULE);
        assertEquals(List.of("a\tscheduled\t5", "a\toverdue\t1", "a\tblocked\twindow", "a\tnext due\t2023-11-14T22:13:20Z",
                "a\tlast due\t2023-11-14T22:14:20Z",
                "a\tdue by 2023-11-14T22:14:20Z\t3", "b\tscheduled\t0", "b\toverdue\t0", "b\tblocked\tnone",
                "b\tnext due\tnone", "b\tlast due\tnone"),
                rig.run("schedule", Map.of("topic", "orders", "--subscription", "s", "--until", "1h,+2")).lines().toList());
        assertEquals(ORDERS + "schedule?subscription=s&until=1h%2C%2B2", rig.seen.get(0).uri());
        assertEquals("GET", rig.seen.get(0).method());
        assertEquals(SCHEDULE + System.lineSeparator(), rig.run("schedule", Map.of("topic", "orders", "--json", true)));
        assertEquals(ORDERS + "schedule", rig.seen.get(1).uri());
    }

    @Test
    void nothingInAnAnswerSteersTheTerminal() throws Exception {
        String evil = "\"\\u001b[2J\\t\\u009b\"";
        String cleaned = "?[2J??";
        rig.answer(200, "{\"subscriptions\":[{\"subscription\":" + evil + ",\"count\":" + evil + ",\"overdue\":" + evil
                + ",\"blocked\":" + evil + ",\"dueBy\":[{\"untilMillis\":1,\"count\":" + evil + "}]}]}");
        assertEquals(List.of(cleaned + "\tscheduled\t" + cleaned, cleaned + "\toverdue\t" + cleaned,
                cleaned + "\tblocked\t" + cleaned, cleaned + "\tnext due\tnone", cleaned + "\tlast due\tnone",
                cleaned + "\tdue by 1970-01-01T00:00:00.001Z\t" + cleaned),
                rig.run("schedule", Map.of("topic", "orders")).lines().toList());
    }

    @Test
    void anotherBrokerIsAskedTheSameWithAuthentication() throws Exception {
        try (AdminRig leader = new AdminRig(); AdminRig owner = new AdminRig()) {
            rig.sendOnTo("http://" + leader.authority() + ORDERS + "cancel?authoritative=false");
            leader.sendOnTo("http://" + owner.authority() + ORDERS + "cancel?authoritative=true");
            owner.answer(200, CANCELLED);
            rig.run("cancel", Map.of("topic", "orders", "ids", "1:1"));
            assertEquals(List.of(new AdminRig.Seen("POST", ORDERS + "cancel?authoritative=true", "Bearer " + AdminRig.TOKEN,
                    "text/plain; charset=utf-8", "1:1")), owner.seen);
        }
    }

    @Test
    void aRequestThatIsSentRoundAndRoundEnds() {
        rig.sendOnTo("/again");
        assertTrue(lineOf(() -> rig.run("schedule", Map.of("topic", "orders"))).contains("do not agree"));
        assertEquals(3, rig.seen.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://127.0.0.1/", "file:///etc/passwd", "http:///x", ":", "mailto:a"})
    void aRequestIsNotSentJustAnywhere(String location) {
        rig.sendOnTo(location);
        assertTrue(lineOf(() -> rig.run("schedule", Map.of("topic", "orders"))).contains("sends the request to an address"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "404|<html>Not Found</html>|pulsar-delayed-http is not among its additionalServlets",
        "404|{\"reason\":\"HTTP 404 Not Found\"}|pulsar-delayed-http is not among its additionalServlets",
        "404|{\"reason\":\"there is no topic x\"}|: there is no topic x",
        "403|{\"reason\":\"the role may not\"}|: the role may not",
        "401|<html>Authentication required</html>|HTTP 401 from 127.0.0.1",
        "409|{\"reason\":\"a\\nb\"}|: a?b",
        "503|{\"reason\":5}|HTTP 503 from 127.0.0.1",
        "200|<html/>|not JSON"})
    void aFailureIsOneLine(int status, String body, String line) {
        rig.answer(status, body);
        CommandFailed failed = assertThrows(CommandFailed.class, () -> rig.run("schedule", Map.of("topic", "orders")));
        assertTrue(failed.getMessage().contains(line), failed.getMessage());
        StringWriter printed = new StringWriter();
        failed.printStackTrace(new PrintWriter(printed, true));
        assertEquals(failed.getMessage() + System.lineSeparator(), printed.toString());
    }

    @Test
    void wrongArgumentsAreToldBeforeAnybodyIsAsked() throws Exception {
        assertTrue(lineOf(() -> rig.run("schedule", new HashMap<>())).contains("topic is missing"));
        assertTrue(lineOf(() -> rig.run("schedule", Map.of("topic", "a/b"))).contains("not the name of a topic"));
        assertTrue(lineOf(() -> rig.run("schedule", Map.of("topic", "non-persistent://a/b/c"))).contains("only persistent"));
        assertTrue(lineOf(() -> rig.run("schedule", Map.of("topic", "persistent://a/b/c/d"))).contains("a topic is"));
        assertTrue(lineOf(() -> rig.run("schedule", Map.of("topic", "a", "--subscription", " "))).contains("must not be empty"));
        assertTrue(lineOf(() -> rig.run("cancel", Map.of("topic", "a", "ids", " ,"))).contains("no message is named"));
        Path none = directory.resolve("none");
        assertTrue(lineOf(() -> rig.run("cancel", Map.of("topic", "a", "--ids-file", none.toString()))).contains("cannot read"));
        Path large = Files.write(directory.resolve("large"), new byte[(1 << 20) + 1]);
        assertTrue(lineOf(() -> rig.run("cancel", Map.of("topic", "a", "--ids-file", large.toString()))).contains("longer"));
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff});
        assertTrue(lineOf(() -> rig.run("cancel", Map.of("topic", "a", "--ids-file", binary.toString()))).contains("UTF-8"));
        assertEquals(List.of(), rig.seen);
    }

    @Test
    void theNextAddressIsTriedWhereNobodyListens() throws Exception {
        rig.answer(200, SCHEDULE);
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        String url = "http://127.0.0.1:" + closed;
        AdminRig.run(AdminRig.client(url + "," + rig.authority()), "schedule", Map.of("topic", "orders"));
        assertEquals(1, rig.seen.size());
        assertTrue(lineOf(() -> AdminRig.run(AdminRig.client(url), "schedule", Map.of("topic", "orders")))
                .contains("cannot reach the web service at " + url));
    }

    /** As that of a pod that is down. */
    @Test
    void theNextAddressIsTriedWhereAHostIsNotKnown() throws Exception {
        rig.answer(200, SCHEDULE);
        AdminRig.run(AdminRig.client("http://no-such-host.invalid:8080," + rig.authority()), "schedule",
                Map.of("topic", "orders"));
        assertEquals(1, rig.seen.size());
    }

    /** Done twice a move by a distance would move twice as far. */
    @Test
    void aChangeThatGetsNoAnswerIsSentOnce() throws Exception {
        CompletableFuture<Integer> requests;
        try (ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            requests = CompletableFuture.supplyAsync(() -> requestsUntilItIsClosed(socket));
            String url = "http://127.0.0.1:" + socket.getLocalPort();
            String line = lineOf(() -> AdminRig.run(AdminRig.client(url), "reschedule",
                    Map.of("topic", "orders", "ids", "12:5", "--by", "30m")));
            assertTrue(line.contains("no answer") && line.contains("may be done or not"), line);
        }
        assertEquals(1, requests.get(30, TimeUnit.SECONDS));
    }

    /** Reads each request to the end of its body, and ends its connection. */
    private static int requestsUntilItIsClosed(ServerSocket socket) {
        for (int requests = 0;; requests++) {
            try (Socket taken = socket.accept()) {
                StringBuilder request = new StringBuilder();
                while (request.indexOf("12:5") < 0) {
                    request.append((char) taken.getInputStream().read());
                }
            } catch (IOException e) {
                return requests;
            }
        }
    }

    @Test
    void aNewDueTimeIsSent() throws Exception {
        rig.answer(200, CANCELLED);
        rig.run("reschedule", Map.of("topic", "orders", "ids", "1:1", "--due", "6h"));
        assertEquals(ORDERS + "reschedule?due=6h", rig.seen.get(0).uri());
        rig.run("reschedule", Map.of("topic", "orders", "ids", "1:1", "--by", "-6h"));
        assertEquals(ORDERS + "reschedule?by=-6h", rig.seen.get(1).uri());
        assertEquals("when the messages are to be due: give one of --due and --by",
                lineOf(() -> rig.run("reschedule", Map.of("topic", "orders", "ids", "1:1"))));
        assertEquals("when the messages are to be due: give one of --due and --by",
                lineOf(() -> rig.run("reschedule", Map.of("topic", "orders", "ids", "1:1", "--by", "6h", "--due", "6h"))));
    }

    @Test
    void messagesAreDeliveredNow() throws Exception {
        rig.answer(200, CANCELLED);
        rig.run("deliver-now", Map.of("topic", "orders", "ids", "1:1", "--subscription", "s"));
        assertEquals(ORDERS + "deliver-now?subscription=s", rig.seen.get(0).uri());
    }

    @Test
    void everyNameIsEncoded() throws Exception {
        rig.answer(200, SCHEDULE);
        rig.run("schedule", Map.of("topic", "persistent://public/default/a b%2F\u20ac+?#-partition-0"));
        assertEquals("/admin/delayed/v1/persistent/public/default/a%20b%252F%E2%82%AC%2B%3F%23-partition-0/schedule",
                rig.seen.get(0).uri());
    }

    @Test
    void theGroupSaysWhatItTakes() {
        List<CustomCommandGroup> groups = new DelayedCommandFactory().commandGroups(null);
        assertEquals(1, groups.size());
        assertEquals("delayed", groups.get(0).name());
        List<CustomCommand> commands = groups.get(0).commands(null);
        assertEquals(List.of("cancel", "reschedule", "deliver-now", "schedule", "list", "peek", "holding", "expiring",
                        "snapshots", "verify", "sweep"),
                commands.stream().map(CustomCommand::name).toList());
        for (CustomCommand command : commands) {
            assertTrue(command.description().contains("Example: pulsar-admin delayed " + command.name()));
            List<ParameterDescriptor> parameters = command.parameters();
            assertEquals(command.name().equals("sweep") ? "--dry-run" : "topic", parameters.get(0).getNames().get(0));
            // Else the tool would take the arguments in another order.
            assertTrue(parameters.stream().noneMatch(ParameterDescriptor::isRequired));
            assertTrue(parameters.stream().noneMatch(parameter -> parameter.getDescription().isBlank()));
        }
    }
}
