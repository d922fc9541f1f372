/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

/**
 * One real broker, with its own BookKeeper and metadata store, reached over TCP on the loopback address.
 *
 * <p>Ports and data stay the same for the life of the object, so that a broker that was stopped or killed comes back where
 * its clients look for it, with what it had stored. Not thread safe: one thread starts and stops it.
 */
public interface Broker {

    /** A short name, also that of its folder. */
    String name();

    /** The settings it was made with. */
    BrokerSettings settings();

    /** Where clients connect, {@code pulsar://...}. */
    String serviceUrl();

    /** Where the admin client connects, {@code http://...}. */
    String adminUrl();

    /** Starts it, or starts it again on the same data; returns when it serves requests. */
    void start() throws Exception;

    /** Stops it in order. */
    void stop() throws Exception;

    /** Ends it at once, without any chance to write. */
    void kill() throws Exception;

    /** Whether {@link #kill} is possible. */
    default boolean killable() {
        return true;
    }

    /** Ends it for good and removes its data; the log stays. */
    void close() throws Exception;
}
