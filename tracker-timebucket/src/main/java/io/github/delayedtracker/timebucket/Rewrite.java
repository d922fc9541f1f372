/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Some segments on their way into one, which may be made on another thread. It reads copies, so that thread needs no lock.
 * Positions that leave the segments meanwhile leave the new one when that is taken over. {@link #run} may be called from any
 * thread, all else is for the holder of the index.
 */
final class Rewrite implements Runnable {

    /** Calls of {@link #isReady} after which work that was taken, but not begun, is done here. */
    private static final int MOST_WAITS = 1 << 12;
    /** Positions that may have left when it is ready: each is looked up in the new segment. */
    private static final int MOST_GONE = 2_000;
    /** Positions that one call looks up. */
    private static final int GONE_A_CALL = 200;

    private final Segment[] sources;
    private final SegmentCopy[] copies;
    private final int room;
    private final long copiedBytes;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicReference<Segment> made = new AtomicReference<>();
    private boolean taken;
    private int waits;

    /** Takes copies of a range of segments. */
    Rewrite(SegmentOrder segments, SegmentRange range, int capacity) {
        int count = range.to() + 1 - range.from();
        sources = new Segment[count];
        copies = new SegmentCopy[count];
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            sources[i] = segments.get(range.from() + i);
            copies[i] = sources[i].copy();
            bytes += copies[i].retainedBytes();
        }
        copiedBytes = bytes;
        room = Math.max(capacity, range.largest());
    }

    /** Makes the segment, unless another call has begun to. */
    @Override
    public void run() {
        if (!begun.getAndSet(true)) {
            Scratch scratch = Scratch.borrow(room);
            for (SegmentCopy copy : copies) {
                int middle = scratch.count;
                copy.copyTo(scratch);
                scratch.mergeFrom(middle);
            }
            made.set(Segment.of(scratch));
            Scratch.giveBack(scratch);
        }
    }

    /** Whether it has to be passed on; only the first call says so. */
    boolean take() {
        boolean first = !taken;
        taken = true;
        return first;
    }

    /**
     * Whether it ended, well or not. Who has taken it is waited for. It is done here in the second call if nobody has taken it,
     * and after a long time if nobody has begun.
     */
    boolean isReady() {
        waits++;
        if (!begun.get() && waits > (taken ? MOST_WAITS : 1)) {
            run();
        }
        return made.getAcquire() != null || waits > 2 * MOST_WAITS;
    }

    /** Whether there is a segment, and it is worth to be taken over: too much may have left. */
    boolean isUseful() {
        int gone = 0;
        for (int i = 0; i < sources.length; i++) {
            gone += copies[i].size() - sources[i].size();
        }
        return made.getAcquire() != null && gone <= MOST_GONE;
    }

    /** Removes some of what has left meanwhile from the new segment; whether that was all. It must be useful. */
    boolean catchUp() {
        Segment segment = made.getAcquire();
        int left = GONE_A_CALL;
        for (int i = 0; i < sources.length && left > 0; i++) {
            left -= copies[i].dropGoneFrom(sources[i], left, segment::remove);
        }
        return left > 0;
    }

    /** The new segment, of which all that has left is removed once {@link #catchUp} says so. */
    Segment segment() {
        return made.getAcquire();
    }

    /** The segments that it is made of, some of which may be empty now. */
    Segment[] sources() {
        return sources;
    }

    /** The bytes of what was copied and of the new segment. */
    long retainedBytes() {
        Segment segment = made.getAcquire();
        return copiedBytes + (segment == null ? 0 : segment.retainedBytes());
    }
}
