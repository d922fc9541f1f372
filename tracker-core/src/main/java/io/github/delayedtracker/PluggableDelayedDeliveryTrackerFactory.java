/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.BackendServices;
import io.github.delayedtracker.backend.JournalStore;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.config.InvalidSettingException;
import io.github.delayedtracker.config.StockSettings;
import io.github.delayedtracker.config.SubscriptionOverrides;
import io.github.delayedtracker.config.TrackerSettings;
import io.github.delayedtracker.subscription.AdaptivePrecision;
import io.github.delayedtracker.wakeup.WakeUpTimer;
import io.github.delayedtracker.wakeup.wheel.WheelTimer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.delayed.BucketDelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.delayed.DelayedDeliveryTracker;
import org.apache.pulsar.broker.delayed.bucket.RecoverDelayedDeliveryTrackerException;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentTopic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The class an operator names in {@code delayedDeliveryTrackerFactoryClassName}: makes one tracker for each Shared or
 * Key_Shared subscription that sees a delayed message, on the index backend chosen by {@code delayedDeliveryIndexBackend}.
 *
 * <p>It extends the stock bucket factory because the broker calls {@link #cleanResidualSnapshots} of that type only; no
 * stock state is used. One instance serves a broker; {@link #newTracker} may be called from any thread, never throws and
 * never blocks.
 */
public class PluggableDelayedDeliveryTrackerFactory extends BucketDelayedDeliveryTrackerFactory {

    private static final Logger LOG = LoggerFactory.getLogger(PluggableDelayedDeliveryTrackerFactory.class);

    /** The tick that wake-ups are rounded up to. */
    private static final long TIMER_TICK_MILLIS = 1;

    private Backends backends;
    private TrackerSettings settings;
    private boolean skipReads;
    private WakeUpTimer timer;
    private IndexWorker worker;
    private TrackerServices services;
    private StartedBackends stored;
    private BrokerCommands commands;
    /** The setup shared by subscriptions with the broker's own settings, at the tick of the tracker made last. */
    private volatile SubscriptionSetup usual;

    /** Called by the broker, which names the class in its configuration. */
    public PluggableDelayedDeliveryTrackerFactory() {
        // everything happens in initialize
    }

    /**
     * Reads the configuration and starts.
     *
     * @throws InvalidSettingException if a value is not valid; the broker does not start then
     */
    @Override
    public void initialize(PulsarService pulsar) throws Exception {
        ServiceConfiguration configuration = pulsar.getConfiguration();
        backends = Backends.load(getClass().getClassLoader());
        TrackerSettings.Parsed parsed;
        try {
            parsed = TrackerSettings.parse(configuration.getProperties(), stockSettings(configuration), backends.names());
        } catch (InvalidSettingException e) {
            LOG.error("The broker cannot start: {}", e.getMessage());
            throw e;
        }
        parsed.warnings().forEach(LOG::warn);
        parsed.infos().forEach(LOG::info);
        settings = parsed.settings();
        usual = null;
        timer = new WheelTimer("delayed-index-wake-up", TIMER_TICK_MILLIS, SystemClock::nanoTime,
                failure -> LOG.error("A wake-up failed; the next one goes on", failure));
        worker = new IndexWorker("delayed-index-worker");
        stored = StartedBackends.start(backends,
                new BackendServices(pulsar, settings, timer, SystemClock::nowMillis, SystemClock::nanoTime));
        services = new TrackerServices(timer, SystemClock::nowMillis, new TrackerRegistry(timer), worker, configuration,
                new PurgeQueue(worker, timer, SystemClock::nanoTime), new BrokerAckSource(), CursorRecordLimits.of(configuration),
                journals(pulsar), PluggableDelayedDeliveryTrackerFactory::delays, new Lateness(),
                new StorageWarnings(SystemClock::nowMillis));
        commands = new BrokerCommands(pulsar::getBrokerService, services, new OrphanCommand(stored::orphans));
        Optional<String> obstacle = settings.skipReads() ? BrokerSelfCheck.obstacle() : Optional.empty();
        skipReads = settings.skipReads() && obstacle.isEmpty();
        pulsar.addPrometheusRawMetricsProvider(new FactoryMetrics(services, stored::samples, configuration.getClusterName()));
        if (services.limits().exist()) {
            LoadedTopics.watch(pulsar::getBrokerService, services.limits(), timer, worker);
        }
        logStart(pulsar, obstacle);
    }

    /** A tracker for the dispatcher's subscription, empty and ready. */
    @Override
    public DelayedDeliveryTracker newTracker(AbstractPersistentDispatcherMultipleConsumers dispatcher) {
        SubscriptionSetup setup = setup(dispatcher);
        SubscriptionTracker tracker = new SubscriptionTracker(dispatcher, setup,
                stored.open(setup.backend(), dispatcher), services);
        services.registry().add(tracker);
        tracker.start();
        if (skipReads) {
            try {
                return new SkipReadAdapter(dispatcher, tracker, setup.rules().tickMillis(), setup.rules().strict());
            } catch (RecoverDelayedDeliveryTrackerException | RuntimeException | LinkageError e) {
                LOG.warn("[{}] Reads will not skip indexed messages: the stock tracker type cannot be extended here",
                        dispatcher.getName(), e);
            }
        }
        return new PlainAdapter(tracker);
    }

    /**
     * The same for brokers from 5.0.1 on, where the stock factory of this name would make a stock tracker. The type
     * compiled against does not have the method.
     */
    public CompletableFuture<DelayedDeliveryTracker> newTrackerAsync(
            AbstractPersistentDispatcherMultipleConsumers dispatcher) {
        return CompletableFuture.completedFuture(newTracker(dispatcher));
    }

    /** The commands on the schedules of this broker's topics, for the ways in: HTTP above all. */
    public DelayedCommands commands() {
        return commands;
    }

    /** Deletes what backends have stored for a subscription that is about to be deleted and has no tracker. */
    @Override
    public CompletableFuture<Void> cleanResidualSnapshots(ManagedCursor cursor) {
        return stored.removeAll(cursor);
    }

    /** Ends the backends' storage, the timer and the worker; trackers are closed by their dispatchers. */
    @Override
    public void close() {
        if (stored != null) {
            stored.close();
        }
        if (timer != null) {
            timer.close();
        }
        if (commands != null) {
            commands.close();
        }
        if (worker != null) {
            worker.close();
        }
    }

    private Optional<JournalStore> journals(PulsarService pulsar) {
        if (!settings.ackJournal()) {
            return stored.journals();
        }
        ServiceConfiguration configuration = pulsar.getConfiguration();
        CursorRecordLimits.reasonForNoJournal(configuration, pulsar.getBrokerVersion()).ifPresent(reason ->
                LOG.warn("Degraded: no journal of acknowledgements is kept: {}", reason));
        return CursorRecordLimits.loseProperties(configuration, pulsar.getBrokerVersion()) ? Optional.empty() : stored.journals();
    }

    private SubscriptionSetup setup(AbstractPersistentDispatcherMultipleConsumers dispatcher) {
        SubscriptionOverrides.Applied applied = SubscriptionOverrides.apply(settings,
                dispatcher.getSubscription().getSubscriptionProperties(), backends.names());
        applied.warnings().forEach(warning -> LOG.warn("[{}] {}", dispatcher.getName(), warning));
        applied.problems().forEach(problem -> LOG.warn("[{}] Ignored: {}", dispatcher.getName(), problem));
        TrackerSettings effective = applied.settings();
        long tickMillis = tickInForce(dispatcher, effective);
        boolean isUsual = effective.equals(settings) && applied.problems().isEmpty();
        SubscriptionSetup before = usual;
        if (isUsual && before != null && before.rules().tickMillis() == tickMillis) {
            return before;
        }
        SubscriptionSetup made = SubscriptionSetup.of(backends.get(effective.backend()), effective, tickMillis,
                applied.problems().size());
        usual = isUsual ? made : before;
        return made;
    }

    // The policies of topic and namespace are behind the topic; the broker passes later changes through resetTickTime.
    private static long tickInForce(AbstractPersistentDispatcherMultipleConsumers dispatcher, TrackerSettings settings) {
        return dispatcher.getTopic() instanceof PersistentTopic topic
                ? Math.max(1, topic.getDelayedDeliveryTickTimeMillis()) : settings.tickMillis();
    }

    private static boolean delays(AbstractPersistentDispatcherMultipleConsumers dispatcher) {
        return !(dispatcher.getTopic() instanceof PersistentTopic topic) || topic.isDelayedDeliveryEnabled();
    }

    private static StockSettings stockSettings(ServiceConfiguration configuration) {
        return new StockSettings(configuration.getDelayedDeliveryTickTimeMillis(),
                configuration.isDelayedDeliveryDeliverAtTimeStrict(),
                configuration.getDelayedDeliveryFixedDelayDetectionLookahead(),
                configuration.getDelayedDeliveryMinIndexCountPerBucket(),
                configuration.getDelayedDeliveryMaxTimeStepPerBucketSnapshotSegmentSeconds(),
                configuration.getDelayedDeliveryMaxIndexesPerBucketSnapshotSegment(),
                configuration.getDelayedDeliveryMaxNumBuckets());
    }

    private void logStart(PulsarService pulsar, Optional<String> obstacle) {
        String version = getClass().getPackage().getImplementationVersion();
        SubscriptionSetup setup = SubscriptionSetup.of(backends.get(settings.backend()), settings, settings.tickMillis(), 0);
        AdaptivePrecision widening = setup.rules().adaptive();
        String adaptive = widening.ratio() == 0 ? "off" : "ratio " + widening.ratio() + " up to " + widening.maxMillis() + " ms";
        LOG.info("Delayed delivery tracker {} on broker {}: backend {} of {}, tick {} ms, precision {} ms,"
                        + " adaptive precision {}, strict {}, reads skip indexed messages {}",
                version == null ? "(unpackaged)" : version, pulsar.getBrokerVersion(), setup.backend(), backends.names(),
                setup.rules().tickMillis(), setup.rules().precisionMillis(), adaptive, setup.rules().strict(), skipReads);
        obstacle.ifPresent(reason -> LOG.warn("Degraded: reads will not skip indexed messages on this broker: {}", reason));
    }
}
