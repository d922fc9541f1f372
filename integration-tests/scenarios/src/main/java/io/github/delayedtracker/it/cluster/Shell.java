/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Commands of the system that end by themselves. */
final class Shell {

    private Shell() {
    }

    /**
     * Runs a command to its end.
     *
     * @throws IOException if there is no such command, or it ends with another code than 0: with what it has printed
     */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " has ended with " + code + ": " + printed.strip());
        }
    }
}
