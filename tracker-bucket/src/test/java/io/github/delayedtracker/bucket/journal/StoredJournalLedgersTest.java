/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.acks.JournalLedgers.JournalException;
import io.github.delayedtracker.acks.JournalLedgers.Writer;
import io.github.delayedtracker.bucket.record.JournalNames;
import io.github.delayedtracker.bucket.steps.JobWorld;
import io.github.delayedtracker.bucket.storage.MapCatalogue;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The ledgers of a journal, in the storage of the snapshots. */
class StoredJournalLedgersTest {

    private final JobWorld world = new JobWorld(1);
    private final MapCatalogue catalogue = new MapCatalogue();
    private final List<Long> begun = new ArrayList<>();

    private StoredJournalLedgers ledgers(SnapshotOwner owner, List<Long> named) {
        return new StoredJournalLedgers(world.storage(), catalogue, owner, world.retries, () -> 7, JournalNames.ACKS, named,
                () -> begun.add(1L));
    }

    private StoredJournalLedgers ledgers() {
        return ledgers(JobWorld.OWNER, List.of());
    }

    private static ByteBuffer entry(int length, int first) {
        byte[] bytes = new byte[length];
        bytes[0] = (byte) first;
        return ByteBuffer.wrap(bytes);
    }

    private long written(StoredJournalLedgers of, int entries) throws Exception {
        Writer writer = world.get(of.create());
        for (int i = 0; i < entries; i++) {
            assertEquals(i, world.get(writer.append(entry(10 + i, i))));
        }
        return writer.ledgerId();
    }

    private JournalException failure(CompletableFuture<?> answer) {
        return assertThrows(JournalException.class, () -> world.get(answer));
    }

    @Test
    void allEntriesAreReadInTheirOrderThoughTheWriterHasNotEnded() throws Exception {
        long ledgerId = written(ledgers(), 40);
        List<ByteBuffer> read = world.get(ledgers().read(ledgerId));
        assertEquals(40, read.size());
        for (int i = 0; i < read.size(); i++) {
            assertEquals(entry(10 + i, i), read.get(i));
        }
    }

    @Test
    void aReaderEndsTheWriter() throws Exception {
        Writer writer = world.get(ledgers().create());
        world.get(writer.append(entry(1, 1)));
        world.get(ledgers().read(writer.ledgerId()));
        assertFalse(failure(writer.append(entry(1, 2))).isGone());
    }

    @Test
    void aLedgerThatIsGoneIsToldApart() throws Exception {
        StoredJournalLedgers ledgers = ledgers();
        long ledgerId = written(ledgers, 1);
        world.get(ledgers.delete(ledgerId));
        assertTrue(failure(ledgers.read(ledgerId)).isGone());
        world.get(ledgers.delete(ledgerId));
    }

    /** Nothing will ever read it: who reads it time and again would keep others from going on. */
    @ParameterizedTest
    @EnumSource(names = {"CORRUPT", "NO_SUCH_ENTRY"})
    void aLedgerThatIsDamagedForGoodIsGone(Kind damage) throws Exception {
        StoredJournalLedgers ledgers = ledgers();
        long ledgerId = written(ledgers, 1);
        world.faulty.onEvery(Operation.READ, "*", Fault.failBefore(damage));
        JournalException failure = failure(ledgers.read(ledgerId));
        assertTrue(failure.isGone(), failure::toString);
    }

    @Test
    void aLedgerOfAnotherCursorIsNotDeleted() throws Exception {
        long ledgerId = written(ledgers(new SnapshotOwner("another", "cursor", 1), List.of()), 1);
        world.get(ledgers().delete(ledgerId));
        assertEquals(List.of(ledgerId), world.faulty.world().ledgerIds());
    }

    @Test
    void theNamesStandInTheRecordOfTheCursor() throws Exception {
        StoredJournalLedgers ledgers = ledgers();
        world.get(ledgers.name(List.of(5L, 9L)));
        assertEquals(List.of(5L, 9L), ledgers.named());
        assertEquals(List.of(5L, 9L), JournalNames.in(world.get(catalogue.readAll())));
        world.get(ledgers.name(List.of()));
        assertEquals(Map.of(), world.get(catalogue.readAll()));
    }

    @Test
    void whatIsNeededForLedgersIsBegunWithTheFirst() throws Exception {
        StoredJournalLedgers ledgers = ledgers();
        world.get(ledgers.name(List.of()));
        assertEquals(0, begun.size());
        written(ledgers, 1);
        assertEquals(1, begun.size());
    }

    @Test
    void allThatIsNamedIsRemoved() throws Exception {
        long ledgerId = written(ledgers(), 2);
        StoredJournalLedgers next = ledgers(JobWorld.OWNER, List.of(ledgerId, 777L));
        world.get(next.removeAll());
        assertEquals(List.of(), world.faulty.world().ledgerIds());
        assertEquals(Map.of(), world.get(catalogue.readAll()));
    }

    @Test
    void namesOfANewerVersionAndDamagedOnesAreToldApart() {
        assertEquals(Kind.NEWER_VERSION, assertThrows(StorageException.class, () -> JournalNames.decode("2 x")).kind());
        for (String damaged : List.of("", "x", "0 5", "1 -5", "1  5", "1 5 ", "1 99999999999999999999")) {
            assertEquals(Kind.CORRUPT, assertThrows(StorageException.class, () -> JournalNames.decode(damaged), damaged).kind());
        }
    }
}
