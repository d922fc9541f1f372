/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-decoding, once and strictly: a plus sign is a plus sign, and bytes that are no UTF-8 are refused. */
final class Percent {

    private Percent() {
    }

    /**
     * Decodes a part of a path or query.
     *
     * @param what it is, for the reason
     * @throws Failure 400 if it is not well-formed, or has a control character in it
     */
    static String decode(String what, String encoded) {
        byte[] bytes = encoded.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '%') {
                decoded.write(hex(what, encoded, bytes, i + 1) << 4 | hex(what, encoded, bytes, i + 2));
                i += 2;
            } else {
                decoded.write(bytes[i]);
            }
        }
        String text;
        try {
            text = utf8(decoded.toByteArray());
        } catch (CharacterCodingException e) {
            throw new Failure(400, what + " is not UTF-8 once decoded: " + Printable.value(encoded));
        }
        if (Printable.steers(text)) {
            throw new Failure(400, what + " has a control character in it: " + Printable.value(text));
        }
        return text;
    }

    /** The text of bytes that have to be UTF-8. */
    static String utf8(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    private static int hex(String what, String encoded, byte[] bytes, int at) {
        int digit = at < bytes.length && bytes[at] > 0 ? Character.digit(bytes[at], 16) : -1;
        if (digit < 0) {
            throw new Failure(400, what + " has a percent sign without two hexadecimal digits: " + Printable.value(encoded));
        }
        return digit;
    }
}
