/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks.storage;

import io.github.delayedtracker.bucket.storage.SnapshotOwner;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/** A ledger of a {@link FileStorage}: one file, and where its entries end in it. Thread safe. */
final class FileLedger {

    private final long id;
    private final SnapshotOwner owner;
    private final FileChannel file;
    private final List<Long> ends = new ArrayList<>();

    FileLedger(long id, SnapshotOwner owner, FileChannel file) {
        this.id = id;
        this.owner = owner;
        this.file = file;
    }

    long id() {
        return id;
    }

    SnapshotOwner owner() {
        return owner;
    }

    synchronized long append(ByteBuffer bytes) throws IOException {
        long at = lengthBytes();
        int length = bytes.remaining();
        while (bytes.hasRemaining()) {
            file.write(bytes, at + length - bytes.remaining());
        }
        ends.add(at + length);
        return ends.size() - 1L;
    }

    synchronized ByteBuf read(long entryId) throws IOException {
        long from = entryId == 0 ? 0 : ends.get((int) entryId - 1);
        ByteBuffer bytes = ByteBuffer.allocate((int) (ends.get((int) entryId) - from));
        while (bytes.hasRemaining() && file.read(bytes, from + bytes.position()) >= 0) {
            // as far as it comes at a time
        }
        return Unpooled.wrappedBuffer(bytes.flip());
    }

    synchronized long lengthBytes() {
        return ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
    }

    synchronized int entries() {
        return ends.size();
    }

    void close() throws IOException {
        file.close();
    }
}
