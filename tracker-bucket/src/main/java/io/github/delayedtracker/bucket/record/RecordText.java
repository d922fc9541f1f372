/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bytes.Varint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * The text of a record: Base64 without padding of numbers of seven bits a byte, the lowest bits first, the highest bit of a byte
 * set while more bytes follow.
 *
 * <pre>
 *   version | sequence | number of live ledgers | number of doomed ones | ids, each as the zigzag difference to the one before
 *   fields by ascending number, each: number * 2, and 1 more if it is required | length | bytes
 *   CRC32C of all before, 4 bytes, big endian
 * </pre>
 * A ledger takes some five characters where ids lie within a million of each other. Version 1, which is read and not written, has
 * neither fields nor a checksum. Whatever a later version changes, its text is Base64, begins with the version and ends with this
 * checksum, which tells a newer record from a damaged one.
 */
final class RecordText {

    /** The most bytes of all fields together: each update of a cursor writes its whole record. */
    static final int MOST_FIELD_BYTES = 4_096;
    /** The version that is written. */
    static final int VERSION = 2;

    private static final int WITHOUT_CHECKSUM = 1;
    /** Numbers of the fields that this version knows. */
    private static final Set<Long> KNOWN_FIELDS = Set.of();
    private static final int LONGEST_NUMBER = Varint.bytes(-1);
    private static final int NUMBERS_BEFORE_IDS = 4;
    private static final String WHAT = "a record of snapshots";
    private static final Varint.Reader<StorageException> NUMBERS = new Varint.Reader<>(Long.SIZE, RecordText::corrupt);

    private RecordText() {
    }

    static boolean isKnown(RecordField field) {
        return KNOWN_FIELDS.contains(field.number());
    }

    /** Refuses fields that no text can have. */
    static void check(List<RecordField> fields) {
        long before = -1;
        long bytes = 0;
        for (RecordField field : fields) {
            bytes += field.length();
            if (field.number() <= before || bytes > MOST_FIELD_BYTES) {
                throw new IllegalArgumentException("fields of a record ascend by number and have at most " + MOST_FIELD_BYTES
                        + " bytes together, got " + fields);
            }
            before = field.number();
        }
    }

    static String of(CatalogueRecord record) {
        int numbers = NUMBERS_BEFORE_IDS + record.live().size() + record.doomed().size() + 2 * record.fields().size();
        int fieldBytes = record.fields().stream().mapToInt(RecordField::length).sum();
        ByteBuffer bytes = ByteBuffer.allocate(numbers * LONGEST_NUMBER + fieldBytes + Integer.BYTES);
        Varint.write(bytes, VERSION);
        Varint.write(bytes, record.sequence());
        Varint.write(bytes, record.live().size());
        Varint.write(bytes, record.doomed().size());
        long before = 0;
        for (List<Long> ids : List.of(record.live(), record.doomed())) {
            for (long id : ids) {
                long difference = id - before;
                Varint.write(bytes, difference << 1 ^ difference >> Long.SIZE - 1);
                before = id;
            }
        }
        for (RecordField field : record.fields()) {
            Varint.write(bytes, field.number() << 1 | (field.isRequired() ? 1 : 0));
            Varint.write(bytes, field.length());
            bytes.put(field.bytes());
        }
        bytes.putInt(checksum(bytes.duplicate().flip()));
        byte[] written = new byte[bytes.flip().remaining()];
        bytes.get(written);
        return Base64.getEncoder().withoutPadding().encodeToString(written);
    }

    static CatalogueRecord read(String text) throws StorageException {
        ByteBuffer bytes;
        try {
            bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw corrupt("it is Base64", text);
        }
        long version = NUMBERS.read(bytes);
        if (version < WITHOUT_CHECKSUM) {
            throw corrupt("versions begin with " + WITHOUT_CHECKSUM, version);
        }
        if (version != WITHOUT_CHECKSUM) {
            checkChecksum(bytes);
        }
        if (version > VERSION) {
            throw StorageException.newer(WHAT, "its version is " + version + ", known are those up to " + VERSION, null);
        }
        return body(bytes, text);
    }

