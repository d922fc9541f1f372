/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A small disk in memory, which can be filled up and emptied again. It is seen in {@link OwnNamespaces} only. */
final class SmallDisk implements AutoCloseable {

    private static final int BLOCK_BYTES = 1 << 16;
    private static final int LAST_BYTES = 1 << 9;

    private final Path folder;
    private final Path filling;

    /** Puts a disk at a folder, which is made. */
    SmallDisk(Path folder, int megabytes) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Shell.run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", folder.toString());
        this.folder = folder;
        filling = folder.resolve("filling");
    }

    /** Takes all of it that nobody has. */
    void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(filling)) {
            fill(out, BLOCK_BYTES);
            fill(out, LAST_BYTES);
        }
    }

    private static void fill(OutputStream out, int bytes) throws IOException {
        byte[] block = new byte[bytes];
        try {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            if (!message.contains("no space left")) {
                throw e;
            }
        }
    }

    /** Gives back what {@link #fill} took. */
    void empty() throws IOException {
        Files.deleteIfExists(filling);
    }

    /** Takes the disk away with all that is on it, once nobody uses it. */
    @Override
    public void close() throws IOException, InterruptedException {
        Shell.run("umount", folder.toString());
    }
}
