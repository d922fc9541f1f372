/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.time.DateTimeException;
import java.time.Instant;

/** Text from elsewhere, made fit for a terminal and for columns: one line, nothing that steers, no tab. */
final class Text {

    private Text() {
    }

    /** Epoch milliseconds as users read them, in UTC. */
    static String time(long millis) {
        try {
            return Instant.ofEpochMilli(millis).toString();
        } catch (DateTimeException e) {
            return Long.toString(millis);
        }
    }

    static String line(String text) {
        return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
    }
}
