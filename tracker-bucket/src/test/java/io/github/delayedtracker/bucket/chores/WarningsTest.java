/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.chores.Warnings.Sort;
import io.github.delayedtracker.bucket.chores.Warnings.WarningLines;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A1: what is written of failures of the storage, and what is not. */
class WarningsTest {

    private static final long MINUTE_MILLIS = 60_000;
    private final StorageException away = new StorageException(Kind.UNAVAILABLE, "no bookie is there");

    private long nowMillis = 1;
    private final Warnings warnings = new Warnings();

    @Test
    void a1_anOutageForTenThousandSubscriptionsIsTensOfLinesAMinute() {
        int subscriptions = 10_000;
        Warnings.Own[] all = new Warnings.Own[subscriptions];
        for (int i = 0; i < subscriptions; i++) {
            all[i] = new Warnings.Own();
        }
        int minutes = 30;
        long failures = 0;
        long lines = 0;
        long told = 0;
        for (int tenSeconds = 0; tenSeconds < 6 * minutes; tenSeconds++) {
            for (int i = 0; i < subscriptions; i++) {
                OptionalLong heldBack = warnings.admit(all[i], Sort.TRIED_AGAIN, nowMillis + tenSeconds * 10_000L);
                failures++;
                lines += heldBack.isPresent() ? 1 : 0;
                told += heldBack.orElse(0);
            }
        }
        assertEquals(1_800_000, failures);
        assertEquals((long) minutes * Warnings.LINES_A_MINUTE, lines);
        assertTrue(told > 0, "what was held back is told");
    }

    @Test
    void a1_oneSubscriptionWritesOneLineAMinuteAndTellsHowManyItHeldBack() {
        Warnings.Own own = new Warnings.Own();
        assertEquals(OptionalLong.of(0), warnings.admit(own, Sort.TRIED_AGAIN, nowMillis));
        for (int i = 0; i < 7; i++) {
            assertEquals(OptionalLong.empty(), warnings.admit(own, Sort.TRIED_AGAIN, nowMillis + MINUTE_MILLIS - 1));
        }
        assertEquals(OptionalLong.of(7), warnings.admit(own, Sort.TRIED_AGAIN, nowMillis + MINUTE_MILLIS));
    }

    @Test
    void a1_anOutageHidesNeitherADefectNorALoss() {
        for (int i = 0; i < 100; i++) {
            warnings.admit(new Warnings.Own(), Sort.TRIED_AGAIN, nowMillis);
        }
        Warnings.Own own = new Warnings.Own();
        assertEquals(OptionalLong.empty(), warnings.admit(own, Sort.TRIED_AGAIN, nowMillis));
        assertEquals(OptionalLong.of(0), warnings.admit(own, Sort.UNEXPECTED, nowMillis));
        assertEquals(OptionalLong.of(0), warnings.admit(own, Sort.LOST, nowMillis));
    }

    @Test
    void a1_aClockThatWasSetBackBeginsANewMinute() {
        Warnings.Own own = new Warnings.Own();
        assertEquals(OptionalLong.of(0), warnings.admit(own, Sort.TRIED_AGAIN, nowMillis + 1_000 * MINUTE_MILLIS));
        assertEquals(OptionalLong.of(0), warnings.admit(own, Sort.TRIED_AGAIN, nowMillis));
    }

    @Test
    void a1_whatNobodyExpectedCarriesItsStackTraceAndAKnownOutageDoesNot() {
        WarningLines lines = new WarningLines(() -> nowMillis);
        Throwable defect = new NullPointerException("a defect");
        Logger log = LoggerFactory.getLogger(WarningsTest.class);
        List<LogEvent> written = CapturedLog.of(WarningsTest.class, Level.WARN, () -> {
            lines.write(log, new Warnings.Own(), "sub", "A seal failed", new CompletionException(away));
            lines.write(log, new Warnings.Own(), "sub", "A seal failed",
                    new StorageException(Kind.UNEXPECTED, "writing failed", defect));
            lines.write(log, new Warnings.Own(), "sub", "A seal failed", new OutOfMemoryError("none left"));
            lines.write(log, new Warnings.Own(), "sub", "A seal failed", new StorageException(Kind.CLOSED, "closed"));
        });
        assertEquals(List.of("[sub] A seal failed: " + away, "[sub] A seal failed", "[sub] A seal failed"),
                written.stream().map(event -> event.getMessage().getFormattedMessage()).toList());
        assertNull(written.get(0).getThrown());
        assertEquals(defect, written.get(1).getThrown().getCause());
        assertEquals(OutOfMemoryError.class, written.get(2).getThrown().getClass());
    }

    @Test
    void a1_aLossThatNobodyExpectedCarriesItsStackTrace() {
        WarningLines lines = new WarningLines(() -> nowMillis);
        Logger log = LoggerFactory.getLogger(WarningsTest.class);
        List<LogEvent> written = CapturedLog.of(WarningsTest.class, Level.WARN, () -> {
            lines.writeLoss(log, new Warnings.Own(), "sub", "A ledger is given up", away);
            lines.writeLoss(log, new Warnings.Own(), "sub", "A ledger is given up", new IllegalStateException("a defect"));
        });
        assertNull(written.get(0).getThrown());
        assertEquals(IllegalStateException.class, written.get(1).getThrown().getClass());
    }
}
