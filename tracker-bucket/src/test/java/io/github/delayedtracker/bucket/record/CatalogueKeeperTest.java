/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.record.CatalogueKeeper.Removal;
import io.github.delayedtracker.bucket.steps.JobWorld;
import io.github.delayedtracker.bucket.storage.DeleteLedgers.Deletions;
import io.github.delayedtracker.bucket.storage.Leftovers;
import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CatalogueKeeperTest {

    private JobWorld world = new JobWorld(1);

    @AfterEach
    void nothingIsHeld() {
        world.assertNothingHeld("");
    }

    private long newLedger() throws Exception {
        return world.write(JobWorld.columns(1, 5, 1_000, 100)).ledgerId();
    }

    private CatalogueRecord durable() throws Exception {
        return CatalogueRecord.in(properties());
    }

    private Map<String, String> properties() {
        return world.faulty.world().propertiesOf(JobWorld.TOPIC, JobWorld.CURSOR);
    }

    /** An update while no put succeeds: its outcome is unknown. */
    private void updateInVain(CatalogueKeeper keeper, UnaryOperator<CatalogueRecord> change) throws Exception {
        world.faulty.onEvery(Operation.PUT, "*", Fault.failBefore(Kind.UNAVAILABLE));
        world.failure(Kind.OUTCOME_UNKNOWN, keeper.update(change));
        world.faulty.heal();
    }

    private List<Long> ledgers() {
        return world.faulty.world().ledgerIds();
    }

    /** A keeper whose record names so many live ledgers. */
    private CatalogueKeeper keeperOf(int live) throws Exception {
        CatalogueKeeper keeper = world.loadedKeeper();
        for (int i = 0; i < live; i++) {
            long ledgerId = newLedger();
            world.get(keeper.update(record -> record.sealed(ledgerId)));
        }
        return keeper;
    }

    private void newBroker() {
        world.life.crash();
        world.time.close();
        world.newLife();
    }

    @Test
    void whatWasWrittenIsLoadedByTheNextOwner() throws Exception {
        CatalogueKeeper keeper = keeperOf(3);
        assertEquals(keeper.written(), keeper.wish());
        assertEquals(List.of(), world.leftovers.all(), "named ledgers are no leftovers");
        newBroker();
        CatalogueKeeper next = world.keeper();
        assertEquals(durable(), world.get(next.load()));
        assertEquals(3, next.written().orElseThrow().live().size());
        assertEquals(3, durable().sequence());
    }

    @Test
    void noRecordIsAnEmptyOneAndNothingNewIsNotWritten() throws Exception {
        CatalogueKeeper keeper = world.loadedKeeper();
        assertEquals(CatalogueRecord.EMPTY, world.get(keeper.update(UnaryOperator.identity())));
        assertEquals(0, world.faulty.counts().of(Operation.PUT, Fault.Kind.NONE));
    }

    @Test
    void aFailedUpdateIsTriedTenTimesKeepsBothAndTheNextWritesTheNewestWish() throws Exception {
        CatalogueKeeper keeper = keeperOf(2);
        CatalogueRecord before = durable();
        long puts = world.faulty.counts().of(Operation.PUT, Fault.Kind.NONE);
        long third = newLedger();
        updateInVain(keeper, record -> record.merged(before.live(), third));
        assertEquals(10, world.faulty.counts().of(Operation.PUT, Fault.Kind.FAIL_BEFORE));
        assertTrue(keeper.isUnsettled());
        assertEquals(before, keeper.written().orElseThrow());
        assertEquals(List.of(third), keeper.wish().orElseThrow().live());
        assertEquals(Set.of(), world.get(keeper.deleteDoomed()).gone(), "nothing is deleted on the word of a failed put");
        assertEquals(Set.of(), world.get(keeper.deleteLeftovers()).gone());
        assertEquals(3, ledgers().size());
        world.get(keeper.update(UnaryOperator.identity()));
        assertFalse(keeper.isUnsettled());
        assertEquals(List.of(third), durable().live());
        assertEquals(before.live(), durable().doomed());
        assertEquals(puts + 1, world.faulty.counts().of(Operation.PUT, Fault.Kind.NONE));
        assertEquals(Set.copyOf(before.live()), world.get(keeper.deleteDoomed()).gone());
        assertEquals(List.of(third), ledgers());
    }

    /** An update that took effect and failed: later ones conflict, so its sources stay until the topic is loaded anew. */
    @Test
    void anUpdateThatTookEffectAndFailedDeletesNothingUntilTheTopicIsLoadedAnew() throws Exception {
        CatalogueKeeper keeper = keeperOf(2);
        List<Long> sources = durable().live();
        long merged = newLedger();
        world.faulty.onCall(Operation.PUT, "*", 1, Fault.failAfter(Kind.UNAVAILABLE));
        world.failure(Kind.CONFLICT, keeper.update(record -> record.merged(sources, merged)));
        world.failure(Kind.CONFLICT, keeper.update(UnaryOperator.identity()));
        assertEquals(sources, world.get(keeper.load()).live(), "read once: the broker's view settles nothing");
        assertTrue(keeper.isUnsettled());
        assertEquals(Deletions.NONE, world.get(keeper.deleteDoomed()));
        world.get(keeper.deleteLeftovers());
        assertEquals(3, ledgers().size());
        newBroker();
        CatalogueKeeper next = world.loadedKeeper();
        assertEquals(List.of(merged), next.written().orElseThrow().live());
        assertEquals(Set.copyOf(sources), world.get(next.deleteDoomed()).gone());
        assertEquals(List.of(merged), ledgers());
    }

    @Test
    void aHungUpdateIsGivenUpAndTheNextAttemptGoesOn() throws Exception {
        CatalogueKeeper keeper = world.loadedKeeper();
        long ledgerId = newLedger();
        world.faulty.onCall(Operation.PUT, "*", 1, Fault.hangBefore());
        world.get(keeper.update(record -> record.sealed(ledgerId)));
        assertEquals(List.of(ledgerId), durable().live());
        assertTrue(world.time.nowMillis() >= 30_000 && world.time.nowMillis() <= 30_100, "at " + world.time.nowMillis());
        world.faulty.heal();
    }

    @Test
    void aChangeThatThrowsChangesNothing() throws Exception {
        CatalogueKeeper keeper = keeperOf(1);
        world.failure(Kind.UNEXPECTED, keeper.update(record -> record.sealed(record.live().get(0))));
        assertFalse(keeper.isUnsettled());
        assertEquals(keeper.written(), keeper.wish());
    }

    @Test
    void doomedLedgersAreLeftOutByTheNextUpdateAfterTheyAreDeleted() throws Exception {
        CatalogueKeeper keeper = keeperOf(3);
        List<Long> live = durable().live();
        world.get(keeper.update(record -> record.dropped(live.subList(0, 2))));
        assertEquals(live.subList(0, 2), durable().doomed());
        world.faulty.onEvery(Operation.DELETE, "*", Fault.failBefore(Kind.UNAVAILABLE));
        Deletions failed = world.get(keeper.deleteDoomed());
        assertEquals(Set.copyOf(live.subList(0, 2)), failed.left().keySet());
        assertEquals(2, world.faulty.counts().faults(Operation.DELETE), "each is tried once");
        world.faulty.heal();
        world.faulty.onCall(Operation.DELETE, "*", 1, Fault.failAfter(Kind.UNAVAILABLE));
        assertEquals(1, world.get(keeper.deleteDoomed()).gone().size());
        assertEquals(1, world.get(keeper.deleteDoomed()).gone().size(), "it was deleted, and is found out to be");
        assertEquals(Deletions.NONE, world.get(keeper.deleteDoomed()), "once only");
        assertEquals(2, durable().doomed().size(), "no update of its own");
        world.get(keeper.update(UnaryOperator.identity()));
        assertEquals(List.of(), durable().doomed());
        assertEquals(live.subList(2, 3), durable().live());
    }

    @Test
    void oneLedgerThatCannotBeDeletedDoesNotKeepTheOthers() throws Exception {
        CatalogueKeeper keeper = keeperOf(7);
        List<Long> live = durable().live();
        world.get(keeper.update(record -> record.dropped(live)));
        world.faulty.onCall(Operation.DELETE, "*", 1, Fault.failBefore(Kind.CLOSED));
        Deletions deletions = world.get(keeper.deleteDoomed());
        assertEquals(1, deletions.left().size());
        assertEquals(6, deletions.gone().size());
    }

    @Test
    void ledgersOfAnotherCursorInACopiedRecordAreNeverDeleted() throws Exception {
        CatalogueKeeper keeper = keeperOf(2);
        long own = newLedger();
        List<Long> foreign = durable().live();
        long nobodys = world.faulty.world().addForeignLedger();
        world.get(keeper.update(record -> record.sealed(nobodys).dropped(foreign)));
        world.faulty.world().copyProperties(JobWorld.TOPIC, JobWorld.CURSOR, "partition");
        CatalogueKeeper copied = new CatalogueKeeper(world.life.catalogue("partition", JobWorld.CURSOR), world.storage(),
                new SnapshotOwner("partition", JobWorld.CURSOR, 1), world.retries, new Leftovers());
        world.get(copied.load());
        Deletions deletions = world.get(copied.deleteDoomed());
        assertEquals(Set.copyOf(foreign), deletions.foreign());
        assertEquals(4, ledgers().size());
        world.get(copied.update(record -> record.dropped(record.live())));
        assertEquals(Set.of(nobodys), world.get(copied.deleteDoomed()).foreign());
        Removal removal = world.get(copied.removeAll(60_000));
        assertTrue(removal.isComplete());
        assertEquals(Map.of(), world.faulty.world().propertiesOf("partition", JobWorld.CURSOR));
        assertTrue(ledgers().containsAll(foreign) && ledgers().contains(own) && ledgers().contains(nobodys));
    }

    @Test
    void whatARecordLeavesOutWithoutDoomingItIsDeletedOnceARecordWithoutItSucceeded() throws Exception {
        CatalogueKeeper keeper = keeperOf(2);
        CatalogueRecord before = durable();
        long merged = newLedger();
        updateInVain(keeper, record -> record.merged(before.live(), merged));
        world.get(keeper.update(record -> new CatalogueRecord(record.sequence() + 1, before.live(), List.of())));
        assertEquals(Set.of(merged), world.get(keeper.deleteLeftovers()).gone());
        assertEquals(before.live(), ledgers());
    }

    @Test
    void anUnwantedLedgerIsKeptWhileARecordOfUnknownOutcomeNamesIt() throws Exception {
        CatalogueKeeper keeper = world.loadedKeeper();
        long ledgerId = newLedger();
        updateInVain(keeper, record -> record.sealed(ledgerId));
        world.leftovers.unwanted(ledgerId);
        assertEquals(Set.of(), world.get(keeper.deleteLeftovers()).gone());
        world.get(keeper.update(record -> CatalogueRecord.EMPTY));
        assertFalse(keeper.isUnsettled(), "what was written last is written again to settle it");
        assertEquals(1, world.faulty.counts().of(Operation.PUT, Fault.Kind.NONE));
        assertEquals(Set.of(ledgerId), world.get(keeper.deleteLeftovers()).gone());
    }

    @Test
    void theRecordStaysWhileALedgerThatItNamesCannotBeDeleted() throws Exception {
        CatalogueKeeper keeper = keeperOf(3);
        world.faulty.onEvery(Operation.DELETE, "*", Fault.failBefore(Kind.UNAVAILABLE));
        Removal removal = world.get(keeper.removeAll(10_000_000));
        assertEquals(3, removal.ledgers().left().size());
        assertEquals(Kind.UNAVAILABLE, removal.recordFailure().orElseThrow().kind());
        assertEquals(3, durable().live().size());
        world.faulty.heal();
        assertTrue(world.get(keeper.removeAll(10_000_000)).isComplete());
        assertEquals(0, world.time.armedCount(), "no deadline is left");
        assertEquals(Map.of(), properties());
    }

    @Test
    void theKeeperGoesOnWhenTheStepsAreAbandoned() throws Exception {
        CatalogueKeeper keeper = keeperOf(1);
        world.retries.abandon();
        world.get(keeper.update(record -> record.dropped(record.live())));
        assertEquals(1, world.get(keeper.deleteDoomed()).gone().size());
    }

    @Test
    void loadingIsTriedAgain() throws Exception {
        keeperOf(1);
        world.faulty.onCall(Operation.GET_PROPERTIES, "*", 1, Fault.hangAfter());
        world.faulty.onCall(Operation.GET_PROPERTIES, "*", 2, Fault.failBefore(Kind.UNAVAILABLE));
        CatalogueKeeper keeper = world.keeper();
        assertEquals(1, world.get(keeper.load()).live().size());
        world.faulty.heal();
    }

    @Test
    void noPutBeginsAfterCloseAndTheOneUnderWayIsGivenUp() throws Exception {
        CatalogueKeeper keeper = world.loadedKeeper();
        long ledgerId = newLedger();
        world.faulty.onEvery(Operation.PUT, "*", Fault.hangBefore());
        CompletableFuture<CatalogueRecord> update = keeper.update(record -> record.sealed(ledgerId));
        world.time.runUntil(world.time.nowMillis() + 5);
        long atMillis = world.time.nowMillis();
        CompletableFuture<Void> closed = keeper.close();
        world.failure(Kind.CLOSED, update);
        assertFalse(closed.isDone(), "the cursor has not answered");
        Optional<CatalogueRecord> wish = keeper.wish();
        world.failure(Kind.CLOSED, keeper.update(record -> record.sealed(ledgerId + 1)));
        assertEquals(wish, keeper.wish());
        assertEquals(atMillis, world.time.nowMillis());
        world.faulty.heal();
        world.time.runAll();
        assertTrue(closed.isDone());
        assertEquals(1, world.faulty.counts().of(Operation.PUT, Fault.Kind.HANG_BEFORE));
        assertEquals(0, world.faulty.counts().of(Operation.PUT, Fault.Kind.NONE));
    }

    @Test
    void noPutIsTriedAgainAfterClose() throws Exception {
        CatalogueKeeper keeper = world.loadedKeeper();
        world.faulty.onEvery(Operation.PUT, "*", Fault.failBefore(Kind.UNAVAILABLE));
        CompletableFuture<CatalogueRecord> update = keeper.update(record -> record.sealed(7));
        while (world.faulty.counts().of(Operation.PUT, Fault.Kind.FAIL_BEFORE) < 2) {
            world.time.run(1);
        }
        world.get(keeper.close());
        world.failure(Kind.CLOSED, update);
        assertEquals(2, world.faulty.counts().of(Operation.PUT, Fault.Kind.FAIL_BEFORE));
    }

    @Test
    void anUpdateAfterCloseDeletesWhatWasMadeHereAndNobodyHasRecorded() throws Exception {
        CatalogueKeeper keeper = keeperOf(2);
        List<Long> before = ledgers();
        long stock = world.write(JobWorld.columns(1, 5, 1_000, 100)).ledgerId();
        world.leftovers.settled(stock);
        long written = newLedger();
        world.get(keeper.close());
        world.failure(Kind.CLOSED, keeper.update(record -> record.imported(stock, Optional.of(written))));
        world.time.runAll();
        assertEquals(Stream.concat(before.stream(), Stream.of(stock)).toList(), ledgers(), "the imported one is as it was found");
        assertEquals(before, durable().live());
    }

    /** #19901, #26401, S-19: unsubscribe removes what the record names, what it may name, and what was never recorded. */
    @Test
    void s19_nothingIsLeftOfADeletedSubscription() throws Exception {
        CatalogueKeeper keeper = keeperOf(3);
        world.get(keeper.update(record -> record.dropped(record.live().subList(0, 1))));
        newLedger();
        long attempted = newLedger();
        updateInVain(keeper, record -> record.sealed(attempted));
        long kept = world.faulty.world().addForeignLedger();
        world.retries.abandon();
        assertTrue(world.get(keeper.removeAll(60_000)).isComplete());
        assertEquals(List.of(kept), ledgers());
        assertEquals(Map.of(), properties());
        assertEquals(List.of(), world.leftovers.all());
        assertEquals(Optional.of(CatalogueRecord.EMPTY), keeper.written());
    }

    @Test
    void removingReadsTheRecordIfNobodyHas() throws Exception {
        keeperOf(3);
        newBroker();
        assertTrue(world.get(world.keeper().removeAll(60_000)).isComplete());
        assertEquals(List.of(), ledgers());
        assertEquals(Map.of(), properties());
    }

    /** #20075: the future of a clear never completed, so the topic could not be deleted. */
    @Test
    void i20075_removingAnswersInBoundedTimeWhateverHangsAndSaysWhatIsLeft() throws Exception {
        for (Operation operation : List.of(Operation.DELETE, Operation.OWNER_OF, Operation.REMOVE, Operation.GET_PROPERTIES)) {
            world = new JobWorld(1);
            keeperOf(9);
            newBroker();
            world.faulty.onEvery(operation, "*", Fault.hangBefore());
            long begun = world.time.nowMillis();
            Removal removal = world.get(world.keeper().removeAll(20_000));
            assertEquals(20_000, world.time.nowMillis() - begun, operation.toString());
            assertFalse(removal.isComplete());
            assertTrue(removal.recordFailure().isPresent());
            boolean ledgersLeft = operation == Operation.DELETE || operation == Operation.OWNER_OF;
            assertEquals(ledgersLeft ? 9 : 0, removal.ledgers().left().size(), operation.toString());
            assertEquals(1, properties().size(),
                    "the record names what is left");
            world.faulty.heal();
            world.time.runAll();
        }
    }

    /** #22802: the property goes last, so that a crash leaves nothing that is not named. */
    @Test
    void i22802_aCrashWhileRemovingLeavesNoLedgerThatTheRecordDoesNotName() throws Exception {
        for (int crashAt = 0; crashAt < 60; crashAt++) {
            world = new JobWorld(crashAt);
            CatalogueKeeper keeper = keeperOf(6);
            CompletableFuture<Removal> removal = keeper.removeAll(60_000);
            world.time.run(crashAt);
            world.life.crash();
            assertTrue(durable().live().containsAll(ledgers()), "crash after " + crashAt + " events");
            world.time.close();
            world.newLife();
            assertTrue(world.get(world.keeper().removeAll(60_000)).isComplete(), "crash after " + crashAt);
            assertEquals(List.of(), ledgers());
            assertFalse(removal.isDone() && crashAt == 0);
        }
    }
}
