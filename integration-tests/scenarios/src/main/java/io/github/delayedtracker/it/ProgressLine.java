/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.Console;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells on a stream how far a program is: on a terminal by one line that is written over, elsewhere by a line every few seconds,
 * since a log keeps whatever is written to it. One thread at a time.
 */
final class ProgressLine {

    private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final PrintStream out;
    private final boolean terminal;
    private final LongSupplier clockNanos;
    private long nextNanos;
    private int width;
    private String unsaid = "";

    ProgressLine(PrintStream out, boolean terminal, LongSupplier clockNanos) {
        this.out = out;
        this.terminal = terminal;
        this.clockNanos = clockNanos;
        this.nextNanos = clockNanos.getAsLong();
    }

    /** On the standard output. */
    static ProgressLine onStandardOutput() {
        return new ProgressLine(System.out, isTerminal(), System::nanoTime);
    }

    // Until Java 21 there is a console on a terminal only, from 22 on it is asked.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
        Console console = System.console();
        if (console == null || Runtime.version().feature() < 22) {
            return console != null;
        }
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Console.isTerminal of Java 22 and later cannot be called", e);
        }
    }

    /** Shows the state of the moment, unless another was shown a moment ago. */
    void show(String state) {
        if (terminal) {
            write('\r' + state + " ".repeat(Math.max(0, width - state.length())));
            width = state.length();
        } else if (clockNanos.getAsLong() - nextNanos >= 0) {
            nextNanos = clockNanos.getAsLong() + GAP_NANOS;
            unsaid = "";
            write(state + System.lineSeparator());
        } else {
            unsaid = state;
        }
    }

    /** Shows the last state, if it was left out, and ends the line. */
    void end() {
        if (terminal || !unsaid.isEmpty()) {
            write(unsaid + System.lineSeparator());
        }
        unsaid = "";
        width = 0;
    }

    private void write(String text) {
        out.print(text);
        out.flush();
    }
}
