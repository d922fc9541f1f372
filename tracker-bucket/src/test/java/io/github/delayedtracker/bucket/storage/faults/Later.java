/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

/** Virtual time, as far as the storage needs it. */
public interface Later {

    /** Runs an event alone, on the one thread, after a delay in virtual milliseconds; never inside this call. */
    void after(long delayMillis, Runnable event);

    /** Virtual milliseconds since the beginning. */
    long nowMillis();
}
