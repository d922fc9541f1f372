/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

/** Text that users gave, made fit to be shown and logged: one line, bounded, nothing that steers a terminal. */
final class Printable {

    /** The most characters of one value. */
    private static final int LONGEST_VALUE = 80;

    private Printable() {
    }

    /** A value, quoted and cut short. */
    static String value(String text) {
        String shown = text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "..." : text;
        return "'" + line(shown) + "'";
    }

    /** A text of one line: what is not to be printed is replaced by a question mark. */
    static String line(String text) {
        return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
    }

    /** Whether the text holds a control character. */
    static boolean steers(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }
}
