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
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/**
 * One process of a cluster in a container of its own, reached by its name from the others and, where it has published ports, on
 * the loopback address from here. It keeps its file system until it is closed. Not thread safe.
 */
public final class ClusterNode {

    private static final Duration START = Duration.ofMinutes(2);
    private static final int LOG_LINES = 40;

    private final String name;
    private final String ready;
    private final GenericContainer<?> container;
    private int starts;

    /**
     * A node that is not started yet.
     *
     * @param configuration file of the distribution's {@code conf} folder
     * @param lines what is appended to it
     * @param command run by the shell once the lines are appended
     * @param ready part of the line of the log that says it serves
     */
    ClusterNode(Network network, String name, String memory, String configuration, Map<String, String> lines, String command,
            String ready) throws Exception {
        this.name = name;
        this.ready = ready;
        String appended = lines.entrySet().stream().map(line -> line.getKey() + "=" + line.getValue())
                .collect(Collectors.joining("\n", "\n", "\n"));
        String file = "conf/" + configuration;
        // A bookie takes the first of equal lines, a broker the last: there is only one, at each start.
        String configure = "sed -i -E '/^(" + String.join("|", lines.keySet()) + ")=/d' " + file
                + " && cat /tmp/it-lines.conf >> " + file + " && ";
        container = new GenericContainer<>(DockerImageName.parse(BrokerImage.name()))
                .withNetwork(network).withNetworkAliases(name)
                .withCopyToContainer(Transferable.of(appended), "/tmp/it-lines.conf")
                .withEnv("PULSAR_MEM", memory).withEnv("BOOKIE_MEM", memory)
                .withEnv("PULSAR_GC", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1").withEnv("PULSAR_GC_LOG", "-Xlog:disable")
                .withEnv("PULSAR_ROUTING_APPENDER_DEFAULT", "Console")
                .withCommand("sh", "-c", configure + command)
                .waitingFor(Wait.forLogMessage(".*" + ready + ".*", 1).withStartupTimeout(START));
    }

    /** Lets these ports be reached on the loopback address, under the same numbers. */
    ClusterNode publish(int... ports) {
        container.withCreateContainerCmdModifier(command -> {
            HostConfig config = command.getHostConfig() == null ? HostConfig.newHostConfig() : command.getHostConfig();
            List<PortBinding> bindings = Arrays.stream(ports).mapToObj(port ->
                    new PortBinding(Ports.Binding.bindIpAndPort(Net.LOOPBACK, port), ExposedPort.tcp(port))).toList();
            command.withExposedPorts(Arrays.stream(ports).mapToObj(ExposedPort::tcp).toList())
                    .withHostConfig(config.withPortBindings(bindings));
        });
        return this;
    }

    /** Has the drop-in jar in its library folder. */
    ClusterNode withPlugin() {
        container.withCopyFileToContainer(MountableFile.forHostPath(Harness.pluginJar()), "/pulsar/lib/plugin.jar");
        return this;
    }

    /** Its name, that of its host in the cluster. */
    public String name() {
        return name;
    }

    /** Starts it the first time, and returns when it serves. */
    void create() {
        starts++;
        container.start();
    }

    /** Starts several the first time, side by side, and returns when all serve. */
    static void createAll(List<ClusterNode> nodes) {
        nodes.forEach(node -> node.starts++);
        Startables.deepStart(nodes.stream().map(node -> node.container)).join();
    }

    /** Starts it again on what it had stored; returns at once. */
    public void start() {
        starts++;
        engine().startContainerCmd(container.getContainerId()).exec();
    }

    /** Stops it in order. */
    public void stop() {
        engine().stopContainerCmd(container.getContainerId()).withTimeout(30).exec();
    }

    /** Ends it at once. */
    public void kill() {
        engine().killContainerCmd(container.getContainerId()).exec();
    }

    /** It does nothing any more, and its connections stay open. */
    public void pause() {
        engine().pauseContainerCmd(container.getContainerId()).exec();
    }

    /** It goes on where it was paused. */
    public void goOn() {
        engine().unpauseContainerCmd(container.getContainerId()).exec();
    }

    /** Whether it has said once for each start that it serves. */
    boolean isReady() {
        return log().lines().filter(line -> line.contains(ready)).count() >= starts;
    }

    /** The last lines of its log, for a message. */
    String logTail() {
        List<String> lines = container.getLogs().lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    /** The whole log. */
    String log() {
        return container.getLogs();
    }

    /** Ends and removes it with all it has stored. */
    void close() {
        container.stop();
    }

    private static DockerClient engine() {
        return DockerClientFactory.instance().client();
    }
}
