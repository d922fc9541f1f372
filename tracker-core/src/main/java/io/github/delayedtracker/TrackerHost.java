/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.backend.IndexHost;
import io.github.delayedtracker.index.PositionRange;
import io.github.delayedtracker.index.PositionSink;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.Position;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;

/** One subscription as the background work of its stored index sees it. The lock is released before the wake-up is armed. */
record TrackerHost(SubscriptionTracker tracker, AbstractPersistentDispatcherMultipleConsumers dispatcher,
        Predicate<AbstractPersistentDispatcherMultipleConsumers> delays) implements IndexHost {

    @Override
    public <T> T change(Function<PositionSink, T> change) {
        return tracker.change(change);
    }

    @Override
    public <T> T read(Supplier<T> look) {
        return tracker.state().read(look);
    }

    @Override
    public void wake() {
        tracker.wake();
    }

    @Override
    public boolean offersAgain() {
        return delays.test(dispatcher);
    }

    @Override
    public void askAlways(boolean always) {
        tracker.state().askAlways(always);
    }

    @Override
    public void recovered(PositionRange range) {
        tracker.guarded("recovered", () -> tracker.commands.isRecovered(range));
    }

    @Override
    public void markDelete(PositionSink sink) {
        Position markDelete = tracker.cursor().markDelete();
        if (markDelete != null) {
            sink.accept(markDelete.getLedgerId(), markDelete.getEntryId());
        }
    }
}
