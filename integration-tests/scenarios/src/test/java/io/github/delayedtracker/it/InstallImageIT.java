/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * The image of docs/install/Dockerfile, built, and run with the settings of docs/install/values.yaml. Helm's chart gives
 * {@code broker.configData} to the container as its environment, and the container puts it into {@code broker.conf}: a key that
 * the file has, and one behind {@code PULSAR_PREFIX_}. That is done here by the test.
 */
class InstallImageIT {

    private static final Path DOCS = Harness.module().resolve("../../docs/install").normalize();
    private static final String PREFIX = "PULSAR_PREFIX_";
    private static final String IMAGE = "delayedtracker/install-test:0.1.0";
    private static final int WEB_PORT = 8080;
    private static final String TOPIC = "persistent://public/default/installed";

    private static String output = "";

    @TempDir
    private Path folder;

    private static int docker(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // The builder that every engine has; it warns that it is the old one.
        builder.environment().put("DOCKER_BUILDKIT", "0");
        Process process = builder.start();
        output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    private void buildTheImage() throws Exception {
        Files.copy(Harness.pluginJar(), folder.resolve("pulsar-delayed-tracker-0.1.0.jar"));
        for (Path archives : List.of(Harness.servletFolder(), Harness.commandFolder())) {
            try (Stream<Path> files = Files.list(archives)) {
                for (Path nar : files.filter(file -> file.toString().endsWith(".nar")).toList()) {
                    Files.copy(nar, folder.resolve(nar.getFileName()));
                }
            }
        }
        assertEquals(0, docker("build", "-q", "-f", DOCS.resolve("Dockerfile").toString(), "--build-arg",
                "PULSAR=" + BrokerImage.name(), "-t", IMAGE, folder.toString()), () -> output);
    }

    /** The lines that the settings come to in a configuration file which has that text. */
    private static List<String> configured(String conf) throws IOException {
        JsonNode data = new YAMLMapper().readTree(DOCS.resolve("values.yaml").toFile()).path("broker").path("configData");
        Set<String> known = conf.lines().filter(line -> line.matches("\\w+=.*"))
                .map(line -> line.substring(0, line.indexOf('='))).collect(Collectors.toSet());
        List<String> lines = new ArrayList<>();
        data.fields().forEachRemaining(entry -> {
            assertTrue(entry.getValue().isTextual(), () -> "an environment has texts alone: " + entry);
            String key = entry.getKey().startsWith(PREFIX) ? entry.getKey().substring(PREFIX.length()) : entry.getKey();
            assertTrue(entry.getKey().startsWith(PREFIX) || known.contains(key),
                    () -> "the container ignores " + key + ", which the file does not have");
            lines.add(key + "=" + entry.getValue().asText());
        });
        assertTrue(lines.size() >= 2, lines::toString);
        return lines;
    }

    @Test
    void theValuesGoToTheImageOfTheDockerfile() throws IOException {
        JsonNode image = new YAMLMapper().readTree(DOCS.resolve("values.yaml").toFile()).path("images").path("broker");
        assertTrue(Files.readString(DOCS.resolve("Dockerfile"))
                .contains("-t " + image.path("repository").asText() + ":" + image.path("tag").asText() + " "));
        configured(Files.readString(DistributionBroker.home().resolve("conf/broker.conf")));
    }

    @Test
    void aBrokerOfTheImageHasThePluginAndTheCommands() throws Exception {
        assumeTrue(ContainerBroker.engineAnswers() && commandLineIsThere(), () ->
                OnABroker.skipped("InstallImageIT", "no Docker Engine answers, or its command is missing"));
        buildTheImage();
        try {
            aBrokerHasThePluginAndTheCommands();
        } finally {
            docker("rmi", IMAGE);
        }
    }

    private static boolean commandLineIsThere() throws Exception {
        return new ProcessBuilder("sh", "-c", "command -v docker").start().waitFor() == 0;
    }

    private static void aBrokerHasThePluginAndTheCommands() throws Exception {
        String lines = String.join("\n", configured(Files.readString(DistributionBroker.home().resolve("conf/standalone.conf"))));
        int webPort = Net.freePorts(1)[0];
        try (GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(IMAGE))
                .withCopyToContainer(Transferable.of("\n" + lines + "\n"), "/tmp/lines.conf")
                .withEnv("PULSAR_MEM", "-Xms256m -Xmx1g -XX:MaxDirectMemorySize=1g")
                .withEnv("PULSAR_ROUTING_APPENDER_DEFAULT", "Console")
                .withCreateContainerCmdModifier(create -> create.withExposedPorts(ExposedPort.tcp(WEB_PORT))
                        .withHostConfig(HostConfig.newHostConfig().withPortBindings(new PortBinding(
                                Ports.Binding.bindIpAndPort(Net.LOOPBACK, webPort), ExposedPort.tcp(WEB_PORT)))))
                .withCommand("sh", "-c", "cat /tmp/lines.conf >> conf/standalone.conf && exec bin/pulsar standalone -nss -nfw")
                .waitingFor(Wait.forLogMessage(".*messaging service is ready.*", 1).withStartupTimeout(Duration.ofMinutes(3)))) {
            container.start();
            assertTrue(container.getLogs().contains("Delayed delivery tracker 0.1.0 on broker"), "the line of the plugin");
            assertEquals(0, container.execInContainer("bin/pulsar-admin", "topics", "create", TOPIC).getExitCode());
            String adminUrl = "http://" + Net.LOOPBACK + ":" + webPort;
            CommandClient.Reply reply = new CommandClient(adminUrl).get(TOPIC, "schedule");
            assertTrue(reply.body().contains("\"reason\""), () -> "the servlet says why there is no schedule yet: " + reply);
        }
    }
}
