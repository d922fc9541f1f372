/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;
import java.util.BitSet;

/**
 * A message that was cancelled, and answered so, is not sent: not by any owner of the topic until a seek or a load without its
 * journal. It has a delivery time, and no consumer has it; but for one that was sent by a read which did not ask the tracker,
 * while nothing was to be delayed.
 */
final class CancelledStays extends Invariant {

    private final BitSet sentUnseen = new BitSet();

    @Override
    void sent(World world, int entry) {
        sentUnseen.set(entry, !world.delaysMessages() && !world.setup().is(Parameter.SKIP));
        boolean asked = world.delaysMessages() && world.dispatcher().tracker() != null;
        require(!asked || !world.userAcks().cancels().isCancelled(entry), world, "entry %d was sent, and is cancelled", entry);
    }

    @Override
    void cancelled(World world, int entry) {
        require(world.topic().deliverAtMillis(entry) > 0, world, "entry %d was cancelled, and is plain", entry);
        for (ModelConsumer consumer : world.dispatcher().consumers()) {
            require(!consumer.holds(entry) || sentUnseen.get(entry), world, "entry %d was cancelled, and a consumer has it",
                    entry);
        }
    }
}
