/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Each server in a network namespace of its own, with a link to each of its sides: a pair of virtual interfaces, one end with the
 * server, the other at a bridge. The bridges are where this program is, so that it is a client of both sides.
 *
 * <p>It is made in {@link OwnNamespaces} and goes with the last process there: nothing of it is seen or left elsewhere.
 */
final class NamespaceNetwork implements ClusterNetwork {

    private static final String MASK = "/24";
    private static final int OWN_NUMBER = 254;

    private final List<String> servers;

    /**
     * Makes the network.
     *
     * @param servers the names of those that are linked to the store only
     * @param brokers the names of those that are linked to both sides
     */
    NamespaceNetwork(List<String> servers, List<String> brokers) throws IOException, InterruptedException {
        this.servers = Stream.concat(servers.stream(), brokers.stream()).toList();
        // The names of namespaces are files: here they are seen by nobody else.
        Shell.run("mount", "-t", "tmpfs", "tmpfs", "/run");
        Shell.run("ip", "link", "set", "lo", "up");
        for (Side side : Side.values()) {
            Shell.run("ip", "link", "add", "name", interfaceName(side), "type", "bridge");
            Shell.run("ip", "address", "add", address(side, OWN_NUMBER) + MASK, "dev", interfaceName(side));
            Shell.run("ip", "link", "set", interfaceName(side), "up");
        }
        for (String server : this.servers) {
            Shell.run("ip", "netns", "add", server);
            Shell.run("ip", "-n", server, "link", "set", "lo", "up");
            link(server, Side.STORE);
        }
        for (String broker : brokers) {
            link(broker, Side.FRONT);
        }
    }

    private void link(String server, Side side) throws IOException, InterruptedException {
        String end = end(server, side);
        Shell.run("ip", "link", "add", "name", end, "type", "veth", "peer", "name", interfaceName(side), "netns", server);
        Shell.run("ip", "link", "set", end, "master", interfaceName(side));
        Shell.run("ip", "link", "set", end, "up");
        Shell.run("ip", "-n", server, "address", "add", address(server, side) + MASK, "dev", interfaceName(side));
        Shell.run("ip", "-n", server, "link", "set", interfaceName(side), "up");
    }

    /** The bridge's end of a link. */
    private static String end(String server, Side side) {
        return server + (side == Side.STORE ? "-s" : "-f");
    }

    private static String address(Side side, int number) {
        return (side == Side.STORE ? "10.77.1." : "10.77.2.") + number;
    }

    @Override
    public String address(String server, Side side) {
        int index = servers.indexOf(server);
        if (index < 0) {
            throw new IllegalArgumentException("no server of this network: " + server);
        }
        return address(side, 1 + index);
    }

    @Override
    public String interfaceName(Side side) {
        return side.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<String> before(String server) {
        return List.of("nsenter", "--net=/run/netns/" + server);
    }

    @Override
    public void cut(String server, Side side) throws IOException, InterruptedException {
        Shell.run("ip", "link", "set", end(server, side), "down");
    }

    @Override
    public void mend(String server, Side side) throws IOException, InterruptedException {
        Shell.run("ip", "link", "set", end(server, side), "up");
    }
}
