/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tool adds up the pages of the broker, and tells how long scheduled messages alone keep ledgers. */
class LedgersCommandTest extends AgainstRig {

    private static final long NOW = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000;

    private static String ledger(long id, long bytes, String messages, long scheduled, long lastDueMillis, long expiring) {
        return "{\"ledgerId\":" + id + ",\"bytes\":" + bytes + ",\"closedMillis\":null,\"messages\":" + messages
                + ",\"scheduled\":" + scheduled + ",\"lastDueMillis\":" + (lastDueMillis == 0 ? "null" : lastDueMillis)
                + ",\"expiring\":" + expiring + "}";
    }

    private static String page(String next, String... ledgers) {
        return "{\"topic\":\"t\",\"nowMillis\":" + NOW + ",\"subscriptions\":[{\"subscription\":\"s\",\"timeToLiveSeconds\":60,"
                + "\"ledgers\":[" + String.join(",", ledgers) + "],\"next\":" + next + "}]}";
    }

    @Test
    void aLedgerIsKeptAsLongAsAnythingWaitsInItOrInOneBefore() throws Exception {
        rig.answer(200, page("\"5:-1:-1@77\"", ledger(1, 100, "3", 2, NOW + HOUR / 2, 0), ledger(2, 50, "1", 1, NOW + 60_000, 0),
                        ledger(3, 30, "7", 6, NOW + HOUR, 0)))
                .answer(200, page("null", ledger(1, 100, "3", 1, NOW + 2 * HOUR, 0), ledger(3, 30, "7", 0, 0, 0)));
        assertEquals(List.of("s\t1\t100\t3\t3\t2023-11-15T00:13:20Z", "s\t2\t50\t1\t1\t2023-11-14T22:14:20Z",
                "s\t3\t30\t7\t6\t2023-11-14T23:13:20Z",
                "s\tkept by scheduled messages of this subscription only\t2 ledgers\t150 bytes",
                "s\tof these still kept in 1h\t2 ledgers\t150 bytes", "s\tof these still kept in 6h\t0 ledgers\t0 bytes",
                "s\tof these still kept in 1d\t0 ledgers\t0 bytes", "s\tof these still kept in 7d\t0 ledgers\t0 bytes",
                "s\tof these still kept in 30d\t0 ledgers\t0 bytes"),
                rig.run("holding", Map.of("topic", "orders", "--subscription", "s")).lines().toList());
        assertEquals(List.of(ORDERS + "holding?subscription=s", ORDERS + "holding?subscription=s&after=5%3A-1%3A-1%4077"),
                uris());
    }

    @Test
    void whereTheBrokerDoesNotTellWhatWaitsALineSaysSo() throws Exception {
        rig.answer(200, page("null", ledger(1, 100, "null", 2, NOW + HOUR, 0)));
        List<String> lines = rig.run("holding", Map.of("topic", "orders", "--subscription", "s")).lines().toList();
        assertEquals("s\t1\t100\tunknown\t2\t2023-11-14T23:13:20Z", lines.get(0));
        assertEquals("s\tthe broker does not tell what is acknowledged: ledgers may be kept by other messages too", lines.get(1));
        assertEquals("s\tkept by scheduled messages of this subscription only\t0 ledgers\t0 bytes", lines.get(2));
    }

    @Test
    void aLedgerThatIsAllAcknowledgedIsKeptByTheOneBefore() throws Exception {
        rig.answer(200, page("null", ledger(1, 100, "1", 1, NOW + 2 * HOUR, 0), ledger(2, 50, "0", 0, 0, 0)));
        List<String> lines = rig.run("holding", Map.of("topic", "orders", "--subscription", "s")).lines().toList();
        assertEquals("s\tkept by scheduled messages of this subscription only\t2 ledgers\t150 bytes", lines.get(2));
        assertEquals("s\tof these still kept in 1h\t2 ledgers\t150 bytes", lines.get(3));
    }

    @Test
    void whatExpiresIsAddedUp() throws Exception {
        rig.answer(200, page("\"5:-1:-1@77\"", ledger(1, 100, "null", 2, NOW, 2)))
                .answer(200, page("null", ledger(1, 100, "null", 1, NOW, 1), ledger(2, 100, "null", 1, NOW, 4)));
        assertEquals(List.of("s\t1\t3", "s\t2\t4", "s\ttime to live\t60 s", "s\texpiring\t7"),
                rig.run("expiring", Map.of("topic", "orders")).lines().toList());
    }
}
