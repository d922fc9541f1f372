/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import io.github.delayedtracker.command.DelayedCommands;
import org.apache.pulsar.broker.PulsarService;

/** The way from the broker to the commands of its tracker factory. */
final class Plugin {

    private Plugin() {
    }

    /**
     * The commands.
     *
     * @throws Failure 404 if the factory is another one, or the drop-in jar is not there at all
     */
    static DelayedCommands commands(PulsarService pulsar) {
        Object factory = pulsar.getBrokerService().getDelayedDeliveryTrackerFactory();
        try {
            if (factory instanceof PluggableDelayedDeliveryTrackerFactory ours) {
                return commands(ours);
            }
        } catch (NoClassDefFoundError e) {
            throw notOurs(factory);
        }
        throw notOurs(factory);
    }

    private static DelayedCommands commands(PluggableDelayedDeliveryTrackerFactory factory) {
        DelayedCommands commands = factory.commands();
        if (commands == null) {
            throw new Failure(503, "the tracker factory takes no commands yet; try again");
        }
        return commands;
    }

    private static Failure notOurs(Object factory) {
        return new Failure(404, "the plugin is not this broker's tracker factory: delayedDeliveryTrackerFactoryClassName is "
                + (factory == null ? "none" : factory.getClass().getName()));
    }
}
