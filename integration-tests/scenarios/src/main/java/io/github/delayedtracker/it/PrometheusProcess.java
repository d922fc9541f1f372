/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A Prometheus server of Debian's package, unpacked and not installed, on the loopback address. It asks one broker for its
 * metrics each second.
 */
public final class PrometheusProcess implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long START_MILLIS = 30_000;
    private static final long END_SECONDS = 10;

    private final BrokerFolder folder;
    private final int port;
    private final Process process;

    private PrometheusProcess(BrokerFolder folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** The folder of the programs {@code prometheus} and {@code promtool}; empty where the package cannot be had. */
    public static Optional<Path> programs() throws IOException, InterruptedException {
        return DebianPackage.unpacked("prometheus", Harness.target().resolve("prometheus"), "usr/bin/prometheus")
                .map(Path::getParent);
    }

    /** Starts one with these rules, which it looks at each second. */
    public static PrometheusProcess start(Path programs, String name, String brokerUrl, String rules) throws Exception {
        BrokerFolder folder = new BrokerFolder(name);
        int port = Net.freePorts(1)[0];
        Files.writeString(folder.resolve("rules.yml"), rules);
        Path conf = Files.writeString(folder.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}
                rule_files: [rules.yml]
                scrape_configs:
                  - job_name: broker
                    metrics_path: /metrics/
                    static_configs: [{targets: ['%s']}]
                """.formatted(brokerUrl.substring("http://".length())));
        Process process = new ProcessBuilder(programs.resolve("prometheus").toString(), "--config.file=" + conf,
                "--storage.tsdb.path=" + folder.metadata(), "--web.listen-address=" + Net.LOOPBACK + ":" + port,
                "--log.level=warn").redirectErrorStream(true).redirectOutput(folder.log().toFile()).start();
        ProcessBroker.endWithThisJvm(process);
        PrometheusProcess server = new PrometheusProcess(folder, port, process);
        try {
            Await.until(START_MILLIS, () -> "Prometheus, whose log ends:\n" + folder.logTail(),
                    () -> Net.answers(server.url("/-/ready"), ""));
        } catch (Exception | Error e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** The alarms that ring: name, and where it has one the name of the scene that the namespace is made for. Sorted. */
    public Set<String> ringing() throws IOException, InterruptedException {
        Set<String> ringing = new TreeSet<>();
        for (JsonNode alert : get("/api/v1/alerts").path("alerts")) {
            if (alert.path("state").asText().equals("firing")) {
                JsonNode labels = alert.path("labels");
                String scene = labels.path("namespace").asText().replaceAll("^.*/|-\\d+$", "");
                ringing.add((labels.path("alertname").asText() + " " + scene).strip());
            }
        }
        return ringing;
    }

    /** The values of an expression now, one for each series. */
    public List<Double> query(String expression) throws IOException, InterruptedException {
        JsonNode result = get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8)).path("result");
        List<Double> values = new ArrayList<>();
        result.forEach(series -> values.add(series.path("value").path(1).asDouble()));
        return values;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        JsonNode answer = JSON.readTree(Net.get(url(path)));
        if (!answer.path("status").asText().equals("success")) {
            throw new IOException("Prometheus refuses " + path + ": " + answer);
        }
        return answer.path("data");
    }

    private String url(String path) {
        return "http://" + Net.LOOPBACK + ":" + port + path;
    }

    @Override
    public void close() throws InterruptedException {
        ProcessBroker.destroy(process);
        process.waitFor(END_SECONDS, TimeUnit.SECONDS);
        folder.deleteData();
    }
}
