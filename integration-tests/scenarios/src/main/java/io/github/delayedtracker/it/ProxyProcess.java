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
import java.util.List;

/** The proxy of the distribution that the build has unpacked, in front of a broker, on the loopback address. */
public final class ProxyProcess implements AutoCloseable {

    private static final long START_MILLIS = 60_000;

    private final BrokerFolder folder;
    private final int webPort;
    private final Process process;

    private ProxyProcess(BrokerFolder folder, int webPort, Process process) {
        this.folder = folder;
        this.webPort = webPort;
        this.process = process;
    }

    /** Starts one, and returns when its web server answers. */
    public static ProxyProcess start(String name, Broker broker) throws Exception {
        BrokerFolder folder = new BrokerFolder(name);
        int[] free = Net.freePorts(2);
        Path conf = Files.write(folder.resolve("proxy.conf"), List.of("bindAddress=" + Net.LOOPBACK,
                "advertisedAddress=" + Net.LOOPBACK, "clusterName=standalone",
                "servicePort=" + free[0], "webServicePort=" + free[1],
                "brokerServiceURL=" + broker.serviceUrl(), "brokerWebServiceURL=" + broker.adminUrl()));
        Path home = DistributionBroker.home();
        ProcessBuilder command = new ProcessBuilder(home.resolve("bin/pulsar").toString(), "proxy");
        command.directory(home.toFile());
        command.environment().put("JAVA_HOME", Harness.ownJavaHome().toString());
        command.environment().put("PULSAR_PROXY_CONF", conf.toString());
        command.environment().put("PULSAR_MEM", "-Xmx256m -XX:MaxDirectMemorySize=256m");
        command.environment().put("PULSAR_LOG_DIR", folder.resolve("logs").toString());
        command.environment().put("PULSAR_ROUTING_APPENDER_DEFAULT", "Console");
        Process process = command.redirectErrorStream(true).redirectOutput(folder.log().toFile()).start();
        ProcessBroker.endWithThisJvm(process);
        ProxyProcess proxy = new ProxyProcess(folder, free[1], process);
        boolean isOver = Await.within(START_MILLIS, () -> !process.isAlive() || Net.serves(proxy.webUrl()));
        if (!isOver || !process.isAlive()) {
            proxy.close();
            throw new IllegalStateException("the proxy " + (isOver ? "ended while starting" : "did not start in time")
                    + ", its log ends:\n" + folder.logTail());
        }
        return proxy;
    }

    /** The address of its web service. */
    public String webUrl() {
        return "http://" + Net.LOOPBACK + ":" + webPort;
    }

    @Override
    public void close() throws IOException {
        ProcessBroker.destroy(process);
        folder.deleteData();
    }
}
