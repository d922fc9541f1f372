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
import java.util.ArrayList;
import java.util.List;

/** The command of a server of a broker line in a JVM of its own, from a Maven class path. */
final class ServerCommand {

    /** A small server: it starts soon, and leaves the processors to others. */
    static final List<String> SMALL_MACHINE = List.of("-Xmx1g", "-Xms256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final String LOG_SETTINGS = """
            <Configuration status="WARN">
              <Appenders>
                <Console name="out"><PatternLayout pattern="%d{HH:mm:ss.SSS} [%t] %-5level %logger{1} - %msg %X%n"/></Console>
              </Appenders>
              <Loggers><Root level="INFO"><AppenderRef ref="out"/></Root></Loggers>
            </Configuration>
            """;

    private ServerCommand() {
    }

    /**
     * The words of the command, to which the options of the server are added.
     *
     * @param machine the options of the JVM that size it
     * @param folder gets the settings of its log, which is its output
     */
    static List<String> of(Path javaHome, List<String> machine, BrokerFolder folder, String classPath, String mainClass)
            throws IOException {
        Path logSettings = Files.writeString(folder.resolve("log4j2.xml"), LOG_SETTINGS);
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.addAll(machine);
        command.add("-XX:MaxDirectMemorySize=1g");
        command.addAll(Harness.openOptions());
        command.addAll(List.of("-Djava.net.preferIPv4Stack=true", "-Dlog4j2.is.webapp=false",
                "-Dlog4j.shutdownHookEnabled=false", "-Dlog4j.configurationFile=" + logSettings,
                "-Dbookkeeper.metadata.bookie.drivers=org.apache.pulsar.metadata.bookkeeper.PulsarMetadataBookieDriver",
                "-Dbookkeeper.metadata.client.drivers=org.apache.pulsar.metadata.bookkeeper.PulsarMetadataClientDriver",
                "-cp", classPath, mainClass));
        return command;
    }
}
