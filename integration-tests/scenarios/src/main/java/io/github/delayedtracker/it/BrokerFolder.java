/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The folder of one broker, {@code target/brokers/<name>}: configuration, data and log. Emptied when it is made. */
final class BrokerFolder {

    private static final int TAIL_LINES = 40;

    private final Path folder;

    BrokerFolder(String name) throws IOException {
        folder = Harness.target().resolve("brokers").resolve(name);
        delete(folder);
        Files.createDirectories(folder);
    }

    Path conf() {
        return folder.resolve("standalone.conf");
    }

    Path metadata() {
        return folder.resolve("metadata");
    }

    Path bookkeeper() {
        return folder.resolve("bookkeeper");
    }

    /** Where RocksDB unpacks its library, 15 MB that a killed broker leaves behind. */
    Path libraries() throws IOException {
        return Files.createDirectories(folder.resolve("libraries"));
    }

    Path log() {
        return folder.resolve("broker.log");
    }

    Path resolve(String name) {
        return folder.resolve(name);
    }

    /** All lines of a broker on the loopback address, with the entry filter at hand where a namespace may name it. */
    Map<String, String> lines(BrokerSettings settings, int brokerPort, int webPort) throws IOException {
        Map<String, String> all = new LinkedHashMap<>(settings.toLines(Net.LOOPBACK, brokerPort, webPort));
        // The bookie in the broker listens on every address unless told an interface.
        all.put("listeningInterface", Net.loopbackInterface());
        if (settings.allows(EntryFilterArchive.ALLOWED)) {
            all.put(EntryFilterArchive.DIRECTORY, EntryFilterArchive.write(folder.resolve("filters")).getParent().toString());
            all.put("narExtractionDirectory", Files.createDirectories(folder.resolve("filters-unpacked")).toString());
        }
        return all;
    }

    void writeConf(Map<String, String> lines) throws IOException {
        Files.write(conf(), lines.entrySet().stream().map(line -> line.getKey() + "=" + line.getValue()).toList());
    }

    /** The last lines of the log, for a message. */
    String logTail() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }

    /** Removes the data, keeps configuration and log. */
    void deleteData() {
        delete(metadata());
        delete(bookkeeper());
    }

    /** Removes a folder with all in it, if it is there. */
    static void delete(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.deleteIfExists(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                    Files.deleteIfExists(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot empty " + root, e);
        }
    }
}
