/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.SnapshotStorage;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** The durable world as one broker process sees it, until that process dies: what it has under way and what it holds open. */
public final class StorageLife {

    private final FaultyStorage parent;
    private final Set<Flight<?>> underWay = new LinkedHashSet<>();
    private final List<Flight<?>> hung = new ArrayList<>();
    private final List<Flight<?>> heldBack = new ArrayList<>();
    private final List<ByteBuf> handedOut = new ArrayList<>();
    private final Map<String, CursorFace> cursors = new HashMap<>();
    private final FaultySnapshotStorage storage = new FaultySnapshotStorage(this);
    private int openReaders;
    private int openWriters;
    private int buffersHeld;
    private final List<Long> deleted = new ArrayList<>();
    private int updatesAfterClose;
    private boolean dead;

    StorageLife(FaultyStorage parent) {
        this.parent = parent;
    }

    /** The snapshot storage of this broker. */
    public SnapshotStorage storage() {
        return storage;
    }

    /** A new store over a cursor of this broker; two of one cursor share what the broker knows of its record. */
    public CatalogueStore catalogue(String topic, String cursor) {
        return catalogue(topic, cursor, CatalogueStore.PROPERTY_PREFIX);
    }

    /** The same for properties that begin otherwise. */
    public CatalogueStore catalogue(String topic, String cursor, String prefix) {
        return new FaultyCatalogue(this, face(topic, cursor), prefix);
    }

    /** An update of the same record by somebody else in this broker, under the whole key. */
    public CompletableFuture<Void> putForeignProperty(String topic, String cursor, String key, String value) {
        return face(topic, cursor).cursor().putCursorProperty(key, value);
    }

    /** The properties of a cursor as this broker knows them, by their whole keys. */
    public Map<String, String> propertiesOf(String topic, String cursor) {
        return face(topic, cursor).known();
    }

    private CursorFace face(String topic, String cursor) {
        return cursors.computeIfAbsent(DurableWorld.subscription(topic, cursor), name -> new CursorFace(this, name, cursor));
    }

    /** The topic was loaded anew: the next catalogue begins with the durable record. */
    public void reloadCursor(String topic, String cursor) {
        cursors.remove(DurableWorld.subscription(topic, cursor));
    }

    /**
     * The topic is unloaded here.
     *
     * @param counts whether later updates of the cursor's record count as {@link #updatesAfterClose}
     * @return whether the cursor could write its position, because nobody else was writing its record
     */
    public boolean closeCursor(String topic, String cursor, boolean counts) {
        return face(topic, cursor).close(counts);
    }

    /** Whether an update of its record has been under way for longer than some time. */
    public boolean isUpdateHeldUp(String topic, String cursor, long millis) {
        return face(topic, cursor).isHeldUpSince(parent.later().nowMillis() - millis);
    }

    /** Whether every update of its record is refused. */
    public boolean isCursorStale(String topic, String cursor) {
        return face(topic, cursor).isStale();
    }

    /** The cursor learns which version its record has now, by a write of its own that failed; not what it says. */
    public void refreshCursor(String topic, String cursor) {
        face(topic, cursor).refresh();
    }

    /** The ledgers that this broker has deleted since the last call. */
    public List<Long> takeDeleted() {
        List<Long> taken = List.copyOf(deleted);
        deleted.clear();
        return taken;
    }

    void deleted(long ledgerId) {
        deleted.add(ledgerId);
    }

    /** Updates of the records of cursors that were begun after their topic was unloaded. */
    public int updatesAfterClose() {
        return updatesAfterClose;
    }

    void updateAfterClose() {
        updatesAfterClose++;
    }

    /** Kill -9: nothing under way ever answers, and each call that had not taken effect does so now or never, as drawn. */
    public void crash() {
        for (Flight<?> flight : die()) {
            flight.crash(parent.random().nextBoolean());
        }
    }

    /** Kill -9 where all calls under way take effect, or none. */
    public void crash(boolean callsTakeEffect) {
        for (Flight<?> flight : die()) {
            flight.crash(callsTakeEffect);
        }
    }

