/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.HashMap;
import java.util.Map;

/**
 * The order in which the messages of keys came for the first time: those of one key and one due time, or of one key and without
 * delay, are numbered as they were sent. Not thread safe.
 */
final class KeyOrder {

    private final Map<Group, Long> last = new HashMap<>();

    /** What is in order among itself. */
    private record Group(String key, long dueMillis) {
    }

    /** A message has come for the first time: whether none that was sent later has. */
    boolean isNext(String key, long dueMillis, long message) {
        return last.merge(new Group(key, dueMillis), message, Math::max) == message;
    }
}
