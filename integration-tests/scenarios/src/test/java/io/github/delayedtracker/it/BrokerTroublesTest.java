/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BrokerTroublesTest {

    @TempDir
    private Path folder;

    @Test
    void warningsErrorsAndExceptionsOfALogAreFound() throws Exception {
        List<String> lines = List.of("09:07:05.001 [main] INFO  A - \"no Exception\" said",
                "09:07:05.002 [main] WARN  B - a warning", "\tat a.frame(Of.java:1)", "java.io.IOException: why",
                "Caused by: the cause", "09:07:05.003 [io] ERROR C - an error");
        assertEquals(List.of(lines.get(1), lines.get(3), lines.get(4), lines.get(5)), BrokerTroubles.last(log(lines)));
    }

    @Test
    void ofManyTheLastAreTakenAndCut() throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            lines.add("09:07:05.002 [main] WARN  B - " + i + " ".repeat(1_000));
        }
        List<String> last = BrokerTroubles.last(log(lines));
        assertEquals(List.of(25, 400), List.of(last.size(), last.get(0).length()));
        assertEquals(lines.get(99).substring(0, 400), last.get(24));
    }

    private Path log(List<String> lines) throws Exception {
        return Files.write(folder.resolve("broker.log"), lines);
    }
}
