/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;

/** A broker in a container, where a Docker Engine answers. */
@Tag(OnABroker.MATRIX)
class ContainerIT extends OnABroker {

    @Override
    Broker newBroker() throws Exception {
        Assumptions.assumeTrue(ContainerBroker.engineAnswers(), () -> skipped("container", "no Docker Engine answers"));
        return new ContainerBroker("container", settings("timebucket", false, 500));
    }
}
