/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import org.apache.pulsar.client.api.MessageId;

/**
 * A message the broker has accepted.
 *
 * @param id its content, unique in the scenario
 * @param key the key it was sent with
 * @param deliverAtMillis due time, epoch milliseconds; for a plain message the time it was sent
 * @param messageId where the broker stored it
 */
record Sent(String id, String key, long deliverAtMillis, MessageId messageId) {
}
