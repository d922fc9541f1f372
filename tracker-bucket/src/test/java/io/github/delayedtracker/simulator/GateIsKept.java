/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.simulator.Setup.Parameter;

/** Key_Shared: nothing is handed out while the replay queue is longer than a quarter of the look-ahead limit. */
final class GateIsKept extends Invariant {

    @Override
    void handedOut(World world, TrackerProbe tracker, int entry) {
        int waiting = world.dispatcher().messagesInReplay();
        require(!world.dispatcher().isKeyShared() || waiting <= world.setup().get(Parameter.LOOK_AHEAD) / 4, world,
                "entry %d was handed out while %d wait for their keys' consumers", entry, waiting);
    }
}
