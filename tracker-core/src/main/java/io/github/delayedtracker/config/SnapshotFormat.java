/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The form in which a backend writes its snapshots. */
public enum SnapshotFormat {
    /** The plugin's own form. */
    COMPACT,
    /** The form of the stock bucket tracker, under its names. */
    PIP195;

    /** The names as they stand in a configuration. */
    static List<String> names() {
        return Arrays.stream(values()).map(format -> format.name().toLowerCase(Locale.ROOT)).toList();
    }

    static SnapshotFormat of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
