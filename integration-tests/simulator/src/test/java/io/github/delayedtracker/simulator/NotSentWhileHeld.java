/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;

/** Invariant 3 as a consumer sees it: nothing is sent while a consumer has it and has not answered. */
final class NotSentWhileHeld extends Invariant {

    @Override
    void sent(World world, int entry) {
        // A read that takes what is held may have taken it just before it is handed out.
        boolean skips = world.setup().is(Parameter.SKIP);
        for (ModelConsumer consumer : world.dispatcher().consumers()) {
            require(!consumer.holds(entry) || world.isReadTwice(entry) || !skips, world,
                     "entry %d was sent and a consumer still works on it", entry);
        }
    }
}
