/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import java.util.List;
import java.util.stream.Stream;

/** A published class: one about delayed delivery, or a further one about what a tracker sits in the middle of. */
enum Suite {
    DELAYED("org.apache.pulsar.broker.service.persistent.DelayedDeliveryTest", false),
    ADMIN("org.apache.pulsar.broker.admin.AdminApiDelayedDeliveryTest", false),
    BUCKET("org.apache.pulsar.broker.service.persistent.BucketDelayedDeliveryTest", false),

    DISPATCHER("org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumersTest", true),
    DISPATCHER_CLASSIC("org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumersClassicTest", true),
    READ_LIMITS("org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumersReadLimitsTest", true),
    STICKY_KEY("org.apache.pulsar.broker.service.persistent.PersistentStickyKeyDispatcherMultipleConsumersTest", true),
    STICKY_KEY_CLASSIC("org.apache.pulsar.broker.service.persistent.PersistentStickyKeyDispatcherMultipleConsumersClassicTest",
            true),
    KEY_SHARED("org.apache.pulsar.client.api.KeySharedSubscriptionTest", true),
    KEY_SHARED_UNACKED("org.apache.pulsar.client.impl.KeySharedSubscriptionMaxUnackedMessagesTest", true),
    RETRY("org.apache.pulsar.client.api.RetryTopicTest", true),
    DEAD_LETTER("org.apache.pulsar.client.api.DeadLetterTopicTest", true),
    DEAD_LETTER_PARTITIONS("org.apache.pulsar.client.api.DeadLetterTopicDefaultMultiPartitionsTest", true),
    NEGATIVE_ACKS("org.apache.pulsar.client.impl.NegativeAcksTest", true),
    BATCH("org.apache.pulsar.broker.service.BatchMessageTest", true),
    BATCH_INDEX("org.apache.pulsar.broker.service.BatchMessageWithBatchIndexLevelTest", true),
    INDEX_ACK("org.apache.pulsar.client.impl.BatchMessageIndexAckTest", true),
    INDEX_ACK_DISABLED("org.apache.pulsar.client.impl.BatchMessageIndexAckDisableTest", true),
    PENDING_ACK("org.apache.pulsar.broker.transaction.pendingack.PendingAckPersistentTest", true),
    PENDING_ACK_DELETE("org.apache.pulsar.broker.transaction.pendingack.PendingAckInMemoryDeleteTest", true),
    TRANSACTION("org.apache.pulsar.client.impl.TransactionEndToEndTest", true),
    TRANSACTION_WITHOUT_INDEX("org.apache.pulsar.client.impl.TransactionEndToEndWithoutBatchIndexAckTest", true),
    TRANSACTION_CONSUME("org.apache.pulsar.broker.transaction.TransactionConsumeTest", true);

    final String className;
    final boolean isFurther;

    Suite(String className, boolean isFurther) {
        this.className = className;
        this.isFurther = isFurther;
    }

    static List<Suite> usual() {
        return Stream.of(values()).filter(suite -> !suite.isFurther).toList();
    }

    static List<Suite> further() {
        return Stream.of(values()).filter(suite -> suite.isFurther).toList();
    }

    /** Whether its tests send messages to subscriptions that can delay them: those of a dispatcher's reads need not. */
    boolean hasMessages() {
        return this != DISPATCHER && this != DISPATCHER_CLASSIC;
    }

    String simpleName() {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
