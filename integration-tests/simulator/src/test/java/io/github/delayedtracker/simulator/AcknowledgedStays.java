/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/**
 * Invariant 9: an acknowledgement that was kept is not forgotten by a kill or an unload. What the broker sends without asking the
 * tracker does not count.
 */
final class AcknowledgedStays extends Invariant {

    @Override
    void sent(World world, int entry) {
        boolean asked = world.delaysMessages() && world.dispatcher().tracker() != null;
        require(!asked || !world.userAcks().isKept(entry), world, "entry %d was sent, and its acknowledgement was kept", entry);
    }
}
