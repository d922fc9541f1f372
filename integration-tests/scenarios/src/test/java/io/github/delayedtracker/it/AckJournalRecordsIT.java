/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import io.github.delayedtracker.acks.PendingRecordsTest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.bookkeeper.client.PulsarMockBookKeeper;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What is stamped while other records wait, on the cursors of the other broker lines. */
class AckJournalRecordsIT {

    private static final long MOST_SECONDS = 120;

    @Test
    void aStampThatIsSaidToBeWrittenIsInTheRecordOn42() throws Exception {
        run("4.2", Harness.ownJavaHome());
    }

    @Test
    void aStampThatIsSaidToBeWrittenIsInTheRecordOn50() throws Exception {
        Optional<Path> home = Harness.javaHome(21);
        Assumptions.assumeTrue(home.isPresent(), () -> OnABroker.skipped("AckJournalRecordsIT", "no JDK 21 or later"));
        run("5.0", home.orElseThrow());
    }

    private static void run(String line, Path javaHome) throws Exception {
        OnAnotherLine.run(line, javaHome, PendingRecordsTest.class,
                List.of(PendingRecordsTest.class, PulsarMockBookKeeper.class), List.of(), MOST_SECONDS);
    }
}
