/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Drawn faults: the same seed gives the same run, every fault that suits an operation is drawn, nothing leaks. */
@SuppressWarnings("FutureReturnValueIgnored")
class RandomFaultsTest {

    private static final SnapshotOwner OWNER = new SnapshotOwner("topic", "cursor", 7);

    /** One life that writes and reads snapshots under faults, then heals; returns its story. */
    private static String run(long seed, FaultRates rates, FaultCounts sum) throws Exception {
        VirtualTime time = new VirtualTime(seed);
        FaultyStorage storage = new FaultyStorage(seed, rates, time);
        StorageLife life = storage.newLife();
        CatalogueStore catalogue = life.catalogue("topic", "cursor");
        for (int i = 0; i < 10; i++) {
            String name = "n" + i;
            begun(() -> life.storage().create(OWNER)).thenCompose(writer -> write(life, writer))
                    .thenCompose(done -> catalogue.put(name, "x"))
                    .whenComplete((done, failure) -> catalogue.remove(name));
            long unknown = 1000L + i;
            begun(() -> life.storage().list(-1, 5));
            begun(() -> life.storage().ownerOf(unknown));
            begun(catalogue::readAll);
            time.runUntil(time.nowMillis() + 20);
        }
        storage.heal();
        time.runAll();
        assertEquals(0, life.callsUnderWay(), "seed " + seed);
        assertEquals(0, life.openReaders() + life.openWriters() + life.unreleasedBuffers(), "seed " + seed);
        sum.addAll(storage.counts());
        return storage.counts().table() + storage.world().ledgerIds() + storage.world().propertiesOf("topic", "cursor");
    }

    /** What a call throws is an answer like another. */
    private static <T> CompletableFuture<T> begun(Supplier<CompletableFuture<T>> call) {
        try {
            return call.get();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletionStage<Void> write(StorageLife life, SnapshotWriter writer) {
        for (int i = 0; i < 3; i++) {
            ByteBuf entry = Unpooled.wrappedBuffer(new byte[] {(byte) i, 1});
            begun(() -> writer.append(entry));
        }
        return begun(writer::close).thenCompose(sealed -> life.storage().open(writer.ledgerId()))
                .thenCompose(reader -> begun(() -> reader.read(0, 2)).thenAccept(entries -> entries.forEach(ByteBuf::release))
                        .whenComplete((done, failure) -> reader.close()))
                .handle((done, failure) -> failure == null ? life.storage().delete(writer.ledgerId()) : writer.abandon())
                .thenCompose(deleted -> deleted);
    }

    @Test
    void theSameSeedGivesTheSameRun() throws Exception {
        FaultRates rates = FaultRates.passing(40, 10, 200);
        assertEquals(run(11, rates, new FaultCounts()), run(11, rates, new FaultCounts()));
    }

    @Test
    void everyFaultStrikesEveryOperationItSuits() throws Exception {
        FaultRates rates = FaultRates.passing(40, 10, 200).with(Fault.Kind.HANG_BEFORE, 20).with(Fault.Kind.HANG_AFTER, 20)
                .with(Fault.Kind.LOSE, 20).with(Fault.Kind.CORRUPT, 20).with(Fault.Kind.GARBLE, 20);
        FaultCounts sum = new FaultCounts();
        for (long seed = 0; seed < 300; seed++) {
            run(seed, rates, sum);
        }
        for (Operation operation : Operation.values()) {
            for (Fault.Kind kind : Fault.Kind.values()) {
                boolean drawn = kind.suits(operation) && kind != Fault.Kind.AT_ONCE;
                assertEquals(drawn, sum.of(operation, kind) > 0, operation + " x " + kind + " of\n" + sum.table());
            }
        }
        assertTrue(sum.faults() > 1_000, sum.table());
    }

    @Test
    void aFaultThatDoesNotSuitIsRefused() {
        FaultyStorage storage = new FaultyStorage(1, FaultRates.none(), new VirtualTime(1));
        assertThrows(IllegalArgumentException.class, () -> storage.onCall(Operation.LIST, "*", 1, Fault.lose()));
        assertThrows(IllegalArgumentException.class, () -> storage.onCall(Operation.LIST, "*", 0, Fault.hangBefore()));
        assertTrue(new StorageException(StorageException.Kind.CONFLICT, "x").isRetryable());
    }
}
