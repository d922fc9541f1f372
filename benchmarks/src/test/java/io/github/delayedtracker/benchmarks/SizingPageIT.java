/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The calculator as docs/sizing.md calls it, from the built jar, prints what the page has below the call;
 * {@code -Ddelayed.docs.write=true} writes it there.
 */
class SizingPageIT {

    private static final Path PAGE = Path.of("..", "docs", "sizing.md");
    /** A call, in a block that may begin with the build of the jar, and the next block. */
    private static final Pattern CALL = Pattern.compile(
            "(?s)```\\n(?:mvn[^\\n]*\\n)?(java [^`]*SizingCalculator[^`]*)```\\n.*?```\\n(.*?)```");
    private static final int CALLS = 2;

    private static String output(String command) {
        ProcessBuilder shell = new ProcessBuilder("sh", "-e", "-c", command).directory(Path.of("..").toFile());
        shell.environment().merge("PATH", Path.of(System.getProperty("java.home"), "bin") + ":", (path, bin) -> bin + path);
        try {
            Process process = shell.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), command);
            return output;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(command, e);
        }
    }

    private static String withWhatIsPrinted(MatchResult call) {
        return call.group().substring(0, call.start(2) - call.start()) + output(call.group(1)) + "```";
    }

    @Test
    void eachCallPrintsWhatThePageHas() throws IOException {
        String page = Files.readString(PAGE);
        assertEquals(CALLS, CALL.matcher(page).results().count());
        String made = CALL.matcher(page).replaceAll(call -> Matcher.quoteReplacement(withWhatIsPrinted(call)));
        if (Boolean.getBoolean("delayed.docs.write")) {
            Files.writeString(PAGE, made);
        } else {
            assertEquals(made, page, "made again with -Ddelayed.docs.write=true");
        }
    }
}
