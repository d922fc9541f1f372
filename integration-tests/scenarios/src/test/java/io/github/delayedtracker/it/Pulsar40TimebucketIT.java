/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

/** Pulsar 4.0 inside the test JVM: time-bucket index, non-strict, tick of half a second. */
class Pulsar40TimebucketIT extends OnABroker {

    @Override
    Broker newBroker() throws Exception {
        return new InProcessBroker("pulsar-4.0-timebucket", settings("timebucket", false, 500));
    }
}
