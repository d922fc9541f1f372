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
import org.junit.jupiter.api.Test;

/**
 * {@link BucketCleanUpIT} on the other broker lines: every end of a subscription and the sweeper, which finds ledgers through the
 * bookie's client and cursors' records through the broker's metadata store.
 */
@Tag(OnABroker.MATRIX_ONLY)
class BucketCleanUpLinesIT {

    @Test
    void nothingIsLeftOnPulsar42() throws Exception {
        OnAnotherLine.run("4.2", Harness.ownJavaHome(), BucketCleanUpIT.class);
    }

    @Test
    void nothingIsLeftOnPulsar50() throws Exception {
        Optional<Path> javaHome = Harness.javaHome(21);
        Assumptions.assumeTrue(javaHome.isPresent(), () -> OnABroker.skipped("Pulsar 5.0", "no JDK 21 or newer was found"));
        OnAnotherLine.run("5.0", javaHome.get(), BucketCleanUpIT.class);
    }
}
