/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.orphans;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;

/**
 * A few short values that all brokers of a cluster share, each under a name. No call blocks or throws; every failure is a
 * {@link StorageException} in the future, which completes on any thread. There is no timeout here. Calls may come from any
 * thread.
 */
public interface SharedValues {

    /**
     * A value as it was read.
     *
     * @param text the value
     * @param version changes with each {@link #put}
     */
    record Versioned(String text, long version) {
    }

    /** The value; empty if there is none. May be older than the last put of another broker. */
    CompletableFuture<Optional<Versioned>> get(String name);

    /**
     * Replaces a value at its version, or makes one where there is none, and answers the new version. Fails with CONFLICT if the
     * value has another version, or is there already. If the call was repeated on the way, the conflict may be its own effect.
     * After any other failure the call may have taken effect, or may still do so.
     */
    CompletableFuture<Long> put(String name, String text, OptionalLong version);

    /**
     * The text of a value that the brokers of a cluster share: words with a space between them. The first word is the version,
     * the last the CRC32C of all before it, its space included, as eight hexadecimal digits. Whatever a later version changes,
     * this form stays, so that a newer text is told from a damaged one.
     */
    final class SharedText {

        /** The version that is written. */
        static final int VERSION = 1;

        private static final String SPACE = " ";

        private SharedText() {
        }

        static String of(String... words) {
            return sealed(VERSION + SPACE + String.join(SPACE, words) + SPACE);
        }

        /** The text with its checksum. */
        static String sealed(String text) {
            return text + checksum(text);
        }

        /** The words between version and checksum. Fails with NEWER_VERSION or CORRUPT. */
        static List<String> words(String what, String text) throws StorageException {
            int end = text.lastIndexOf(SPACE) + 1;
            if (end == 0 || !text.substring(end).equals(checksum(text.substring(0, end)))) {
                throw corrupt(what, text);
            }
            List<String> words = List.of(text.substring(0, end).split(SPACE));
            long version = number(what, words.isEmpty() ? text : words.get(0));
            if (version > VERSION) {
                throw new StorageException(Kind.NEWER_VERSION,
                        what + " is of version " + version + ", known are those up to " + VERSION);
            }
            if (version < 1) {
                throw corrupt(what, text);
            }
            return words.subList(1, words.size());
        }

        static long number(String what, String word) throws StorageException {
            try {
                return Long.parseLong(word);
            } catch (NumberFormatException e) {
                throw corrupt(what, word);
            }
        }

        static StorageException corrupt(String what, String text) {
            return new StorageException(Kind.CORRUPT,
                    what + " is damaged: it has a version, its words and their checksum, got '" + text + "'");
        }

        private static String checksum(String text) {
            CRC32C crc = new CRC32C();
            crc.update(text.getBytes(UTF_8));
            return String.format("%08x", crc.getValue());
        }
    }
}
