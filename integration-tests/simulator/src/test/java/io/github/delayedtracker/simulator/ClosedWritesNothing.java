/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.github.delayedtracker.bucket.storage.faults.StorageLife;
import java.util.concurrent.CompletableFuture;

/**
 * Ruling 7: no update of a cursor's record begins after close, and where the broker waits for the close none is under way when it
 * closes the cursor, which could not write its position then; unless storage holds it up for longer than a close may wait.
 */
final class ClosedWritesNothing extends Invariant {

    private static final long STEPS_MILLIS = 100;

    @Override
    void closed(World world, CompletableFuture<Void> over, long waitedMillis, boolean positionWritten) {
        require(over.isDone() && !over.isCompletedExceptionally(), world, "a close has not ended well: %s", over);
        require(waitedMillis <= Stage.CLOSE_MILLIS + STEPS_MILLIS, world, "a close took %d ms", waitedMillis);
        // Without a thread, or a deadline, nobody is waited for.
        boolean isShort = world.brokers().shortages().takenUpMillis() > world.scheduler().nowMillis();
        boolean counts = world.life().hasOneWriter() && !world.life().isUpdateHeldUp() && !isShort;
        boolean waits = counts && world.setup().get(Setup.Parameter.LINE) > 0 && waitedMillis < Stage.CLOSE_MILLIS;
        require(positionWritten || !waits, world, "an update of the record was under way when the cursor was closed, %d ms after "
                + "the tracker", waitedMillis);
    }

    @Override
    void settled(World world) {
        for (BrokerLife life : world.brokers().living()) {
            int late = life.storage().map(StorageLife::updatesAfterClose).orElse(0);
            require(late == 0, world, "%d updates of the record began after the topic was unloaded", late);
        }
    }
}
