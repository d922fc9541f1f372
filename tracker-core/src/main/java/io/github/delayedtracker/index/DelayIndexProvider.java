/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.index;

/**
 * The provider of the index of one backend. It is found with {@link java.util.ServiceLoader}; a third party adds a backend by
 * shipping a class with a public no-argument constructor and naming it in {@code META-INF/services}.
 *
 * <p>One provider serves all subscriptions of a broker, from any thread.
 */
public interface DelayIndexProvider {

    /** The name that operators write in broker.conf: lower case letters and digits. */
    String backendName();

    /**
     * Whether the index wants due times rounded to the configured precision. False for a backend that keeps every
     * millisecond at no extra cost; its precision is then 1 ms.
     */
    boolean roundsTimes();

    /** A new, empty index for one subscription. */
    DelayIndex newIndex();
}
