/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.index.PositionSink;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** S2: a JVM without memory for a moment has this index lose no position. In a JVM of its own. */
class FullHeapTest {

    private static final int POSITIONS = 10;
    private static final long LEDGER = 5;
    private static final long FIRST_MILLIS = 1_000;
    private static final long LATER_MILLIS = 5_000;
    private static final AtomicReference<Object> FILLER = new AtomicReference<>();

    @Test
    void aHandOutAndAnAddWithoutMemoryLoseNothing() throws Exception {
        Process run = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx24m",
                "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), FullHeapTest.class.getName())
                .redirectErrorStream(true).start();
        String printed = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, run.waitFor(), printed);
        assertEquals("without memory: 2\n", printed);
    }

    /** Fills the heap to its last object and lets it go, twice: while positions are handed out, and while some are added. */
    public static void main(String[] arguments) {
        FILLER.set(fill());
        FILLER.set(null);
        HeapIndex index = new HeapIndex();
        for (int entry = 0; entry < POSITIONS; entry++) {
            index.add(FIRST_MILLIS + entry, LEDGER, entry);
        }
        BitSet taken = new BitSet(1 << 16);
        PositionSink sink = (ledgerId, entryId) -> taken.set((int) entryId);
        int failed = 0;
        index.takeDue(FIRST_MILLIS, 1, sink);
        FILLER.set(fill());
        try {
            index.takeDue(LATER_MILLIS, POSITIONS, sink);
        } catch (OutOfMemoryError e) {
            failed++;
        }
        FILLER.set(null);
        int added = POSITIONS;
        FILLER.set(fill());
        try {
            while (true) {
                index.add(FIRST_MILLIS, LEDGER, added);
                added++;
            }
        } catch (OutOfMemoryError e) {
            failed++;
        }
        FILLER.set(null);
        index.validate();
        index.takeDue(LATER_MILLIS, Integer.MAX_VALUE, sink);
        boolean isAll = taken.cardinality() >= added && index.size() == 0 && index.nextDueMillis() == Long.MAX_VALUE;
        System.out.print("without memory: " + failed + "\n" + (isAll ? "" : taken + " of " + added + " " + index.size()));
        System.exit(isAll ? 0 : 1);
    }

    private static Object fill() {
        List<Object> filler = new ArrayList<>(1 << 20);
        for (int bytes = 1 << 20; bytes >= 8; bytes /= 2) {
            fillWith(filler, bytes);
        }
        return filler;
    }

    private static void fillWith(List<Object> filler, int bytes) {
        try {
            while (true) {
                filler.add(new byte[bytes]);
            }
        } catch (OutOfMemoryError e) {
            // The next size may still fit; when none does the heap is full.
        }
    }
}
