/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Pulsar 5.0 with the same jar, on a JDK 21 or newer where the machine has one. Without entry filters: the milestone loses
 * some of what they reschedule, with the stock tracker too (docs/limits.md).
 */
@Tag(OnABroker.MATRIX)
@ExtendWith(DamagedEntries.class)
class Pulsar50IT extends OnABroker {

    @Override
    Broker newBroker() throws Exception {
        Optional<Path> javaHome = Harness.javaHome(21);
        Assumptions.assumeTrue(javaHome.isPresent(), () -> skipped("Pulsar 5.0", "no JDK 21 or newer was found"));
        BrokerSettings settings = settings("timebucket", false, 500).with(EntryFilterArchive.ALLOWED, "false");
        return ForkedBroker.ofLine("5.0", "pulsar-5.0", settings, javaHome.get());
    }
}
