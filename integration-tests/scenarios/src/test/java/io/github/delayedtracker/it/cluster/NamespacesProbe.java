/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.cluster.ClusterNetwork.Side;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program in namespaces of its own that tries one thing they are for; it ends with 1 if that does not work. */
final class NamespacesProbe {

    private static final String SERVER = "server";
    private static final String BROKER = "broker";
    private static final long UP_MILLIS = 60_000;

    private NamespacesProbe() {
    }

    /**
     * Tries one thing.
     *
     * @param arguments {@code cut}, or {@code fill} and a folder
     */
    public static void main(String[] arguments) throws Exception {
        boolean works = arguments[0].equals("cut") ? cut() : fill(Path.of(arguments[1]));
        System.exit(works ? 0 : 1);
    }

    /** Whether a link that is down lets nothing through, the other links do, and it does again when it is up. */
    private static boolean cut() throws Exception {
        NamespaceNetwork network = new NamespaceNetwork(List.of(SERVER), List.of(BROKER));
        try (ServerSocket here = new ServerSocket(0)) {
            int port = here.getLocalPort();
            boolean before = comesToReach(network, SERVER, Side.STORE, port) && comesToReach(network, BROKER, Side.STORE, port)
                    && comesToReach(network, BROKER, Side.FRONT, port) && !reaches(network, SERVER, Side.FRONT, port);
            network.cut(BROKER, Side.STORE);
            boolean during = !reaches(network, BROKER, Side.STORE, port) && reaches(network, BROKER, Side.FRONT, port)
                    && reaches(network, SERVER, Side.STORE, port);
            network.mend(BROKER, Side.STORE);
            boolean after = comesToReach(network, BROKER, Side.STORE, port);
            System.out.println("reached before " + before + ", while it is cut " + during + ", after " + after);
            return before && during && after;
        }
    }

    /** A link that is taken up lets things through a while after that, on a busy machine some seconds. */
    private static boolean comesToReach(NamespaceNetwork network, String server, Side side, int port) throws Exception {
        return Await.within(UP_MILLIS, () -> reaches(network, server, side, port));
    }

    private static boolean reaches(NamespaceNetwork network, String server, Side side, int port) throws Exception {
        String here = InetAddress.getByName(network.address(SERVER, side)).getHostAddress().replaceAll("[0-9]+$", "254");
        List<String> command = new ArrayList<>(network.before(server));
        command.addAll(List.of("timeout", "2", "bash", "-c", "exec 3<>/dev/tcp/" + here + "/" + port));
        try {
            Shell.run(command.toArray(String[]::new));
            return true;
        } catch (IOException notReached) {
            return false;
        }
    }

    /** Whether a disk that is full takes no byte, and takes some when it is emptied. */
    private static boolean fill(Path folder) throws Exception {
        try (SmallDisk disk = new SmallDisk(folder, 1)) {
            boolean before = takes(folder.resolve("before"));
            disk.fill();
            boolean during = takes(folder.resolve("during"));
            disk.empty();
            boolean after = takes(folder.resolve("after"));
            System.out.println("took bytes before " + before + ", while it is full " + during + ", after " + after);
            return before && !during && after;
        } finally {
            // Throws if the disk is still there.
            Files.delete(folder);
        }
    }

    private static boolean takes(Path file) {
        try {
            Files.write(file, new byte[1 << 12]);
            return true;
        } catch (IOException full) {
            return false;
        }
    }
}
