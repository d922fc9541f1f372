/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import java.util.Map;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.delayed.DelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.delayed.DelayedDeliveryTrackerLoader;
import org.mockito.MockedStatic;
import org.mockito.Mockito;
import org.mockito.invocation.InvocationOnMock;

/**
 * Gives each broker that a test starts the plugin's factory, whatever the test has configured: the configuration is changed at
 * the moment in which the broker asks for the factory. Holds for the thread that made it, which is the one that runs the tests.
 */
final class FactorySwap implements AutoCloseable {

    private final Map<String, String> keys;
    private final LabelledLedgers ledgers = new LabelledLedgers();
    private final MockedStatic<DelayedDeliveryTrackerLoader> loader;

    /** @param keys of the plugin's own configuration */
    FactorySwap(Map<String, String> keys) {
        this.keys = keys;
        this.loader = Mockito.mockStatic(DelayedDeliveryTrackerLoader.class, this::load);
    }

    private DelayedDeliveryTrackerFactory load(InvocationOnMock call) throws Throwable {
        PulsarService pulsar = call.getArgument(0);
        ServiceConfiguration configuration = pulsar.getConfiguration();
        configuration.setDelayedDeliveryTrackerFactoryClassName(PluggableDelayedDeliveryTrackerFactory.class.getName());
        configuration.getProperties().putAll(keys);
        PluggableDelayedDeliveryTrackerFactory factory = new PluggableDelayedDeliveryTrackerFactory();
        factory.initialize(ledgers.seenBy(pulsar));
        return factory;
    }

    @Override
    public void close() {
        loader.close();
    }
}
