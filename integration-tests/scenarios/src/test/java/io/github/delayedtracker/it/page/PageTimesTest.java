/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class PageTimesTest {

    @Test
    void nowComesBeforeTheTimesAskedFor() {
        assertArrayEquals(new long[] {1000, 2000, 3000}, PageApi.times("2000,3000", 1000));
    }

    @Test
    void timesThatHavePassedOnTheWayAreStillInOrder() {
        assertArrayEquals(new long[] {1999, 2000, 3000}, PageApi.times("2000,3000", 2500));
        assertArrayEquals(new long[] {1999, 2000, 3000}, PageApi.times("2000,3000", 2000));
    }

    @Test
    void anythingElseThanTimesIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> PageApi.times("", 1000));
        assertThrows(IllegalArgumentException.class, () -> PageApi.times("2000,now", 1000));
    }
}
