/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A crash keeps what was durable, settles what was under way either way, and silences the old life. */
class CrashTest {

    private static final SnapshotOwner OWNER = new SnapshotOwner("topic", "cursor", 7);

    private static ByteBuf buffer(int number) {
        return Unpooled.copiedBuffer(Integer.toString(number), UTF_8);
    }

    @Test
    void callsUnderWayNeverAnswerAndTakeEffectOrNot() throws Exception {
        for (boolean takeEffect : new boolean[] {false, true}) {
            VirtualTime time = new VirtualTime(1);
            FaultyStorage storage = new FaultyStorage(1, FaultRates.none(), time);
            StorageLife life = storage.newLife();
            CompletableFuture<SnapshotWriter> create = life.storage().create(OWNER);
            CompletableFuture<Void> put = life.catalogue("topic", "cursor").put("a", "1");
            life.crash(takeEffect);
            CompletableFuture<List<Long>> afterDeath = life.storage().list(-1, 10);
            time.runAll();
            assertFalse(create.isDone() || put.isDone() || afterDeath.isDone());
            assertEquals(takeEffect ? 1 : 0, storage.world().ledgerIds().size());
            assertEquals(takeEffect ? Map.of("a", "1") : Map.of(), storage.world().propertiesOf("topic", "cursor"));
            assertEquals(1, storage.counts().of(Operation.PUT, Fault.Kind.CRASH));
        }
    }

    @Test
    void anAcknowledgedPrefixSurvivesAndMayHaveATail() throws Exception {
        Set<Integer> lengths = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            VirtualTime time = new VirtualTime(seed);
            FaultyStorage storage = new FaultyStorage(seed, FaultRates.none(), time);
            StorageLife life = storage.newLife();
            SnapshotWriter writer = time.get(life.storage().create(OWNER));
            time.get(writer.append(buffer(0)));
            List<ByteBuf> handedIn = new ArrayList<>();
            for (int i = 1; i < 4; i++) {
                ByteBuf entry = buffer(i);
                handedIn.add(entry);
                assertFalse(writer.append(entry).isDone());
            }
            life.crash();
            SnapshotReader reader = time.get(storage.newLife().storage().open(writer.ledgerId()));
            int entries = (int) reader.lastEntryId() + 1;
            lengths.add(entries);
            List<ByteBuf> read = time.get(reader.read(0, entries - 1));
            for (int i = 0; i < entries; i++) {
                assertEquals(Integer.toString(i), read.get(i).toString(UTF_8), "seed " + seed);
            }
            assertTrue(handedIn.stream().allMatch(entry -> entry.refCnt() == 0), "seed " + seed);
        }
        assertEquals(Set.of(1, 2, 3, 4), lengths);
    }

    @Test
    void theNextLifeKnowsTheDurableRecord() throws Exception {
        VirtualTime time = new VirtualTime(1);
        FaultyStorage storage = new FaultyStorage(1, FaultRates.none(), time);
        StorageLife life = storage.newLife();
        time.get(life.catalogue("topic", "cursor").put("a", "1"));
        life.crash();
        assertEquals(Map.of("a", "1"), time.get(storage.newLife().catalogue("topic", "cursor").readAll()));
    }
}
