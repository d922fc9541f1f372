/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.Optional;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.delayed.DelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.delayed.InMemoryDelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.mockito.AdditionalAnswers;
import org.mockito.Mockito;

/**
 * Gives the mocks of a broker and a topic, which published tests of a dispatcher alone have in their fields, a factory of
 * trackers, and lets the topic delay messages: unasked, such mocks have neither.
 */
final class MockedBroker {

    private final Map<String, String> keys;

    /** @param keys of the plugin's own configuration; the stock factory where there are none */
    MockedBroker(Map<String, String> keys) {
        this.keys = keys;
    }

    /** To be called when the test is set up; nothing is done with a test that has no such mocks. */
    void complete(Object test) {
        Optional<BrokerService> broker = field(test, "brokerMock", BrokerService.class);
        Optional<PersistentTopic> topic = field(test, "topicMock", PersistentTopic.class);
        if (broker.isEmpty() || topic.isEmpty()) {
            return;
        }
        ServiceConfiguration configuration = new ServiceConfiguration();
        configuration.setClusterName("mocked");
        configuration.getProperties().putAll(keys);
        PulsarService service = Mockito.mock(PulsarService.class, Mockito.withSettings().stubOnly()
                .defaultAnswer(AdditionalAnswers.delegatesTo(field(test, "pulsarMock", PulsarService.class).orElseThrow())));
        Mockito.doReturn(configuration).when(service).getConfiguration();
        Mockito.doReturn(configuration).when(service).getConfig();
        DelayedDeliveryTrackerFactory factory = keys.isEmpty() ? new InMemoryDelayedDeliveryTrackerFactory()
                : new PluggableDelayedDeliveryTrackerFactory();
        try {
            factory.initialize(service);
        } catch (Exception e) {
            throw new IllegalStateException("no factory can be made for the mocks of " + test.getClass(), e);
        }
        Mockito.doReturn(factory).when(broker.get()).getDelayedDeliveryTrackerFactory();
        Mockito.doReturn(broker.get()).when(topic.get()).getBrokerService();
        Mockito.doReturn(true).when(topic.get()).isDelayedDeliveryEnabled();
        Mockito.doReturn(configuration.getDelayedDeliveryTickTimeMillis()).when(topic.get()).getDelayedDeliveryTickTimeMillis();
    }

    private static <T> Optional<T> field(Object test, String name, Class<T> type) {
        try {
            Field field = test.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return Optional.ofNullable(field.get(test)).filter(type::isInstance).map(type::cast);
        } catch (NoSuchFieldException e) {
            return Optional.empty();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the mock of the test cannot be read", e);
        }
    }
}
