/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The server distribution in a folder of its own, without the plugin, for the commands of the pages: they install it, and a
 * broker starts with what they have left.
 */
final class InstalledPulsar {

    private final Path folder;

    private InstalledPulsar(Path folder) {
        this.folder = folder;
    }

    /** The broker of the folder, on ports of its own; the clients of the folder know them from then on. */
    private static final class Installed extends ProcessBroker {

        private final Path pulsar;

        Installed(Path pulsar) throws IOException {
            super(pulsar.getFileName().toString(), BrokerSettings.stockMemory(false, 1_000), 0, 0);
            this.pulsar = pulsar;
        }

        @Override
        ProcessBuilder command() throws IOException {
            Files.writeString(pulsar.resolve("conf/standalone.conf"), "brokerServicePort=" + brokerPort() + "\nwebServicePort="
                    + webPort() + "\nbindAddress=" + Net.LOOPBACK + "\nlisteningInterface=" + Net.loopbackInterface() + "\n",
                    StandardOpenOption.APPEND);
            Files.writeString(pulsar.resolve("conf/client.conf"), "\nbrokerServiceUrl=" + serviceUrl() + "\nwebServiceUrl="
                    + adminUrl() + "/\n", StandardOpenOption.APPEND);
            ProcessBuilder command = new ProcessBuilder(pulsar.resolve("bin/pulsar").toString(), "standalone",
                    "--advertised-address", Net.LOOPBACK, "-nss", "-nfw", "--metadata-dir", folder().metadata().toString(),
                    "--bookkeeper-dir", folder().bookkeeper().toString(), "--bookkeeper-port", Integer.toString(bookiePort()));
            command.directory(pulsar.toFile()).environment().put("PULSAR_MEM", "-Xms256m -Xmx1g -XX:MaxDirectMemorySize=1g");
            command.environment().put("JAVA_HOME", Harness.ownJavaHome().toString());
            command.environment().put("PULSAR_ROUTING_APPENDER_DEFAULT", "Console");
            return command;
        }
    }

    /** The distribution once more: jars as links to the same files, what may be changed as copies, and no plugin. */
    static InstalledPulsar unpacked(String name) throws IOException {
        Path pulsar = Files.createDirectories(Harness.target().resolve(name));
        BrokerFolder.delete(pulsar);
        Path from = DistributionBroker.home();
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path relative = from.relativize(file);
                boolean ofARun = relative.startsWith("data") || relative.startsWith("logs");
                if (!ofARun && !relative.getFileName().toString().startsWith("pulsar-delayed-tracker-")) {
                    Path to = pulsar.resolve(relative);
                    Files.createDirectories(to.getParent());
                    if (relative.startsWith("lib")) {
                        Files.createLink(to, file);
                    } else {
                        Files.copy(file, to, StandardCopyOption.COPY_ATTRIBUTES);
                    }
                }
            }
        }
        return new InstalledPulsar(pulsar);
    }

    Path folder() {
        return folder;
    }

    /** The broker as the commands have left it, not yet started. */
    ProcessBroker broker() throws IOException {
        return new Installed(folder);
    }

    /** Commands of a shell in a folder, which finds the programs of this Pulsar. */
    Process start(Path place, String commands) throws IOException {
        ProcessBuilder shell = new ProcessBuilder("sh", "-e", "-c", commands).directory(place.toFile()).redirectErrorStream(true);
        shell.environment().put("JAVA_HOME", Harness.ownJavaHome().toString());
        // A tool that ends after some seconds starts sooner so.
        shell.environment().put("PULSAR_EXTRA_OPTS", "-XX:TieredStopAtLevel=1");
        shell.environment().merge("PATH", folder.resolve("bin") + ":", (path, bin) -> bin + path);
        shell.environment().keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        return shell.start();
    }

    /** What commands print on both streams; they must end with 0. */
    String output(Path place, String commands) throws IOException, InterruptedException {
        Process shell = start(place, commands);
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (shell.waitFor() != 0) {
            throw new IOException(commands + "\n" + output);
        }
        return output;
    }
}
