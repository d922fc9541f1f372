/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import org.junit.jupiter.api.Tag;

/** Pulsar 4.2 with the same jar. */
@Tag(OnABroker.MATRIX)
class Pulsar42IT extends OnABroker {

    @Override
    Broker newBroker() throws Exception {
        return ForkedBroker.ofLine("4.2", "pulsar-4.2", settings("timebucket", true, 200), Harness.ownJavaHome());
    }
}
