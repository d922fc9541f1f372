/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.policies.data.TopicOperation;

/** What a request asks for, by its method and path: {@code <base>/persistent/<tenant>/<namespace>/<topic>/<action>}. */
record Route(TopicName topic, Action action) {

    /** What may be asked of a topic, and the operation of the broker that a caller needs to be allowed. */
    enum Action {
        CANCEL("cancel", "POST", TopicOperation.SKIP),
        RESCHEDULE("reschedule", "POST", TopicOperation.SKIP),
        DELIVER_NOW("deliver-now", "POST", TopicOperation.SKIP),
        SCHEDULE("schedule", "GET", TopicOperation.GET_STATS),
        LIST("list", "GET", TopicOperation.GET_STATS),
        HOLDING("holding", "GET", TopicOperation.GET_STATS),
        EXPIRING("expiring", "GET", TopicOperation.GET_STATS),
        SNAPSHOTS("snapshots", "GET", TopicOperation.GET_STATS),
        VERIFY("verify", "GET", TopicOperation.GET_STATS),
        PEEK("peek", "GET", TopicOperation.PEEK_MESSAGES);

        private final String segment;
        private final String method;
        private final TopicOperation operation;

        Action(String segment, String method, TopicOperation operation) {
            this.segment = segment;
            this.method = method;
            this.operation = operation;
        }

        /** As the path has it. */
        String segment() {
            return segment;
        }

        String method() {
            return method;
        }

        TopicOperation operation() {
            return operation;
        }
    }

    /**
     * Reads it.
     *
     * @param uri the path of the request as it came, not decoded
     * @throws Failure 404 for another path, 405 for another method, 400 for a name that is none
     */
    static Route of(String method, String uri) {
        String base = DelayedServlets.BASE_PATH + "/";
        String[] segments = uri.startsWith(base) ? uri.substring(base.length()).split("/", -1) : new String[0];
        if (segments.length != 5) {
            throw new Failure(404, "there is nothing here; a path is " + base
                    + "persistent/<tenant>/<namespace>/<topic>/<action>");
        }
        if (!segments[0].equals("persistent")) {
            throw new Failure(404, "only persistent topics have a schedule; the path names " + Printable.value(segments[0]));
        }
        Action action = action(segments[4]);
        if (!action.method.equals(method)) {
            throw Failure.ofMethod(action.segment + " is asked by " + action.method, action.method);
        }
        return new Route(topic(segments), action);
    }

    private static Action action(String segment) {
        for (Action action : Action.values()) {
            if (action.segment.equals(segment)) {
                return action;
            }
        }
        throw new Failure(404, "there is no such action: " + Printable.value(segment) + "; there are "
                + Arrays.stream(Action.values()).map(each -> each.segment).collect(Collectors.joining(", ")));
    }

    private static TopicName topic(String[] segments) {
        String[] names = {"the tenant", "the namespace", "the topic"};
        StringBuilder topic = new StringBuilder("persistent:/");
        for (int i = 0; i < names.length; i++) {
            String name = Percent.decode(names[i], segments[i + 1]);
            if (name.isBlank() || name.indexOf('/') >= 0) {
                throw new Failure(400, names[i] + " must not be empty or have a slash in it: " + Printable.value(name));
            }
            topic.append('/').append(name);
        }
        try {
            return TopicName.get(topic.toString());
        } catch (IllegalArgumentException e) {
            throw new Failure(400, "not the name of a topic: " + Printable.value(topic.toString()));
        }
    }
}
