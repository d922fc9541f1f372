/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A journal's ledger while it is written: the positions that are durable in it, and its bytes. One step at a time. */
final class OpenJournal {

    /**
     * The ledger is long when its deltas are as many times as long as its base, or as many entries, or its positions, many of
     * which mark-delete may have passed, lie as much farther apart.
     */
    private static final int DELTAS_OF_BASE = 2;
    /** Entries are read a few at a time, each as long as a call takes: so many deltas are few beside any base. */
    private static final int FEW_ENTRIES = 1_000;

    private final JournalLedgers.Writer writer;
    private final int mostBytes;
    private final long leastDeltaBytes;
    private volatile AckedPositions known;
    private AckedPositions kept;
    private volatile long positions;
    private volatile long sequence;
    private long baseBytes;
    private long baseEntries;
    private long baseWords;
    private long deltaBytes;
    private volatile long bytes;
    private boolean broken;

    OpenJournal(JournalLedgers.Writer writer, int mostBytes, long leastDeltaBytes) {
        this.writer = writer;
        this.mostBytes = mostBytes;
        this.leastDeltaBytes = leastDeltaBytes;
    }

    Long id() {
        return writer.ledgerId();
    }

    /** The positions of all entries that are durable. */
    AckedPositions known() {
        return known;
    }

    /** The positions among them that say that the journal is not to end. */
    AckedPositions kept() {
        return kept;
    }

    /** The number of the last entry that is durable. */
    long sequence() {
        return sequence;
    }

    /** How many positions are durable. */
    long positions() {
        return positions;
    }

    /** Bytes of all entries. */
    long bytes() {
        return bytes;
    }

    /** Whether it is time to begin another ledger. */
    boolean isLong() {
        return sequence - baseEntries > Math.max(FEW_ENTRIES, DELTAS_OF_BASE * baseEntries)
                || deltaBytes > Math.max(leastDeltaBytes, DELTAS_OF_BASE * baseBytes)
                || known.words() > Math.max(ReadBitmaps.MOST_WORDS / 2, DELTAS_OF_BASE * baseWords);
    }

    /** Appends the head and the first positions. */
    CompletableFuture<Void> begin(JournalHead head, AckedPositions base, AckedPositions keptOfBase, long most) {
        known = base.none();
        kept = known;
        return writer.append(JournalFrame.head(head)).thenCompose(done -> append(base, keptOfBase, most)).thenRun(() -> {
            baseBytes = deltaBytes;
            baseEntries = sequence;
            baseWords = known.words();
            deltaBytes = 0;
        });
    }

    /**
     * Appends positions; they are known once all of them are durable. At least one.
     *
     * @param keeping all positions, known ones among them, that say that the journal is not to end
     */
    CompletableFuture<Void> append(AckedPositions more, AckedPositions keeping, long most) {
        AckedPositions keptMore = keeping.minus(kept);
        List<CompletableFuture<Long>> appends = new ArrayList<>();
        long appended = 0;
        List<ByteBuffer> entries = new ArrayList<>(JournalEntry.positions(more.minus(keptMore), false, most, mostBytes));
        entries.addAll(JournalEntry.positions(keptMore, true, most, mostBytes));
        for (ByteBuffer entry : entries) {
            appended += entry.remaining();
            appends.add(writer.append(entry));
        }
        deltaBytes += appended;
        bytes = baseBytes + deltaBytes;
        return CompletableFuture.allOf(appends.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
            if (failure != null) {
                broken = true;
                return;
            }
            known = known.plus(more).plus(keptMore);
            kept = keeping;
            positions = known.entries();
            sequence = appends.get(appends.size() - 1).join();
        });
    }

    /** Whether an append has failed, after which no other can succeed. */
    boolean isBroken() {
        return broken;
    }

    CompletableFuture<Void> close() {
        return writer.close();
    }

    /** Ends the ledger once a last entry is answered, well or not; it fails as that does. */
    CompletableFuture<Void> closeAfter(CompletableFuture<Void> last) {
        return last.exceptionally(failure -> null).thenCompose(done -> close()).thenCompose(closed -> last);
    }

    /** Lets go of the ledger, to which nothing more is appended; it stays. */
    void letGo() {
        CompletableFuture<Void> unused = close();
    }

    /** The step that begins it has ended: lets go of it, unless it is appended to from now on. */
    void isBegun(boolean isUsed) {
        if (!isUsed) {
            letGo();
        }
    }
}
