/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A package of Debian's that is downloaded and unpacked, and not installed. */
public final class DebianPackage {

    private static final long DOWNLOAD_SECONDS = 120;

    private DebianPackage() {
    }

    /**
     * Unpacks a package, unless its file is there already.
     *
     * @param folder where it goes; made if it is not there
     * @param file one of its files, from the root of the system
     * @return where that file is; empty where the package cannot be had
     */
    public static Optional<Path> unpacked(String name, Path folder, String file) throws IOException, InterruptedException {
        Path wanted = folder.resolve(file);
        if (!Files.isReadable(wanted)) {
            Files.createDirectories(folder);
            String unpack = "apt-get -q download " + name + " && dpkg -x " + name + "_*.deb .";
            Process process = new ProcessBuilder("sh", "-c", unpack).directory(folder.toFile()).redirectErrorStream(true)
                    .redirectOutput(folder.resolve("download.log").toFile()).start();
            if (!process.waitFor(DOWNLOAD_SECONDS, TimeUnit.SECONDS)) {
                ProcessBroker.destroy(process);
            }
        }
        return Files.isReadable(wanted) ? Optional.of(wanted) : Optional.empty();
    }
}
