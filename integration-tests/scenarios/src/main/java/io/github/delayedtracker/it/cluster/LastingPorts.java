/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;

/**
 * Ports for servers that are away for a while and come back: below those that a system gives to outgoing connections, one of
 * which would take the place of a server that is away.
 */
final class LastingPorts {

    private static final int LEAST = 12_000;
    private static final int END = 32_000;
    private static final int MOST_TRIES = 1_000;

    private LastingPorts() {
    }

    /** That many different ports, free at the time of asking. */
    static int[] free(int count) throws IOException {
        Random random = new Random();
        Set<Integer> ports = new LinkedHashSet<>();
        for (int tries = 0; ports.size() < count; tries++) {
            int port = random.nextInt(LEAST, END);
            if (isFree(port)) {
                ports.add(port);
            } else if (tries > MOST_TRIES) {
                throw new IOException("no " + count + " free ports between " + LEAST + " and " + END);
            }
        }
        return ports.stream().mapToInt(Integer::intValue).toArray();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
