/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.common.configuration.PulsarConfigurationLoader;

/** A broker.conf of some lines, read by the broker's own loader and then by this project. */
final class BrokerConf {

    static final List<String> BACKENDS = List.of("timebucket", "heap");

    private BrokerConf() {
    }

    static ServiceConfiguration load(Map<String, String> lines) {
        Properties properties = new Properties();
        properties.setProperty("clusterName", "test");
        properties.setProperty("metadataStoreUrl", "memory:local");
        lines.forEach(properties::setProperty);
        try {
            return PulsarConfigurationLoader.create(properties, ServiceConfiguration.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static StockSettings stock(ServiceConfiguration broker) {
        return new StockSettings(broker.getDelayedDeliveryTickTimeMillis(), broker.isDelayedDeliveryDeliverAtTimeStrict(),
                broker.getDelayedDeliveryFixedDelayDetectionLookahead(), broker.getDelayedDeliveryMinIndexCountPerBucket(),
                broker.getDelayedDeliveryMaxTimeStepPerBucketSnapshotSegmentSeconds(),
                broker.getDelayedDeliveryMaxIndexesPerBucketSnapshotSegment(), broker.getDelayedDeliveryMaxNumBuckets());
    }

    static TrackerSettings.Parsed parse(Map<String, String> lines) {
        ServiceConfiguration broker = load(lines);
        return TrackerSettings.parse(broker.getProperties(), stock(broker), BACKENDS);
    }
}
