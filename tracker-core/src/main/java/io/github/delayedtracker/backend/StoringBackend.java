/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.backend;

import io.github.delayedtracker.index.DelayIndexProvider;

/**
 * A backend that keeps part of its index outside memory. It is found like every {@link DelayIndexProvider}. The in-memory index
 * that it provides in that role serves cursors that are not durable, and stands in for an index that was closed.
 */
public interface StoringBackend extends DelayIndexProvider {

    /** Begins to serve a broker. Called once, when the broker starts; does no I/O. */
    BrokerStore start(BackendServices services);
}
