/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

/** Is told of the changes of state of an index's buckets, to tell of them elsewhere: an index logs nothing. */
@FunctionalInterface
public interface BucketWatcher {

    /**
     * A bucket has changed its state. Called under the subscription's lock: to be noted, and looked at without it.
     *
     * @param ledgerId where it is stored, or -1 if it is not
     * @param reason why, for a human
     */
    void changed(long ledgerId, BucketState from, BucketState to, String reason);
}
