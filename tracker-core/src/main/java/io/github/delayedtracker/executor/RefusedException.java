/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

/** A task was refused because too many tasks of its key were queued. The caller may try again later. */
public final class RefusedException extends NotStartedException {

    private static final long serialVersionUID = 1L;

    private final String key;
    private final int limit;
    private final int length;

    RefusedException(Object key, int limit, int length) {
        super("Task of key " + key + " refused: " + length + " tasks are queued, and at " + limit + " or more none is added",
                null);
        this.key = String.valueOf(key);
        this.limit = limit;
        this.length = length;
    }

    /** The key, as text. */
    public String key() {
        return key;
    }

    /** From how many queued tasks on a task is refused. */
    public int limit() {
        return limit;
    }

    /** How many tasks of the key were queued, the running one not counted; above the limit if some could not be refused. */
    public int length() {
        return length;
    }
}
