/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * The state of a subscription with {@code timebucket}, whose parts are full after two positions: with the four there are, parts wait
 * to be sealed, are sealed, merged and written anew while the calls go on.
 */
public class TimeBucketStateCheck extends SubscriptionStateCheck {

    private static final int POSITIONS_OF_A_PART = 2;

    /** With an empty index. */
    public TimeBucketStateCheck() {
        super(() -> new TimeBucketIndex(POSITIONS_OF_A_PART));
    }
}