    private List<Flight<?>> die() {
        dead = true;
        List<Flight<?>> flights = new ArrayList<>(underWay);
        underWay.clear();
        hung.clear();
        heldBack.clear();
        openReaders = 0;
        openWriters = 0;
        for (Flight<?> flight : flights) {
            parent.counts().add(flight.operation(), Fault.Kind.CRASH);
        }
        return flights;
    }

    /** Readers handed over and not closed. */
    public int openReaders() {
        return openReaders;
    }

    /** Writers handed over and neither closed nor abandoned. */
    public int openWriters() {
        return openWriters;
    }

    /** Buffers this broker got from reads and has not released, and buffers handed in that the storage still holds. */
    public int unreleasedBuffers() {
        handedOut.removeIf(buffer -> buffer.refCnt() == 0);
        return handedOut.size() + buffersHeld;
    }

    /** Memory for what is written, which runs out as often as calls throw. */
    public ByteBufAllocator allocator() {
        return new ThrowingAllocator(() -> !dead && parent.drawThrow());
    }

    /** Calls that will still answer or take effect, or hang. */
    public int callsUnderWay() {
        return underWay.size();
    }

    void refuseIfClosed() throws StorageException {
        storage.refuseIfClosed();
    }

    boolean isDead() {
        return dead;
    }

    boolean isHealed() {
        return parent.isHealed();
    }

    DurableWorld world() {
        return parent.world();
    }

    FaultyStorage parent() {
        return parent;
    }

    long usualMillis() {
        return parent.usualMillis();
    }

    SplittableRandom random() {
        return parent.random();
    }

    void after(long delayMillis, Runnable event) {
        parent.later().after(delayMillis, () -> {
            if (!dead) {
                event.run();
            }
        });
    }

    /** Begins a call that nothing has to wait for. */
    <T> CompletableFuture<T> begin(Operation operation, String subscription, Work<T> work) {
        return beginIn(new Lane(), operation, subscription, work).answer();
    }

    /** A call that first of all needs the metadata of a ledger. */
    <T> CompletableFuture<T> beginOn(long ledgerId, Operation operation, String subscription, Work<T> work) {
        return begin(new Lane(), operation, parent.ledgerFault(operation, ledgerId)
                .orElseGet(() -> dead ? Fault.NONE : parent.decide(operation, subscription)), work).answer();
    }

    <T> Flight<T> beginIn(Lane lane, Operation operation, String subscription, Work<T> work) {
        return begin(lane, operation, dead ? Fault.NONE : parent.decide(operation, subscription), work);
    }

    private <T> Flight<T> begin(Lane lane, Operation operation, Fault fault, Work<T> work) {
        if (fault.kind() == Fault.Kind.THROW) {
            work.thrown();
            work.over();
            List<Thrown> any = List.of(Thrown.values());
            any.get(parent.random().nextInt(any.size())).fly();
        }
        Flight<T> flight = new Flight<>(this, operation, fault, work, lane.join(), parent.nextCall());
        if (dead) {
            work.over();
            return flight;
        }
        underWay.add(flight);
        flight.begin();
        return flight;
    }

    void landed(Flight<?> flight) {
        underWay.remove(flight);
        if (!heldBack.isEmpty()) {
            for (Flight<?> held : List.copyOf(heldBack)) {
                if (held.number() < flight.number()) {
                    heldBack.remove(held);
                    held.release();
                }
            }
        }
    }

    void hang(Flight<?> flight) {
        hung.add(flight);
    }

    void holdBack(Flight<?> flight) {
        heldBack.add(flight);
    }

    void heal() {
        List<Flight<?>> resumed = List.copyOf(hung);
        hung.clear();
        resumed.forEach(Flight::resume);
    }

    void readers(int change) {
        openReaders += dead ? 0 : change;
    }

    void writers(int change) {
        openWriters += dead ? 0 : change;
    }

    void held(int change) {
        buffersHeld += change;
    }

    ByteBuf handOut(ByteBuf buffer) {
        if (handedOut.size() % 64 == 63) {
            handedOut.removeIf(seen -> seen.refCnt() == 0);
        }
        handedOut.add(buffer);
        return buffer;
    }
}
