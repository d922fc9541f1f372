/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Commands that end well, badly, and not at all. */
class ShellTest {

    @Test
    void aCommandThatEndsWellSaysNothing() {
        assertDoesNotThrow(() -> Shell.run("true"));
    }

    @Test
    void oneThatFailsIsToldWithItsCodeAndWhatItPrinted() {
        assertEquals("sh -c echo no such link >&2; exit 3 has ended with 3: no such link", assertThrows(IOException.class,
                () -> Shell.run("sh", "-c", "echo no such link >&2; exit 3")).getMessage());
    }

    @Test
    void oneThatDoesNotEndIsEnded() {
        assertEquals("sh -c echo waiting; exec sleep 1000 has not ended within 1 s: waiting", assertThrows(IOException.class,
                () -> Shell.runWithin(1, "sh", "-c", "echo waiting; exec sleep 1000")).getMessage());
    }
}
