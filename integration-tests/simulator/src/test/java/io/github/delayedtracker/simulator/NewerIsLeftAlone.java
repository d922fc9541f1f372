/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/** What a newer version of the plugin has stored stays as it is until the backlog is cleared or the subscription deleted. */
final class NewerIsLeftAlone extends Invariant {

    @Override
    boolean watchesEvents() {
        return true;
    }

    @Override
    void afterEvent(World world) {
        world.storageFate.whatIsMissing().ifPresent(missing -> require(false, world, "%s", missing));
    }
}
