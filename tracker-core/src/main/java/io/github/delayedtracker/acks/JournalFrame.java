/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.delayedtracker.bytes.Varint;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The frame of an entry of a ledger that belongs to a cursor: a version, a kind, the content, and the CRC32C of all before it. A
 * version or kind that is not known, with a checksum that holds, is a newer one. The first entry of each ledger is a head.
 */
public final class JournalFrame {

    /** The kind of the head. */
    public static final byte HEAD = 1;
    /** The bytes of an entry apart from its content. */
    public static final int BYTES = 2 + Integer.BYTES;
    /** The numbers of an entry, none of them negative. */
    public static final Varint.Reader<DamagedJournalException> NUMBERS =
            new Varint.Reader<>(Long.SIZE - 1, DamagedJournalException::damaged);
    /** The longest number, bytes. */
    public static final int NUMBER_BYTES = Varint.bytes(Long.MAX_VALUE);

    private static final byte VERSION = 1;
    /** The last kind that is known: of a move. */
    private static final byte LAST_KIND = 4;

    private JournalFrame() {
    }

    /** A buffer for an entry with so much content, which is to be put next. */
    public static ByteBuffer begin(byte kind, int contentBytes) {
        return ByteBuffer.allocate(BYTES + contentBytes).put(VERSION).put(kind);
    }

    /** The entry, once its content was put. */
    public static ByteBuffer end(ByteBuffer bytes) {
        return bytes.putInt(checksum(bytes.duplicate().flip())).flip();
    }

    /** The first entry. */
    public static ByteBuffer head(JournalHead head) {
        byte[] topic = head.topic().getBytes(UTF_8);
        byte[] cursor = head.cursor().getBytes(UTF_8);
        ByteBuffer bytes = begin(HEAD, 2 * NUMBER_BYTES + topic.length + cursor.length);
        Varint.write(bytes, topic.length);
        bytes.put(topic);
        Varint.write(bytes, cursor.length);
        bytes.put(cursor);
        return end(bytes);
    }

    /** Reads the first entry. */
    public static JournalHead readHead(ByteBuffer entry) throws DamagedJournalException {
        ByteBuffer content = content(entry, HEAD, HEAD);
        JournalHead head = new JournalHead(text(content), text(content));
        if (content.hasRemaining()) {
            throw DamagedJournalException.damaged("a head ends with the name of the cursor", content.remaining() + " bytes more");
        }
        return head;
    }

    /** The content of an entry of one of some kinds. */
    public static ByteBuffer content(ByteBuffer entry, byte first, byte last) throws DamagedJournalException {
        if (entry.remaining() < BYTES) {
            throw DamagedJournalException.damaged("an entry has at least " + BYTES + " bytes", entry.remaining());
        }
        ByteBuffer bytes = entry.slice();
        int sum = bytes.getInt(bytes.limit() - Integer.BYTES);
        bytes.limit(bytes.limit() - Integer.BYTES);
        if (checksum(bytes.duplicate()) != sum) {
            throw DamagedJournalException.damaged("the checksum of an entry holds", Integer.toHexString(sum));
        }
        byte version = bytes.get();
        byte found = bytes.get();
        if (version > VERSION || found > LAST_KIND) {
            throw DamagedJournalException.newer("versions up to " + VERSION + " and kinds up to " + LAST_KIND + " are known",
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
