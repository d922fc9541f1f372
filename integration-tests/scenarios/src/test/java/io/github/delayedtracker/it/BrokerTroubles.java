/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Prints what the broker logged as a warning or worse before one of its scenarios failed, as lines that {@code .ci/run} repeats
 * at its end: the machine on which it ran may be gone with the log.
 */
final class BrokerTroubles implements TestExecutionExceptionHandler {

    private static final int LINES = 25;
    private static final int WIDTH = 400;
    private static final Pattern TROUBLE = Pattern.compile(" (WARN|ERROR) |^\\S*(Exception|Error)\\b|^Caused by: ");

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        OnABroker scenarios = context.getRequiredTestInstances().findInstance(OnABroker.class).orElseThrow();
        if (!(failure instanceof TestAbortedException) && scenarios.broker() instanceof ProcessBroker broker) {
            try {
                last(broker.folder().log()).forEach(line ->
                        System.out.println("[ERROR] broker " + broker.name() + ": " + line));
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    /** The last lines of a log that tell of trouble, oldest first, each cut to its first 400 characters. */
    static List<String> last(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            List<String> all = lines.filter(line -> TROUBLE.matcher(line).find())
                    .map(line -> line.substring(0, Math.min(WIDTH, line.length()))).toList();
            return all.subList(Math.max(0, all.size() - LINES), all.size());
        }
    }
}
