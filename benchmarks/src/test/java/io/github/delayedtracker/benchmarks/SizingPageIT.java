/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The calculator as docs/sizing.md calls it, from the built jar, prints what the page has below the call. */
class SizingPageIT {

    private static final Path PAGE = Path.of("..", "docs", "sizing.md");
    /** A call, in a block that may begin with the build of the jar, and the next block. */
    private static final Pattern CALL = Pattern.compile(
            "(?s)```\\n(?:mvn[^\\n]*\\n)?(java [^`]*SizingCalculator[^`]*)```\\n.*?```\\n(.*?)```");
    private static final int CALLS = 2;

    private static String output(String command) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder("sh", "-e", "-c", command).directory(Path.of("..").toFile());
        shell.environment().merge("PATH", Path.of(System.getProperty("java.home"), "bin") + ":", (path, bin) -> bin + path);
        Process process = shell.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), command);
        return output;
    }

    @Test
    void eachCallPrintsWhatThePageHas() throws Exception {
        List<MatchResult> calls = CALL.matcher(Files.readString(PAGE)).results().toList();
        assertEquals(CALLS, calls.size());
        for (MatchResult call : calls) {
            assertTrue(call.group(1).endsWith("\n"));
            assertEquals(call.group(2), output(call.group(1)), call.group(1));
        }
    }
}
