/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.github.delayedtracker.bucket.snapshot.SegmentEntry;
import io.github.delayedtracker.timebucket.CorruptSegmentException;
import io.github.delayedtracker.timebucket.NewerSegmentException;
import io.github.delayedtracker.timebucket.SealedSegment;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** The plugin's own form: the sealed form of the time-bucket index. What is read is checked against what the head says of it. */
final class SealedForm implements SegmentForm {

    private final List<SegmentEntry> table;

    SealedForm(List<SegmentEntry> table) {
        this.table = List.copyOf(table);
    }

    @Override
    public int count() {
        return table.size();
    }

    @Override
    public long positions() {
        return table.stream().mapToLong(SegmentEntry::positions).sum();
    }

    @Override
    public int bytes(int number) {
        return table.get(number).bytes();
    }

    @Override
    public SegmentColumns decode(int number, ByteBuf bytes) throws DamagedException, NewerException {
        SegmentEntry expected = table.get(number);
        try {
            check("the bytes", expected.bytes(), bytes.readableBytes());
            SealedSegment segment = SealedSegment.read(bytes.nioBuffer());
            check("the positions", expected.positions(), segment.positions());
            check("the first due time", expected.firstDueMillis(), segment.firstDueMillis());
            check("the last due time", expected.lastDueMillis(), segment.lastDueMillis());
            return SegmentColumns.of(segment);
        } catch (NewerSegmentException e) {
            throw new NewerException(e);
        } catch (CorruptSegmentException e) {
            throw new DamagedException(e.getMessage(), e);
        }
    }

    private static void check(String rule, long inHead, long found) throws DamagedException {
        if (inHead != found) {
            throw new DamagedException(rule + " are " + inHead + " by the head, found " + found, null);
        }
    }
}
