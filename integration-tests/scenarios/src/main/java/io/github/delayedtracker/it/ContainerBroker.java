/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * A broker in a container: the published image where it can be had, else one built here from the same distribution.
 *
 * <p>Its ports are published on the loopback address under the numbers they have inside, since the broker advertises them.
 */
public final class ContainerBroker implements Broker {

    private static final String CONF = "/tmp/it-standalone.conf";
    private static final String FILTERS = "/tmp/it-filters";
    private static final String SERVLETS = "/tmp/it-servlets";
    private static final int STOP_SECONDS = 30;

    private final String name;
    private final BrokerSettings settings;
    private final int brokerPort;
    private final int webPort;
    private GenericContainer<?> container;

    /** A broker that is not started yet. */
    public ContainerBroker(String name, BrokerSettings settings) throws IOException {
        int[] free = Net.freePorts(2);
        this.name = name;
        this.settings = settings;
        this.brokerPort = free[0];
        this.webPort = free[1];
    }

    /** Whether a Docker Engine answers. */
    public static boolean engineAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BrokerSettings settings() {
        return settings;
    }

    @Override
    public String serviceUrl() {
        return "pulsar://" + Net.LOOPBACK + ":" + brokerPort;
    }

    @Override
    public String adminUrl() {
        return "http://" + Net.LOOPBACK + ":" + webPort;
    }

    @Override
    public void start() throws Exception {
        if (container == null) {
            create();
        } else {
            // Stopped or killed before: the same container with its file system.
            engine().startContainerCmd(container.getContainerId()).exec();
        }
        // One started again answers before its bookie is registered again, and could not store what is sent.
        Await.until(90_000, () -> "the broker in the container serves, log ends:\n" + logTail(),
                () -> Net.serves(adminUrl()) && Net.stores(adminUrl()));
    }

    private void create() throws Exception {
        Map<String, String> all = new LinkedHashMap<>(settings.toLines("0.0.0.0", brokerPort, webPort));
        if (settings.allows(EntryFilterArchive.ALLOWED)) {
            all.put(EntryFilterArchive.DIRECTORY, FILTERS);
        }
        boolean hasCommands = all.containsKey(BrokerSettings.SERVLET_DIRECTORY);
        if (hasCommands) {
            all.put(BrokerSettings.SERVLET_DIRECTORY, SERVLETS);
            all.put(BrokerSettings.EXTRACTION_DIRECTORY, SERVLETS + "-extracted");
        }
        String lines = all.entrySet().stream()
                .map(line -> line.getKey() + "=" + line.getValue()).collect(Collectors.joining("\n", "\n", "\n"));
        String run = "cat /tmp/it-lines.conf >> " + CONF + " && exec bin/pulsar standalone --config " + CONF
                + " --advertised-address 127.0.0.1 -nss -nfw";
        container = new GenericContainer<>(DockerImageName.parse(BrokerImage.name()))
                .withCopyFileToContainer(MountableFile.forHostPath(Harness.pluginJar()), "/pulsar/lib/plugin.jar")
                .withCopyToContainer(Transferable.of(lines), "/tmp/it-lines.conf")
                .withEnv("PULSAR_STANDALONE_CONF", CONF)
                .withEnv("PULSAR_MEM", "-Xms256m -Xmx1g -XX:MaxDirectMemorySize=1g")
                .withEnv("PULSAR_ROUTING_APPENDER_DEFAULT", "Console")
                .withCreateContainerCmdModifier(command -> command
                        .withExposedPorts(ExposedPort.tcp(brokerPort), ExposedPort.tcp(webPort))
                        .withHostConfig(hostConfig(command.getHostConfig())))
                .withCommand("sh", "-c", "cp conf/standalone.conf " + CONF + " && " + run)
                .waitingFor(Wait.forLogMessage(".*messaging service is ready.*", 1)
                        .withStartupTimeout(Duration.ofMinutes(3)));
        if (settings.allows(EntryFilterArchive.ALLOWED)) {
            Path archive = EntryFilterArchive.write(new BrokerFolder(name).resolve("filters"));
            container.withCopyFileToContainer(MountableFile.forHostPath(archive), FILTERS + "/" + archive.getFileName());
        }
        if (hasCommands) {
            try (Stream<Path> archives = Files.list(Harness.servletFolder())) {
                archives.filter(file -> file.toString().endsWith(".nar")).forEach(file ->
                        container.withCopyFileToContainer(MountableFile.forHostPath(file), SERVLETS + "/" + file.getFileName()));
            }
        }
        container.start();
    }

    @Override
    public void stop() {
        engine().stopContainerCmd(container.getContainerId()).withTimeout(STOP_SECONDS).exec();
    }

    @Override
    public void kill() {
        engine().killContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void close() {
        if (container != null) {
            container.stop();
            container = null;
        }
    }

    private static DockerClient engine() {
        return DockerClientFactory.instance().client();
    }

    private HostConfig hostConfig(HostConfig config) {
        return (config == null ? HostConfig.newHostConfig() : config)
                .withPortBindings(published(brokerPort), published(webPort));
    }

    private static PortBinding published(int port) {
        return new PortBinding(Ports.Binding.bindIpAndPort(Net.LOOPBACK, port), ExposedPort.tcp(port));
    }

    private String logTail() {
        List<String> lines = container.getLogs().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }
}
