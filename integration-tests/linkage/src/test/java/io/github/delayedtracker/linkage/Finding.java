/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

/** One thing the JVM would refuse, or a method that would no longer be called: who, why, and what it wanted. */
record Finding(String from, Kind kind, String target) implements Comparable<Finding> {

    enum Kind {
        MISSING_CLASS("refers to missing class"),
        MISSING_ANCESTOR("has missing ancestor"),
        MISSING_MEMBER("refers to missing member"),
        INACCESSIBLE_CLASS("refers to inaccessible class"),
        INACCESSIBLE_MEMBER("refers to inaccessible member"),
        STATIC_CHANGED("disagrees about static of"),
        INTERFACE_CHANGED("disagrees about class or interface of"),
        ABSTRACT_CLASS("creates abstract class"),
        FINAL_CLASS("extends final class"),
        SEALED_CLASS("is not permitted by sealed"),
        FINAL_METHOD("overrides final method"),
        OPEN_METHOD("leaves abstract method open"),
        CONFLICTING_DEFAULTS("inherits conflicting defaults of"),
        LOST_OVERRIDE("no longer overrides with");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    @Override
    public int compareTo(Finding other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return from + " " + kind.words + " " + target;
    }
}
