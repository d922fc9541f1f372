/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.util.List;

/** Where the servers of a cluster are reached, and by which of their links. Thread safe. */
interface ClusterNetwork {

    /** The two networks that a server may be linked to. */
    enum Side {
        /** ZooKeeper, bookies and brokers. */
        STORE,
        /** Brokers and clients. */
        FRONT
    }

    /** The address at which a server is reached. */
    String address(String server, Side side);

    /** The network interface that has this address, as the server sees it. */
    String interfaceName(Side side);

    /** The words that go before the command of a server: it is started where its addresses are. */
    List<String> before(String server);

    /**
     * Takes a link of a server down: what is sent is not answered, and no connection is closed.
     *
     * @throws UnsupportedOperationException if this network has no links
     */
    void cut(String server, Side side) throws IOException, InterruptedException;

    /** Takes a link up again. */
    void mend(String server, Side side) throws IOException, InterruptedException;
}
