/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.Await;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntToLongFunction;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminException;

/**
 * Whether each server of a cluster serves, each topic has an owner and takes messages, and what is done for that. One thread at a
 * time.
 */
final class ClusterHealth {

    /** A server that has to be ended twice, and each time gets longer, comes up within this. */
    private static final long HEAL_MILLIS = 600_000;
    /** A producer whose lookup is not answered asks again after a minute, and a send has half of one. */
    private static final long TAKE_MILLIS = 100_000;

    private final ProcessCluster cluster;
    private final List<String> topics;
    private final PulsarAdmin admin;
    private final RunFile file;
    private final Insistence insistence = Insistence.ofMillis(TAKE_MILLIS);

    ClusterHealth(ProcessCluster cluster, List<String> topics, PulsarAdmin admin, RunFile file) {
        this.cluster = cluster;
        this.topics = topics;
        this.admin = admin;
        this.file = file;
    }

    /**
     * Waits until all serve and each topic takes messages, which are being sent. One that takes none is unloaded, as an operator
     * would do, and told of in the verdict; an error if that does not help.
     *
     * @param answered how many messages a topic has taken so far, by its place in the list
     */
    void awaitTaking(IntToLongFunction answered) throws Exception {
        await();
        new TopicCare(topics.size(), TAKE_MILLIS, answered, this::unload).awaitTaking();
    }

    private void unload(int topic) throws Exception {
        String name = topics.get(topic);
        System.out.println(name + " takes no message, and is unloaded");
        file.add(Kind.SEEN, "topics-that-took-nothing", 1);
        insistence.refusal(() -> admin.topics().unload(name))
                .ifPresent(refusal -> System.out.println(name + " was not unloaded: " + refusal));
        await();
    }

    /** Waits until all serve, and starts again what does not; an error that names what is missing if that never happens. */
    void await() throws Exception {
        AtomicReference<String> missing = new AtomicReference<>("");
        Await.until(HEAL_MILLIS, () -> "a cluster of which all serves; not so " + missing.get(), () -> {
            missing.set(missingServers());
            if (missing.get().isEmpty()) {
                missing.set(missingTopic());
            }
            return missing.get().isEmpty();
        });
    }

    /** Those that do not serve. One that has ended by itself, or had to be ended, is told of in the verdict. */
    private String missingServers() throws Exception {
        StringBuilder missing = new StringBuilder();
        for (ClusterProcess server : cluster.servers()) {
            ServerCare.Deed deed = cluster.tend(server);
            if (deed == ServerCare.Deed.START) {
                System.out.println(server.name() + " has ended by itself, and is started; its log ends:\n" + server.logTail());
                file.add(Kind.SEEN, "servers-ended-by-themselves", 1);
            } else if (deed == ServerCare.Deed.END) {
                file.add(Kind.SEEN, "servers-that-hung", 1);
            }
            if (deed != ServerCare.Deed.NOTHING) {
                missing.append(server.name()).append(' ');
            }
        }
        return missing.toString();
    }

    private String missingTopic() {
        for (String topic : topics) {
            try {
                admin.topics().getStats(topic);
            } catch (PulsarAdminException e) {
                return topic + ", " + Insistence.inOneLine(e);
            }
        }
        return "";
    }
}
