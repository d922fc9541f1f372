/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The ledgers of a cursor's journals, as a property of the cursor for each names them: a version, then the ids, with
 * spaces between.
 */
public final class JournalNames {

    /** The property of the journal of acknowledgements. */
    public static final String ACKS = "acks";
    /** The property of the due times that commands have given. */
    public static final String MOVES = "moves";
    /** All of them. */
    public static final List<String> PROPERTIES = List.of(ACKS, MOVES);

    private static final String VERSION = "1";

    private JournalNames() {
    }

    /** The text of some ledgers. */
    public static String encode(List<Long> ledgerIds) {
        return VERSION + ledgerIds.stream().map(id -> " " + id).collect(Collectors.joining());
    }

    /** The ledgers of a text. Fails with NEWER_VERSION or CORRUPT. */
    public static List<Long> decode(String text) throws StorageException {
        String[] words = text.split(" ", -1);
        if (!words[0].matches("[1-9][0-9]*")) {
            throw corrupt(text);
        }
        if (!words[0].equals(VERSION)) {
            throw new StorageException(Kind.NEWER_VERSION, "the names of a journal have version " + words[0]
                    + "; " + VERSION + " is the last one known");
        }
        List<Long> ids = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            if (!words[i].matches("[0-9]{1,18}")) {
                throw corrupt(text);
            }
            ids.add(Long.parseLong(words[i]));
        }
        return ids;
    }

    /** The ledgers that properties name, by names without the prefix. Fails as {@link #decode}. */
    public static List<Long> in(Map<String, String> properties) throws StorageException {
        List<Long> ids = new ArrayList<>();
        for (String property : PROPERTIES) {
            String text = properties.get(property);
            ids.addAll(text == null ? List.of() : decode(text));
        }
        return ids;
    }

    private static StorageException corrupt(String text) {
        return new StorageException(Kind.CORRUPT, "the names of a journal are a version and ledger ids, not " + text);
    }
}
