/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import java.util.concurrent.CompletableFuture;

/** A kind of work on the buckets of one subscription that is looked at again and again. */
interface Chore {

    /** Does everything to be done now. In the subscription's order, one call at a time, unless the chore says otherwise. */
    CompletableFuture<Void> run();

    /** The time to look again though nothing happens, in epoch milliseconds; Long.MAX_VALUE for never. */
    long nextMillis();

    /** Whether nothing is under way or left to do, so that the subscription may rest as far as this chore goes. */
    boolean isIdle();
}
