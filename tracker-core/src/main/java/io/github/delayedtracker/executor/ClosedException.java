/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

/** The failure of a task that was submitted after its executor began to close, or was queued when it abandoned its tasks. */
public final class ClosedException extends NotStartedException {

    private static final long serialVersionUID = 1L;

    private final String key;

    private ClosedException(Object key, String message) {
        super(message, null);
        this.key = String.valueOf(key);
    }

    static ClosedException refused(Object key) {
        return new ClosedException(key, "Task of key " + key + " not accepted: the executor is closed");
    }

    static ClosedException abandoned(Object key) {
        return new ClosedException(key, "Queued task of key " + key + " abandoned: the executor was closed");
    }

    /** The key, as text. */
    public String key() {
        return key;
    }
}
