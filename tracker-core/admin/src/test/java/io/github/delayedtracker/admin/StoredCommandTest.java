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

/** The tool lists what is stored, and fails where a schedule is not what it has to be. */
class StoredCommandTest extends AgainstRig {

    private static String verified(String missing, String onlyInRecord, String next) {
        return verified(missing, 0, onlyInRecord, next);
    }

    private static String verified(String missing, int elsewhere, String onlyInRecord, String next) {
        return "{\"topic\":\"t\",\"subscriptions\":[{\"subscription\":\"s\",\"scheduled\":100,\"acknowledged\":1,\"sampled\":50,"
                + "\"delayed\":40,\"missing\":[" + missing + "],\"elsewhere\":" + elsewhere + ",\"onlyInRecord\":[" + onlyInRecord
                + "],\"onlyInIndex\":[],\"next\":" + next + "}]}";
    }

    @Test
    void snapshotsAreListedByLines() throws Exception {
        rig.answer(200, "{\"topic\":\"t\",\"subscriptions\":[{\"subscription\":\"s\",\"snapshots\":[{\"ledgerId\":5,"
                + "\"state\":\"sealed\",\"positions\":9,\"bytes\":900,\"segments\":3,\"asleep\":2,"
                + "\"firstDueMillis\":1700000000000,\"lastDueMillis\":1700000001000},{\"ledgerId\":null,\"state\":\"sealing\","
                + "\"positions\":1,\"bytes\":0,\"segments\":0,\"asleep\":0,\"firstDueMillis\":null,\"lastDueMillis\":null}]}]}");
        assertEquals(List.of("s\t5\tsealed\t9\t900\t2 of 3\t2023-11-14T22:13:20Z\t2023-11-14T22:13:21Z",
                "s\tnull\tsealing\t1\t0\t0 of 0\tnone\tnone"), rig.run("snapshots", Map.of("topic", "orders")).lines().toList());
    }

    @Test
    void pagesOfAVerificationAreAddedUp() throws Exception {
        rig.answer(200, verified("", "", "\"7:-1:-1@5\"")).answer(200, verified("", "", "null"));
        assertEquals(List.of("s\tscheduled\t200", "s\tacknowledged, and still in the schedule\t2",
                "s\tentries of the topic sampled\t50", "s\tof these to be scheduled\t40",
                "s\twait for a consumer, or are with one\t0"),
                rig.run("verify", Map.of("topic", "orders", "--subscription", "s")).lines().toList());
        assertEquals(2, rig.seen.size());
    }

    @Test
    void aDifferenceIsToldAndFails() {
        rig.answer(200, verified("\"1:2\",\"1:3\"", "77", "null"));
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        CommandFailed failed = assertThrows(CommandFailed.class, () -> AdminRig.run(
                AdminRig.client("http://" + rig.authority()), "verify", Map.of("topic", "orders"), printed));
        assertEquals("messages that are not in the schedule: 1:2, 1:3; ledgers that only the record names: 77",
                failed.getMessage());
        assertEquals(5, printed.toString(StandardCharsets.UTF_8).lines().count());
    }

    @Test
    void whatIsMissingMayBeWithAConsumer() throws Exception {
        rig.answer(200, verified("\"1:2\"", 3, "", "null"));
        List<String> lines = rig.run("verify", Map.of("topic", "orders")).lines().toList();
        assertEquals("s\twait for a consumer, or are with one\t3", lines.get(4));
        assertEquals("s\tnot in the schedule, perhaps with these\t1:2", lines.get(5));
    }
}
