/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.delayedtracker.it.keys.BlockedConsumer;
import io.github.delayedtracker.it.keys.SideBySide;
import io.github.delayedtracker.it.keys.SlowConsumer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Ruling 9 at the broker's default limits on each line, with an index in memory and one that is stored, beside the stock tracker
 * of that kind at the same time. The tables are {@code target/key-shared-*.md}.
 */
@Tag(OnABroker.MATRIX_ONLY)
class KeySharedLinesIT {

    private static final int ROUNDS = 3;
    private static final int JDK_OF_5_0 = 21;

    @ParameterizedTest(name = "{0}: {1} and {2}")
    @CsvSource({"4.0, timebucket, stock-memory", "4.0, bucket, stock-bucket", "4.2, timebucket, stock-memory",
            "4.2, bucket, stock-bucket", "5.0, timebucket, stock-memory", "5.0, bucket, stock-bucket"})
    @DisplayName("B1: on each line consumers that take their messages get them no later than with the stock tracker")
    void healthyKeysDoNotWaitForOthers(String line, String tracker, String stock) throws Exception {
        Optional<Path> javaHome = line.equals("5.0") ? Harness.javaHome(JDK_OF_5_0) : Optional.of(Harness.ownJavaHome());
        Assumptions.assumeTrue(javaHome.isPresent(),
                () -> OnABroker.skipped("Pulsar 5.0", "no JDK " + JDK_OF_5_0 + " or newer was found"));
        try (SideBySide brokers = new SideBySide(line, javaHome.get(), tracker, stock)) {
            StringBuilder table = new StringBuilder();
            boolean blockedLater = true;
            for (int round = 1; blockedLater && round <= ROUNDS; round++) {
                List<BlockedConsumer.Figures> blocked = brokers.begin(new BlockedConsumer(8_000)::play).get();
                blockedLater = blocked.get(0).isLaterThan(blocked.get(1));
                table.append(BlockedConsumer.Figures.header())
                        .append(blocked.stream().map(figures -> figures.row(line)).collect(Collectors.joining())).append('\n');
            }
            boolean slowLater = true;
            for (int round = 1; slowLater && round <= ROUNDS; round++) {
                List<SlowConsumer.Figures> slow = brokers.begin(new SlowConsumer(70, 230, 12, 5_000)::play).get();
                slowLater = slow.get(0).isLaterThan(slow.get(1));
                table.append(SlowConsumer.Figures.header())
                        .append(slow.stream().map(figures -> figures.row(line)).collect(Collectors.joining())).append('\n');
            }
            System.out.print(table);
            Files.writeString(Harness.target().resolve("key-shared-" + line + "-" + tracker + ".md"), table);
            assertFalse(blockedLater || slowLater,
                    "later than with the stock tracker in each of " + ROUNDS + " rounds:\n" + table);
        }
    }
}
