/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.DebianPackage;
import io.github.delayedtracker.it.Harness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;

/**
 * The clock of one server, which can be stepped while it runs: libfaketime of Debian's package, loaded before the server's own
 * libraries, adds to the time of day whatever a file says. Time that is only measured goes on as it is.
 */
final class SteppedClock {

    /** How far it is stepped at most. */
    static final long MOST_STEP_MILLIS = 5_000;

    /** By how much it is stepped, by the target of the fault. */
    private static final long[] STEPS_MILLIS = {MOST_STEP_MILLIS, -MOST_STEP_MILLIS, 2_000};

    private final Path library;
    private final Path file;

    /** A clock that is right; its file is in a folder that is there. */
    SteppedClock(Path library, Path folder) throws IOException {
        this.library = library;
        file = folder.resolve("clock");
        set(0);
    }

    /** The library; empty where it cannot be had. Once it is unpacked, this takes no network. */
    static Optional<Path> library() throws IOException, InterruptedException {
        return DebianPackage.unpacked("libfaketime", Harness.target().resolve("faketime"),
                "usr/lib/" + triplet() + "/faketime/libfaketimeMT.so.1");
    }

    private static String triplet() {
        return System.getProperty("os.arch").equals("amd64") ? "x86_64-linux-gnu" : System.getProperty("os.arch") + "-linux-gnu";
    }

    /** With this in its environment a server has this clock. */
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // Else each wait of a JVM for a time ends at once, and all its threads spin.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0", "FAKETIME_CACHE_DURATION", "1");
    }

    /** Steps it; within a second the server has the new time. */
    void step(int target) throws IOException {
        set(STEPS_MILLIS[target % STEPS_MILLIS.length]);
    }

    /** Steps it back to the time of the machine. */
    void stepBack() throws IOException {
        set(0);
    }

    private void set(long aheadMillis) throws IOException {
        Path next = Files.writeString(file.resolveSibling("clock.next"), String.format("%+d", aheadMillis / 1_000) + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
