/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

/** Who sends a {@link DelayedBacklog} and subscribes to it. */
interface BacklogClients {

    String TOPIC = "persistent://public/default/backlog";
    String SUBSCRIPTION = "s";

    /** The delays, in seconds. */
    int MIN_DELAY_SECONDS = 172_800;
    int MAX_DELAY_SECONDS = 173_400;

    /** Sends so many messages to the topic; returns when the broker has them. */
    void send(Broker broker, int messages) throws Exception;

    /** Connects a consumer to the Shared subscription, which is made if there is none; returns when it is on its way. */
    void subscribe(Broker broker) throws Exception;

    /** Ends every connection. */
    void disconnect() throws Exception;
}
