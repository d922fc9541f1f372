/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Commands that a cluster may refuse: each is tried again until it is done or its time is over, with a second between two tries.
 * A try that is under way when the time is over is waited for, so each try has to have an end of its own.
 */
final class Insistence {

    private static final long GAP_MILLIS = 1_000;
    private static final int MOST_LETTERS = 200;

    private final long mostMillis;
    private final LongSupplier clockMillis;
    private final Pause pause;

    /** A command, which throws if it is refused or not answered. */
    @FunctionalInterface
    interface Command {

        void run() throws Exception;
    }

    /** Lets time pass. */
    @FunctionalInterface
    interface Pause {

        void ofMillis(long millis) throws InterruptedException;
    }

    /** Insists so long, by a clock that may begin anywhere and only goes on. */
    Insistence(long mostMillis, LongSupplier clockMillis, Pause pause) {
        this.mostMillis = mostMillis;
        this.clockMillis = clockMillis;
        this.pause = pause;
    }

    /** Insists so long by the machine's clock. */
    static Insistence ofMillis(long mostMillis) {
        return new Insistence(mostMillis, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), TimeUnit.MILLISECONDS::sleep);
    }

    /** Tries a command at least once: empty if it was done, else why it was refused the last time, in one line. */
    Optional<String> refusal(Command command) throws InterruptedException {
        long fromMillis = clockMillis.getAsLong();
        while (true) {
            try {
                command.run();
                return Optional.empty();
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                if (clockMillis.getAsLong() - fromMillis + GAP_MILLIS > mostMillis) {
                    return Optional.of(inOneLine(e));
                }
            }
            pause.ofMillis(GAP_MILLIS);
        }
    }

    /** The same for a command without which nothing goes on: {@link IllegalStateException} with its name if it is not done. */
    void done(String name, Command command) throws InterruptedException {
        Optional<String> refusal = refusal(command);
        if (refusal.isPresent()) {
            throw new IllegalStateException(name + " was refused for " + mostMillis + " ms, in the end by: " + refusal.get());
        }
    }

    /** What an exception says, without the stack that a broker's answer has in it. */
    static String inOneLine(Exception e) {
        String text = e.toString().replaceAll("(?s)Stacktrace:.*", "").replaceAll("\\s+", " ").strip();
        return text.substring(0, Math.min(text.length(), MOST_LETTERS));
    }
}
