/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.faults.FaultyStorage;
import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import java.util.List;

/** Invariant 7: after unsubscribe no timer, task, tracker, ledger, handle or buffer is left. */
final class NothingIsLeft extends Invariant {

    @Override
    void ended(World world) {
        for (BrokerLife life : world.brokers().living()) {
            require(life.shop().liveTrackers() == 0, world, "%d trackers are left", life.shop().liveTrackers());
            require(life.timer().armedCount() == 0, world, "%d timer tasks are left", life.timer().armedCount());
            require(life.tasksUnderWay() == 0, world, "%d background tasks are left", life.tasksUnderWay());
            life.storage().ifPresent(storage -> nothingIsHeld(world, storage));
            life.buckets().ifPresent(buckets -> require(buckets.isFree(), world, "a permit to merge is lost"));
        }
        // After a crash, a shortage, a call that took effect and failed, a record that could not be read or is not the newest, or
        // where two trackers or brokers wrote one record, or a tracker goes on without its storage, there may be ledgers that
        // nobody knows; the sweeper finds them.
        boolean mayHaveOrphans = world.storageFate.hasRewritten() || world.storageFate.hasOvertaken()
                || world.setup().is(Setup.Parameter.FAULTS) || world.setup().is(Setup.Parameter.JOURNAL_FAULTS)
                || world.brokers().haveCrashed()
                || world.brokers().twoOwners().isPresent() || world.userAcks().moves().mayBeLeft()
                || world.brokers().shortages().failed() > 0
                || world.anyStorage().filter(FaultyStorage::wasAway).isPresent()
                || world.brokers().living().stream()
                .anyMatch(life -> life.buckets().map(SimulatedBuckets::hadTwoWriters).orElse(false));
        world.anyStorage().filter(storage -> !mayHaveOrphans).ifPresent(storage -> {
            List<Long> ledgers = storage.world().ledgersOf(SimulatedBuckets.TOPIC, SimulatedBuckets.CURSOR);
            require(ledgers.isEmpty(), world, "ledgers %s are left", ledgers);
        });
    }

    private void nothingIsHeld(World world, StorageLife storage) {
        require(storage.openReaders() == 0 && storage.openWriters() == 0, world, "%d readers and %d writers are left open",
                storage.openReaders(), storage.openWriters());
        require(storage.unreleasedBuffers() == 0, world, "%d buffers are not released", storage.unreleasedBuffers());
        require(storage.callsUnderWay() == 0, world, "%d calls of the storage are left", storage.callsUnderWay());
    }
}
