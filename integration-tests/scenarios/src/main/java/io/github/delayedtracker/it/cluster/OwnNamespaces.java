/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A network and a mount namespace for this program and all that it starts: there it may cut networks and fill disks, and all of
 * that is gone with the last process. They are made by starting the program once more within them, which takes root.
 */
final class OwnNamespaces {

    private static final String INSIDE = "fire.inside";
    private static final List<String> UNSHARE = List.of("unshare", "--mount", "--net");

    private OwnNamespaces() {
    }

    /** Whether this program is within them. */
    static boolean areHere() {
        return Boolean.getBoolean(INSIDE);
    }

    /** Whether this machine lets this user make them, and has the commands that a network is made with; says why not. */
    static boolean arePossible() throws InterruptedException {
        try {
            List<String> attempt = new ArrayList<>(UNSHARE);
            attempt.addAll(List.of("sh", "-c", "mount -t tmpfs tmpfs /run && ip netns add a && nsenter --net=/run/netns/a true"
                    + " && ip link add name b type bridge && ip link add name c type veth peer name d netns a"));
            Shell.run(attempt.toArray(String[]::new));
            return true;
        } catch (IOException e) {
            System.out.println("no network is cut and no disk is full in this run, as this machine does not let it: "
                    + e.getMessage());
            return false;
        }
    }

    /** Starts this program within them, and waits for its end: the code it ends with. */
    static int run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(UNSHARE);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-D" + INSIDE + "=true");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(program.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).inheritIO().start();
        Children.endWithThisJvm(process);
        return process.waitFor();
    }
}
