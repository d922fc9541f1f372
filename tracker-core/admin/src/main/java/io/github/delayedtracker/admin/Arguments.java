/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;
import org.apache.pulsar.admin.cli.extensions.ParameterType;

/** The arguments of one call, as the tool hands them over: by the first name of each parameter. */
final class Arguments {

    private static final String TOPIC = "topic";
    private static final String SUBSCRIPTION = "--subscription";
    private static final String JSON = "--json";

    private final Map<String, Object> values;

    Arguments(Map<String, Object> values) {
        this.values = values;
    }

    static ParameterDescriptor topicParameter() {
        return main(TOPIC, "persistent://tenant/namespace/topic; a partitioned topic by its partition, as x-partition-0");
    }

    static ParameterDescriptor subscriptionParameter() {
        return option("The subscription; all that have a schedule if left out", SUBSCRIPTION, "-s");
    }

    static ParameterDescriptor jsonParameter() {
        return flag("Print the answer of the broker as it is, JSON", JSON);
    }

    /**
     * An argument without a name, which holds one value. The tool takes them in the order they are declared only if none is
     * required: it puts one that is behind all others, so that a command has to look itself.
     */
    static ParameterDescriptor main(String name, String description) {
        return ParameterDescriptor.builder().names(List.of(name)).description(description).type(ParameterType.STRING)
                .mainParameter(true).build();
    }

    static ParameterDescriptor option(String description, String... names) {
        return ParameterDescriptor.builder().names(List.of(names)).description(description).type(ParameterType.STRING).build();
    }

    static ParameterDescriptor flag(String description, String name) {
        return ParameterDescriptor.builder().names(List.of(name)).description(description).type(ParameterType.BOOLEAN_FLAG)
                .build();
    }

    TopicPath topic() throws CommandFailed {
        return TopicPath.of(text(TOPIC).orElseThrow(() -> new CommandFailed("the topic is missing: give it first")));
    }

    Optional<String> subscription() throws CommandFailed {
        Optional<String> subscription = text(SUBSCRIPTION);
        if (subscription.isPresent() && subscription.get().isBlank()) {
            throw new CommandFailed("the subscription must not be empty; leave it out to mean all");
        }
        return subscription;
    }

    boolean json() {
        return given(JSON);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(Object::toString);
    }

    boolean given(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }
}
