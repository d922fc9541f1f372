/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import org.junit.jupiter.api.Tag;

/** Pulsar 4.0: heap index, non-strict, the broker's usual tick. */
@Tag(OnABroker.MATRIX_ONLY)
class Pulsar40HeapEarlyIT extends OnABroker {

    @Override
    Broker newBroker() throws Exception {
        return ForkedBroker.of("pulsar-4.0-heap-early", settings("heap", false, 1_000));
    }
}
