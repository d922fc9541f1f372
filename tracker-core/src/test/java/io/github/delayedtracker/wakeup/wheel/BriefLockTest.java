/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BriefLockTest {

    private static final int ROUNDS = 200_000;

    private final BriefLock lock = new BriefLock();
    @GuardedBy("lock")
    private long count;

    private void countUp() {
        for (int i = 0; i < ROUNDS; i++) {
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
        }
    }

    @Test
    void threadsExcludeEachOtherAndSeeWhatTheOthersWrote() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 6; t++) {
            Thread thread = new Thread(this::countUp);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        lock.lock();
        try {
            assertEquals(6L * ROUNDS, count);
        } finally {
            lock.unlock();
        }
    }

    @Test
    void whatIsTakenCannotBeTakenAgainUntilItIsGivenBack() {
        assertTrue(lock.tryLock());
        assertFalse(lock.tryLock());
        lock.unlock();
        assertTrue(lock.tryLock());
    }

    @Test
    void whatNeedsMoreThanABriefLockIsRefused() {
        assertThrows(UnsupportedOperationException.class, lock::newCondition);
        assertThrows(UnsupportedOperationException.class, lock::lockInterruptibly);
        assertThrows(UnsupportedOperationException.class, () -> lock.tryLock(1, TimeUnit.SECONDS));
    }
}
