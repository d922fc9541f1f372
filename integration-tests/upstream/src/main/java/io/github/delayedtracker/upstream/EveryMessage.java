/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import java.lang.instrument.Instrumentation;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentDispatcherMultipleConsumersClassic;
import org.apache.pulsar.common.api.proto.MessageMetadata;

/**
 * Gives each subscription a tracker, also in tests that delay nothing: a dispatcher makes one at its first delayed message, so a
 * message without a time is offered to it as one that was due when it was sent. Any thread; for the whole JVM, and for good.
 */
public final class EveryMessage {

    private static final AtomicLong OFFERED = new AtomicLong();
    private static final AtomicLong MADE = new AtomicLong();
    private static final Set<Object> TRACKERS = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private static final String OURS = "io.github.delayedtracker.";

    /** The class of a tracker that is not the plugin's, if one was seen. */
    private static volatile String foreign = "";

    private EveryMessage() {
    }

    /** To be called before a dispatcher is made. */
    static void offerToTrackers() {
        Instrumentation jvm = ByteBuddyAgent.install();
        // A class that is transformed instead is as before once a mock of it is made.
        ClassReloadingStrategy anew = new ClassReloadingStrategy(jvm, ClassReloadingStrategy.Strategy.REDEFINITION);
        for (Class<?> dispatcher : List.of(PersistentDispatcherMultipleConsumers.class,
                PersistentDispatcherMultipleConsumersClassic.class)) {
            new ByteBuddy().redefine(dispatcher)
                    .visit(Advice.to(Offer.class).on(ElementMatchers.named("trackDelayedDelivery")))
                    .make().load(dispatcher.getClassLoader(), anew);
        }
    }

    /** Messages that were offered to a tracker. */
    static long offered() {
        return OFFERED.get();
    }

    /** Trackers that dispatchers had. */
    static long trackers() {
        return MADE.get();
    }

    /** The class of a tracker that is not the plugin's; empty where there was none since it was last asked. */
    static String foreign() {
        String seen = foreign;
        foreign = "";
        return seen;
    }

    /** Is called from the dispatchers. */
    public static void isRead(MessageMetadata metadata) {
        if (metadata != null && !metadata.hasDeliverAtTime()) {
            metadata.setDeliverAtTime(metadata.getPublishTime());
        }
    }

    /** Is called from the dispatchers. */
    public static void isTracked(Optional<?> tracker) {
        if (tracker.isEmpty()) {
            return;
        }
        OFFERED.incrementAndGet();
        if (TRACKERS.add(tracker.get())) {
            MADE.incrementAndGet();
            if (!tracker.get().getClass().getName().startsWith(OURS)) {
                foreign = tracker.get().getClass().getName();
            }
        }
    }

    /** What the method of a dispatcher does besides; its text is put into that method. */
    static final class Offer {

        private Offer() {
        }

        @Advice.OnMethodEnter
        static void before(@Advice.Argument(2) MessageMetadata metadata) {
            EveryMessage.isRead(metadata);
        }

        @Advice.OnMethodExit
        static void after(@Advice.FieldValue("delayedDeliveryTracker") Optional<?> tracker) {
            EveryMessage.isTracked(tracker);
        }
    }
}
