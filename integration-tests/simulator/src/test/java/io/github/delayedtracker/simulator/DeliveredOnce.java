/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;

/**
 * Exactly once: what a consumer has acknowledged is not sent again, unless the cursor went back over it, by a seek or because a
 * crash came before the acknowledgement was durable.
 */
final class DeliveredOnce extends Invariant {

    @Override
    void sent(World world, int entry) {
        // Without skipped reads a position may be handed out while a read has it; the broker sends both then.
        boolean skips = world.setup().is(Parameter.SKIP);
        require(!world.isDone(entry) || !skips, world, "entry %d was sent and a consumer has acknowledged it", entry);
    }
}
