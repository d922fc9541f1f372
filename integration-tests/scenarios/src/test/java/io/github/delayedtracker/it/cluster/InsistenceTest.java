/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A command that is refused is tried again, and not without end. */
class InsistenceTest {

    private static final long MOST_MILLIS = 10_000;

    private final Deque<Exception> answers = new ArrayDeque<>();
    private long nowMillis = 77;
    private long tryMillis = 1;
    private int tries;

    private Insistence insistence() {
        return new Insistence(MOST_MILLIS, () -> nowMillis, millis -> nowMillis += millis);
    }

    /** Refused for the reasons that are given, and done then. */
    private void command() throws Exception {
        tries++;
        nowMillis += tryMillis;
        if (!answers.isEmpty()) {
            throw answers.remove();
        }
    }

    private void refusedFor(String... reasons) {
        Arrays.stream(reasons).map(IllegalStateException::new).forEach(answers::add);
    }

    @Test
    void whatIsDoneAtOnceIsTriedOnce() throws InterruptedException {
        assertEquals(Optional.empty(), insistence().refusal(this::command));
        assertEquals(1, tries);
    }

    @Test
    void whatIsRefusedAtFirstIsTriedUntilItIsDone() throws InterruptedException {
        refusedFor("the bundle is on the move", "the broker starts");
        assertEquals(Optional.empty(), insistence().refusal(this::command));
        assertEquals(3, tries);
    }

    @Test
    void whatIsRefusedForEverIsGivenUpWithTheLastReasonWithinItsTime() throws InterruptedException {
        long fromMillis = nowMillis;
        for (int i = 0; i < 100; i++) {
            refusedFor("reason " + i);
        }
        assertEquals(Optional.of("java.lang.IllegalStateException: reason " + (tries() - 1)),
                insistence().refusal(this::command));
        assertEquals(tries(), tries);
        assertTrue(nowMillis - fromMillis <= MOST_MILLIS + tryMillis, () -> nowMillis - fromMillis + " ms");
    }

    /** With a second between them, and the first at once. */
    private static int tries() {
        return (int) (MOST_MILLIS / 1_001) + 1;
    }

    @Test
    void aTryThatIsNotAnsweredInTimeIsTheLast() throws InterruptedException {
        tryMillis = MOST_MILLIS;
        refusedFor("no answer within ten seconds", "not asked for");
        assertEquals(Optional.of("java.lang.IllegalStateException: no answer within ten seconds"),
                insistence().refusal(this::command));
        assertEquals(1, tries);
    }

    @Test
    void anInterruptIsNoRefusal() {
        answers.add(new InterruptedException());
        assertThrows(InterruptedException.class, () -> insistence().refusal(this::command));
        assertEquals(1, tries);
    }

    @Test
    void aBrokersAnswerIsToldInOneLineWithoutItsStack() {
        assertEquals("java.lang.Exception: --- An error --- Message: Not enough non-faulty bookies available",
                Insistence.inOneLine(new Exception("\n --- An error ---\n\nMessage: Not enough non-faulty bookies available\n\n"
                        + "Stacktrace:\n\nat a.b.C")));
    }

    @Test
    void whatHasToBeDoneIsNamedWhenItIsNot() {
        tryMillis = MOST_MILLIS;
        refusedFor("in use");
        assertEquals("to mend a link was refused for 10000 ms, in the end by: java.lang.IllegalStateException: in use",
                assertThrows(IllegalStateException.class, () -> insistence().done("to mend a link", this::command)).getMessage());
    }
}
