/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.lang.reflect.Proxy;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.common.policies.data.HierarchyTopicPolicies;

/** The topic that the tracker sees behind its dispatcher: its policies, none of them set. What no tracker calls is refused. */
final class TopicFace {

    private static final HierarchyTopicPolicies POLICIES = new HierarchyTopicPolicies();

    /** It has no state, so one serves all. */
    static final Topic TOPIC = (Topic) Proxy.newProxyInstance(TopicFace.class.getClassLoader(), new Class<?>[] {Topic.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("getHierarchyTopicPolicies")) {
                    return POLICIES;
                }
                throw new UnsupportedOperationException("no tracker calls " + method);
            });

    private TopicFace() {
    }
}
