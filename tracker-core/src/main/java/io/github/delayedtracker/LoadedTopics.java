/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.wakeup.WakeUpTimer;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.broker.service.TopicEventsListener;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the records of topics that are loaded with more acknowledged ranges than a record may have, whether they get a tracker
 * or not: an idle topic has none, and its unload writes all ranges to the metadata store. A topic with fewer is left as it is.
 *
 * <p>The broker makes its trackers' factory before the service that tells of topics, so this waits for that one.
 */
final class LoadedTopics implements TopicEventsListener {

    private static final Logger LOG = LoggerFactory.getLogger(LoadedTopics.class);

    private static final long WAIT_MILLIS = 100;

    /** A change of a policy brings the broker's limits back. */
    private static final long AGAIN_MILLIS = 60_000;

    private final Supplier<BrokerService> broker;
    private final CursorRecordLimits limits;
    private final WakeUpTimer timer;
    private final Executor worker;

    private LoadedTopics(Supplier<BrokerService> broker, CursorRecordLimits limits, WakeUpTimer timer, Executor worker) {
        this.broker = broker;
        this.limits = limits;
        this.timer = timer;
        this.worker = worker;
    }

    /**
     * Begins to look at topics as they are loaded, those that are loaded already included.
     *
     * @param broker answers null until the broker has its service
     */
    static void watch(Supplier<BrokerService> broker, CursorRecordLimits limits, WakeUpTimer timer, Executor worker) {
        new LoadedTopics(broker, limits, timer, worker).begin();
    }

    private void begin() {
        BrokerService service = broker.get();
        if (service == null) {
            timer.arm(WAIT_MILLIS, this::begin);
            return;
        }
        try {
            service.addTopicEventListener(this);
        } catch (LinkageError e) {
            LOG.warn("Degraded: this broker does not tell of the topics it loads; an idle one may be unloaded with a record"
                    + " that is too large for the metadata store", e);
        }
    }

    /** Looks at once, on the broker's thread: an unload may follow. */
    @Override
    public void handleEvent(String topicName, TopicEvent event, EventStage stage, Throwable failure) {
        if (event == TopicEvent.LOAD && stage == EventStage.SUCCESS) {
            look(topicName);
        }
    }

    private void look(String topicName) {
        try {
            if (broker.get().getTopicReference(topicName).orElse(null) instanceof PersistentTopic topic
                    && limit(topic, topic.getManagedLedger())) {
                lookLater(topicName);
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("[{}] The records of its cursors could not be looked at", topicName, e);
        }
    }

    private void lookLater(String topicName) {
        timer.arm(AGAIN_MILLIS, () -> {
            try {
                worker.execute(() -> look(topicName));
            } catch (RuntimeException | Error e) {
                LOG.warn("[{}] The records of its cursors are looked at later", topicName, e);
                lookLater(topicName);
            }
        });
    }

    /** Whether the topic has a cursor with too many ranges. */
    private boolean limit(Topic topic, ManagedLedger ledger) {
        for (ManagedCursor cursor : ledger.getCursors()) {
            int ranges = cursor.getTotalNonContiguousDeletedMessagesRange();
            if (ranges > limits.mostRanges()) {
                if (limits.lower(ledger.getConfig())) {
                    LOG.info("[{}] Subscription {} has {} ranges of acknowledged messages; the metadata store may refuse a record"
                            + " of more than {}, so the rest will come again after an unload", topic.getName(), cursor.getName(),
                            ranges, limits.mostRanges());
                }
                return true;
            }
        }
        return false;
    }
}
