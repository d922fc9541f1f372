/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.github.delayedtracker.it.keys.BlockedConsumer;
import io.github.delayedtracker.it.keys.SideBySide;
import io.github.delayedtracker.it.keys.SlowConsumer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Ruling 9 at the broker's default limits, beside the stock tracker at the same time: a consumer that takes its messages does not
 * wait for one that does not. {@link KeySharedLinesIT} has the long forms and other lines.
 */
class KeySharedIT {

    private static final int ROUNDS = 3;

    @Test
    @DisplayName("B1: consumers that take their messages get them no later than with the stock tracker")
    void healthyKeysDoNotWaitForOthers() throws Exception {
        try (SideBySide brokers = new SideBySide("4.0", Harness.ownJavaHome(), "timebucket", "stock-memory")) {
            boolean later = true;
            for (int round = 1; later && round <= ROUNDS; round++) {
                CompletableFuture<List<BlockedConsumer.Figures>> blocked = brokers.begin(new BlockedConsumer(8_000)::play);
                List<SlowConsumer.Figures> slow = brokers.begin(new SlowConsumer(10, 1_000, 50, 1_500)::play).get();
                System.out.print(BlockedConsumer.Figures.header());
                blocked.get().forEach(figures -> System.out.print(figures.row("4.0")));
                System.out.print(SlowConsumer.Figures.header());
                slow.forEach(figures -> System.out.print(figures.row("4.0")));
                later = blocked.get().get(0).isLaterThan(blocked.get().get(1)) || slow.get(0).isLaterThan(slow.get(1));
                assumeFalse(later && round == ROUNDS && blocked.get().get(1).tellsNothing(),
                        () -> OnABroker.skipped("Key_Shared", "this machine is too busy for the stock tracker to be in time"));
            }
            assertFalse(later, "later than with the stock tracker in each of " + ROUNDS + " rounds");
        }
    }
}