    /** Takes the checksum off the end. */
    private static void checkChecksum(ByteBuffer bytes) throws StorageException {
        int end = bytes.limit() - Integer.BYTES;
        if (end < bytes.position()) {
            throw corrupt("it ends with a checksum", "the end");
        }
        int stored = bytes.getInt(end);
        bytes.limit(end);
        int expected = checksum(bytes.duplicate().position(0));
        if (stored != expected) {
            throw corrupt("the checksum is " + expected, stored);
        }
    }

    private static CatalogueRecord body(ByteBuffer bytes, String text) throws StorageException {
        long sequence = NUMBERS.read(bytes);
        long live = NUMBERS.read(bytes);
        long doomed = NUMBERS.read(bytes);
        if (live < 0 || doomed < 0 || live > bytes.remaining() || doomed > bytes.remaining() - live) {
            throw corrupt("each id has a byte of " + bytes.remaining(), live + " and " + doomed);
        }
        List<Long> ids = new ArrayList<>();
        long before = 0;
        for (long i = 0; i < live + doomed; i++) {
            long zigzag = NUMBERS.read(bytes);
            before += zigzag >>> 1 ^ -(zigzag & 1);
            ids.add(before);
        }
        List<RecordField> fields = fields(bytes);
        CatalogueRecord record;
        try {
            record = new CatalogueRecord(sequence, ids.subList(0, (int) live), ids.subList((int) live, ids.size()), fields);
        } catch (IllegalArgumentException e) {
            throw corrupt(e.getMessage(), text);
        }
        for (RecordField field : fields) {
            if (field.isRequired() && !isKnown(field)) {
                throw StorageException.newer(WHAT, "it has " + field + ", which is not known", null);
            }
        }
        return record;
    }

    private static List<RecordField> fields(ByteBuffer bytes) throws StorageException {
        List<RecordField> fields = new ArrayList<>();
        while (bytes.hasRemaining()) {
            long number = NUMBERS.read(bytes);
            long length = NUMBERS.read(bytes);
            if (number < 0 || length < 0 || length > bytes.remaining()) {
                throw corrupt("a field ends inside", length + " bytes of field " + number);
            }
            byte[] content = new byte[(int) length];
            bytes.get(content);
            fields.add(new RecordField(number >>> 1, (number & 1) != 0, content));
        }
        return fields;
    }

    private static StorageException corrupt(String rule, Object found) {
        return StorageException.corrupt(WHAT, rule + ", found " + found, null);
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /**
     * A field of a record that came with a later version of the plugin than the ledgers did. A version that does not know the
     * field keeps it as it is and goes on. If the field is required, that version can do nothing with the record. Immutable.
     */
    static final class RecordField {

        private final long number;
        private final boolean required;
        private final byte[] bytes;

        /**
         * A field.
         *
         * @param number tells the meaning, 0 or more; never used again for another meaning
         * @param required whether a version that does not know the field may not touch the record
         * @param bytes the content; copied
         */
        public RecordField(long number, boolean required, byte[] bytes) {
            if (number < 0 || number > Long.MAX_VALUE >> 1) {
                throw new IllegalArgumentException("the number of a field is from 0 to 2^62 - 1: " + number);
            }
            this.number = number;
            this.required = required;
            this.bytes = bytes.clone();
        }

        /** The number that tells which field it is. */
        public long number() {
            return number;
        }

        /** Whether a version that does not know the field may not touch the record. */
        public boolean isRequired() {
            return required;
        }

        /** The content. A copy. */
        public byte[] bytes() {
            return bytes.clone();
        }

        /** The length of the content, bytes. */
        int length() {
            return bytes.length;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof RecordField field && number == field.number && required == field.required
                    && Arrays.equals(bytes, field.bytes);
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(number) + Arrays.hashCode(bytes);
        }

        @Override
        public String toString() {
            return (required ? "required field " : "field ") + number + " of " + bytes.length + " bytes";
        }
    }
}
