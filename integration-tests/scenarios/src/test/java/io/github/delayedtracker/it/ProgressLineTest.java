/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A8: progress is one line on a terminal, and a few in a log. */
class ProgressLineTest {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long nowNanos = Long.MAX_VALUE - 1;

    private ProgressLine line(boolean terminal) {
        return new ProgressLine(new PrintStream(bytes, true, StandardCharsets.UTF_8), terminal, () -> nowNanos);
    }

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }

    @Test
    void aTerminalHasOneLineThatIsWrittenOver() {
        ProgressLine line = line(true);
        line.show("sent 100");
        line.show("sent 9");
        line.end();
        assertEquals("\rsent 100\rsent 9  \n", shown());
    }

    @Test
    void aLogHasTheFirstStateThenOneEveryThreeSeconds() {
        ProgressLine line = line(false);
        for (int tenths = 0; tenths <= 60; tenths++) {
            line.show("after " + tenths);
            nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
        }
        assertEquals("after 0\nafter 30\nafter 60\n", shown());
    }

    @Test
    void theLastStateIsShownAtTheEnd() {
        ProgressLine line = line(false);
        line.show("sent 1");
        line.show("sent 2");
        line.end();
        line.end();
        assertEquals("sent 1\nsent 2\n", shown());
    }
}
