/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

/** What becomes of the tasks that are queued when an executor closes. Running tasks end by themselves either way. */
public enum CloseMode {

    /** They run, in order, as if nothing had happened. */
    DRAIN,

    /** They never start; their futures fail with {@link ClosedException}. */
    ABANDON
}
