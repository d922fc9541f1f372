/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Net;
import java.util.OptionalLong;

/**
 * Whether a bookie serves, as brokers see it: it takes connections, and has registered itself to be written to since it was
 * started. The registration of a former life lasts as long as its session; one that comes up meanwhile cannot register, may stay
 * as a process that only takes connections, and is not found any more when the session is over.
 */
final class BookieProbe implements ClusterProcess.Probe {

    private final String address;
    private final int port;
    private final BookieRegistrations registrations;

    BookieProbe(String address, int port, BookieRegistrations registrations) {
        this.address = address;
        this.port = port;
        this.registrations = registrations;
    }

    @Override
    public boolean answers(long startedMillis) throws Exception {
        return Net.takesConnections(address, port)
                && isOfThisLife(registrations.sinceMillis(address + ":" + port), startedMillis);
    }

    @Override
    public boolean mayStart() throws Exception {
        return registrations.sinceMillis(address + ":" + port).isEmpty();
    }

    /** Whether a registration that was made then, if at all, is of the bookie that was started then. */
    static boolean isOfThisLife(OptionalLong registeredMillis, long startedMillis) {
        return registeredMillis.isPresent() && registeredMillis.getAsLong() >= startedMillis;
    }
}
