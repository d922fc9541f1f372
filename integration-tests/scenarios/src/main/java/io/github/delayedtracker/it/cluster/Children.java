/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The processes that were started here: each is ended at the latest when this JVM ends. Thread safe. */
final class Children {

    private static final Set<Process> STARTED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> STARTED.forEach(Children::destroy), "end-cluster"));
    }

    private Children() {
    }

    static void endWithThisJvm(Process process) {
        STARTED.removeIf(other -> !other.isAlive());
        STARTED.add(process);
    }

    /** Ends a process and all that it started, frozen or not. */
    static void destroy(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
