/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Net;
import java.io.IOException;
import java.util.List;

/** All servers on the loopback address, which no link can be taken from. */
final class LoopbackNetwork implements ClusterNetwork {

    private final String interfaceName;

    LoopbackNetwork() throws IOException {
        interfaceName = Net.loopbackInterface();
    }

    @Override
    public String address(String server, Side side) {
        return Net.LOOPBACK;
    }

    @Override
    public String interfaceName(Side side) {
        return interfaceName;
    }

    @Override
    public List<String> before(String server) {
        return List.of();
    }

    @Override
    public void cut(String server, Side side) {
        throw new UnsupportedOperationException("a server on the loopback address has no link: " + server);
    }

    @Override
    public void mend(String server, Side side) {
        throw new UnsupportedOperationException("a server on the loopback address has no link: " + server);
    }
}
