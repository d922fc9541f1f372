/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

/** The failure of queued tasks whose key the threads below the executor did not accept; the cause says why. */
public final class NoThreadException extends NotStartedException {

    private static final long serialVersionUID = 1L;

    NoThreadException(Object key, Throwable cause) {
        super("Queued task of key " + key + " given up: no thread accepts it: " + cause, cause);
    }
}
