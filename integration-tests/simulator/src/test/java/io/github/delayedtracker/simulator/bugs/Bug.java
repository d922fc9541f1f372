/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.bugs;

import java.util.Objects;

/**
 * A mistake somebody might make in the production code, as a replacement of one piece of text.
 *
 * @param id short name, unique
 * @param title what goes wrong, in plain words
 * @param like the catalogue rows, rulings or invariants it is taken from
 * @param source the source file, below the directory of all modules
 * @param right text that occurs exactly once in the source
 * @param wrong what stands there instead
 * @param where in which scenarios it is looked for
 */
record Bug(String id, String title, String like, String source, String right, String wrong, Where where) {

    /** Scenarios: of the index in memory, the backend that stores, clusters that share bookies, the journal. */
    enum Where { MEMORY, STORAGE, SWEEP, JOURNAL }

    Bug {
        for (String part : new String[] {id, title, like, source, right}) {
            if (part.isBlank()) {
                throw new IllegalArgumentException("every bug has id, title, like, source and text to replace: " + id);
            }
        }
        if (Objects.equals(right, wrong)) {
            throw new IllegalArgumentException("bug " + id + " changes nothing");
        }
    }

    /** The source with the mistake in it. */
    String into(String sourceText) {
        int at = sourceText.indexOf(right);
        if (at < 0 || sourceText.indexOf(right, at + 1) >= 0) {
            throw new IllegalStateException("the bug " + id + " no longer fits the source " + source
                    + ": the text to replace occurs " + (at < 0 ? "nowhere" : "more than once"));
        }
        return sourceText.substring(0, at) + wrong + sourceText.substring(at + right.length());
    }

    /** The full name of the top-level class in the source file. */
    String className() {
        String path = source.substring(source.indexOf("/java/") + "/java/".length(), source.length() - ".java".length());
        return path.replace('/', '.');
    }
}
