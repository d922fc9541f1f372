/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;

/** Texts of records as a version of the plugin writes them that is not this one. */
public final class RecordTexts {

    private RecordTexts() {
    }

    /** A version's number, some parts, and the checksum over them. */
    static String of(int version, byte[]... parts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(version);
        for (byte[] part : parts) {
            bytes.writeBytes(part);
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.toByteArray());
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt((int) crc.getValue()).array());
        return Base64.getEncoder().withoutPadding().encodeToString(bytes.toByteArray());
    }

    /** The same as the next version writes it, which has changed nothing but its number. */
    public static String nextVersionOf(String text) {
        byte[] bytes = Base64.getDecoder().decode(text);
        return of(bytes[0] + 1, Arrays.copyOfRange(bytes, 1, bytes.length - Integer.BYTES));
    }
}
