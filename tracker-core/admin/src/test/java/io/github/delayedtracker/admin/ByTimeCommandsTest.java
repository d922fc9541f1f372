/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tool lists messages, and changes those of a time page by page. */
class ByTimeCommandsTest extends AgainstRig {

    private static String page(String counts, String next) {
        return "{\"topic\":\"t\",\"nowMillis\":77,\"subscriptions\":[{\"subscription\":\"s\",\"counts\":{" + counts
                + "},\"answers\":[],\"next\":"
                + (next == null ? "null" : '"' + next + '"') + "}]}";
    }

    @Test
    void aListIsPrintedByLines() throws Exception {
        rig.answer(200, "{\"topic\":\"t\",\"subscriptions\":[{\"subscription\":\"s\",\"precisionMillis\":512,\"messages\":["
                + "{\"id\":\"1:1\",\"dueMillis\":null,\"moved\":false},"
                + "{\"id\":\"1:2\",\"dueMillis\":1700000000000,\"moved\":true}],\"next\":\"1700000000000:1:2\"}]}");
        assertEquals(List.of("s\t1:1\toverdue", "s\t1:2\t2023-11-14T22:13:20Z\tmoved", "s\tnext\t1700000000000:1:2"),
                rig.run("list", Map.of("topic", "orders", "--subscription", "s", "--from", "1h", "--to", "6h", "--limit", "2",
                        "--after", "5:1:0")).lines().toList());
        assertEquals(List.of(ORDERS + "list?subscription=s&from=1h&to=6h&limit=2&after=5%3A1%3A0"), uris());
        rig.run("list", Map.of("topic", "orders", "--json", true));
        assertEquals(ORDERS + "list", uris().get(1));
    }

    @Test
    void aPeekIsPrintedByLines() throws Exception {
        rig.answer(200, "{\"topic\":\"t\",\"subscriptions\":[{\"subscription\":\"s\",\"messages\":["
                + "{\"id\":\"1:1\",\"dueMillis\":null,\"moved\":false,"
                + "\"content\":{\"publishMillis\":1700000000000,\"key\":\"k\\tk\","
                + "\"bytes\":70,\"properties\":{\"a\":\"1\",\"b\":\"x\\ny\"}}},"
                + "{\"id\":\"1:2\",\"dueMillis\":1700000000000,\"moved\":true,\"content\":null}],\"next\":null}]}");
        assertEquals(List.of("s\t1:1\toverdue\t2023-11-14T22:13:20Z\tk?k\t70\ta=1,b=x?y",
                "s\t1:2\t2023-11-14T22:13:20Z\tnot read"),
                rig.run("peek", Map.of("topic", "orders", "--subscription", "s")).lines().toList());
        assertEquals(List.of(ORDERS + "peek?subscription=s"), uris());
    }

    @Test
    void aTimeIsCancelledPageByPageUntilAPassFindsNothing() throws Exception {
        rig.answer(200, page("\"cancelled\":10000", "5:1:2@77")).answer(200, page("\"cancelled\":7,\"outcome unknown\":1", null))
                .answer(200, page("\"cancelled\":3", null)).answer(200, page("", null));
        assertEquals(List.of("s\tcancelled\t10010", "s\toutcome unknown\t1"), rig.run("cancel", Map.of("topic", "orders",
                "--subscription", "s", "--due-before", "6h", "--due-after", "1h", "--yes", true)).lines().toList());
        String path = ORDERS + "cancel?subscription=s&dueAfter=1h&dueBefore=6h&yes=true";
        assertEquals(List.of(path, path + "&after=5%3A1%3A2%4077", path + "&after=%4077", path + "&after=%4077"), uris());
        assertEquals("", rig.seen.get(0).body());
    }

    @Test
    void aCancelThatDoesNotComeToAnEndSaysSo() {
        rig.answer(200, page("\"cancelled\":3", null));
        CommandFailed failed = assertThrows(CommandFailed.class, () -> rig.run("cancel",
                Map.of("topic", "orders", "--subscription", "s", "--all", true, "--yes", true)));
        assertEquals("something was found in each of 10 passes: ask again for the rest", failed.getMessage());
        assertEquals(10, rig.seen.size());
    }

    @Test
    void aDryRunAndAMoveAreOnePass() throws Exception {
        rig.answer(200, page("\"scheduled\":120", "5:1:2")).answer(200, page("\"scheduled\":3", null))
                .answer(200, page("\"moved\":4", null));
        assertEquals(List.of("s\tscheduled\t123"),
                rig.run("cancel", Map.of("topic", "orders", "--all", true, "--dry-run", true)).lines().toList());
        assertEquals(List.of("s\tmoved\t4"),
                rig.run("reschedule", Map.of("topic", "orders", "--all", true, "--due", "1d")).lines().toList());
        assertEquals(ORDERS + "reschedule?due=1d&all=true", uris().get(2));
    }

    @Test
    void whatWasDoneIsToldWhereALaterPageFails() throws Exception {
        rig.answer(200, page("\"cancelled\":10000", "5:1:2@77")).answer(429, "{\"reason\":\"at most 50\"}");
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        assertThrows(CommandFailed.class, () -> AdminRig.run(AdminRig.client("http://" + rig.authority()), "cancel",
                Map.of("topic", "orders", "--subscription", "s", "--all", true, "--yes", true), printed));
        assertEquals(List.of("s\tcancelled\t10000"), printed.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aServletThatSendsBackToTheSamePlaceEndsTheCommand() throws Exception {
        rig.answer(200, page("\"cancelled\":1", "5:1:2@77"));
        for (String command : List.of("cancel", "holding", "verify")) {
            CommandFailed failed = assertThrows(CommandFailed.class, () -> rig.run(command,
                    Map.of("topic", "orders", "--subscription", "s", "--all", true, "--yes", true)));
            assertEquals("the broker answered 5:1:2@77 as the place to go on behind the same place", failed.getMessage());
        }
    }

    @Test
    void whereNothingIsDueALineSaysSo() throws Exception {
        rig.answer(200, page("", null));
        assertEquals(List.of("s\tnothing is due in this time\t0"),
                rig.run("deliver-now", Map.of("topic", "orders", "--due-before", "1h")).lines().toList());
    }

    @Test
    void idsAndATimeTogetherAreRefused() {
        CommandFailed failed = assertThrows(CommandFailed.class,
                () -> rig.run("cancel", Map.of("topic", "orders", "ids", "1:1", "--all", true)));
        assertEquals("messages are named by ids or by a time, not by both", failed.getMessage());
        assertEquals(List.of(), rig.seen);
    }
}
