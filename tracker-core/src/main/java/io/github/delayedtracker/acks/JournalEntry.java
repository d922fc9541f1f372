/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static io.github.delayedtracker.acks.PositionBytes.NUMBERS;
import static io.github.delayedtracker.acks.PositionBytes.NUMBER_BYTES;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.delayedtracker.bytes.Varint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * One entry of a journal's ledger: the head, or positions, kept ones by themselves. Its bytes are a version, a kind, the content
 * and the CRC32C of all before it. A version or kind that is not known, with a checksum that holds, is a newer one.
 *
 * <p>The content of positions is the limit of the cursor's record when they were written, then {@link PositionBytes}. An entry
 * takes as many chunks of positions as fit; its number in the ledger is its sequence number.
 */
final class JournalEntry {

    private static final byte VERSION = 1;
    private static final byte HEAD = 1;
    private static final byte POSITIONS = 2;
    /** Positions for which the journal does not end. */
    private static final byte KEPT = 3;
    private static final int FRAME_BYTES = 2 + Integer.BYTES;

    private JournalEntry() {
    }

    /** The first entry. */
    static ByteBuffer head(JournalHead head) {
        byte[] topic = head.topic().getBytes(UTF_8);
        byte[] cursor = head.cursor().getBytes(UTF_8);
        ByteBuffer bytes = begin(HEAD, 2 * NUMBER_BYTES + topic.length + cursor.length);
        Varint.write(bytes, topic.length);
        bytes.put(topic);
        Varint.write(bytes, cursor.length);
        bytes.put(cursor);
        return end(bytes);
    }

    /**
     * Entries with all of the positions, none of them longer than a limit of at least {@link PositionBytes#CHUNK_BYTES} and a
     * frame. Linear in the words.
     *
     * @param kept whether the journal is not to end for them
     * @param most the limit of the cursor's record
     */
    static List<ByteBuffer> positions(AckedPositions positions, boolean kept, long most, int mostBytes) {
        List<ByteBuffer> entries = new ArrayList<>();
        int room = mostBytes - FRAME_BYTES - NUMBER_BYTES;
        for (ByteBuffer content : new PositionBytes(room).encode(positions)) {
            ByteBuffer bytes = begin(kept ? KEPT : POSITIONS, NUMBER_BYTES + content.remaining());
            Varint.write(bytes, most);
            bytes.put(content);
            entries.add(end(bytes));
        }
        return entries;
    }

    private static ByteBuffer begin(byte kind, int contentBytes) {
        return ByteBuffer.allocate(FRAME_BYTES + contentBytes).put(VERSION).put(kind);
    }

    private static ByteBuffer end(ByteBuffer bytes) {
        return bytes.putInt(checksum(bytes.duplicate().flip())).flip();
    }

    static JournalHead readHead(ByteBuffer entry) throws DamagedJournalException {
        ByteBuffer content = content(entry, HEAD, HEAD);
        JournalHead head = new JournalHead(text(content), text(content));
        if (content.hasRemaining()) {
            throw DamagedJournalException.damaged("a head ends with the name of the cursor", content.remaining() + " bytes more");
        }
        return head;
    }

    /** Adds the positions of an entry to bitmaps, and answers the limit in force when they were written. */
    static long readPositions(ByteBuffer entry, Map<Long, long[]> into, Map<Long, long[]> keptInto)
            throws DamagedJournalException {
        ByteBuffer content = content(entry, POSITIONS, KEPT);
        long most = NUMBERS.read(content);
        if (entry.get(entry.position() + 1) == KEPT) {
            PositionBytes.decode(content.duplicate(), keptInto);
        }
        PositionBytes.decode(content, into);
        return most;
    }

    /** The content of an entry of one of some kinds. */
    private static ByteBuffer content(ByteBuffer entry, byte first, byte last) throws DamagedJournalException {
        if (entry.remaining() < FRAME_BYTES) {
            throw DamagedJournalException.damaged("an entry has at least " + FRAME_BYTES + " bytes", entry.remaining());
        }
        ByteBuffer bytes = entry.slice();
        int sum = bytes.getInt(bytes.limit() - Integer.BYTES);
        bytes.limit(bytes.limit() - Integer.BYTES);
        if (checksum(bytes.duplicate()) != sum) {
            throw DamagedJournalException.damaged("the checksum of an entry holds", Integer.toHexString(sum));
        }
        byte version = bytes.get();
        byte found = bytes.get();
        if (version > VERSION || found > KEPT) {
            throw DamagedJournalException.newer("versions up to " + VERSION + " and kinds up to " + KEPT + " are known",
                    "version " + version + " kind " + found);
        }
        if (version < 1 || found < first || found > last) {
            throw DamagedJournalException.damaged("the kind of the entry is " + first + " to " + last, "version " + version
                    + " kind " + found);
        }
        return bytes;
    }

    private static String text(ByteBuffer from) throws DamagedJournalException {
        long length = NUMBERS.read(from);
        if (length > from.remaining()) {
            throw DamagedJournalException.damaged("a name ends within its entry", length + " bytes");
        }
        byte[] text = new byte[(int) length];
        from.get(text);
        return new String(text, UTF_8);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
