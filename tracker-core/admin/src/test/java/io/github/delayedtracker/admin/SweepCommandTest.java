/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tool tells which ledgers nothing names, page by page. */
class SweepCommandTest extends AgainstRig {

    private static String page(int ledgerId, String unknown, String next) {
        return "{\"lookedAt\":1000,\"own\":9,\"young\":2,\"minAgeMillis\":86400000,\"withoutId\":3,\"ofAnotherId\":4,"
                + "\"unknown\":1,\"firstUnknown\":" + unknown + ",\"orphans\":[{\"ledgerId\":" + ledgerId
                + ",\"topic\":\"public/default/persistent/t\",\"subscription\":\"s\",\"createdMillis\":1700000000000}],"
                + "\"next\":" + next + "}";
    }

    @Test
    void orphansArePrintedAndPagesAddedUp() throws Exception {
        rig.answer(200, page(5, "null", "1700")).answer(200, page(6, "\"it hangs\"", "null"));
        assertEquals(List.of("5\tpublic/default/persistent/t\ts\t2023-11-14T22:13:20Z",
                "6\tpublic/default/persistent/t\ts\t2023-11-14T22:13:20Z", "ledgers looked at\t2000",
                "of the plugin in this cluster\t18", "of these younger than 1440 min\t4",
                "old, and named by no subscription\t2", "without an id of a cluster, left alone\t6",
                "of a cluster of the same name, left alone\t8", "could not be judged, left alone\t2: it hangs"),
                rig.run("sweep", Map.of("--dry-run", true)).lines().toList());
        assertEquals(List.of("/admin/delayed/v1/sweep", "/admin/delayed/v1/sweep?after=1700"),
                uris());
    }

    @Test
    void eachPageIsPrintedAsItIsIfThatIsAskedFor() throws Exception {
        rig.answer(200, page(5, "null", "1700")).answer(200, page(6, "null", "null"));
        assertEquals(List.of(page(5, "null", "1700"), page(6, "null", "null")),
                rig.run("sweep", Map.of("--dry-run", true, "--json", true)).lines().toList());
    }

    @Test
    void withoutTheWordForADryRunNothingIsAsked() {
        assertThrows(CommandFailed.class, () -> rig.run("sweep", Map.of()));
        assertEquals(List.of(), rig.seen);
    }
}
