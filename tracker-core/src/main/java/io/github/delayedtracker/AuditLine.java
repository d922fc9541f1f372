/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.Caller;
import io.github.delayedtracker.command.DelayedCommands.Chosen;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Result;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The line of the log that tells who has changed which messages of a schedule, and the outcome. Whatever a user has chosen is in
 * it as printable ASCII alone, so that no name makes a line of its own.
 */
final class AuditLine {

    private AuditLine() {
    }

    /** Of a command that was refused as a whole. */
    static String refused(String what, String topic, Chosen chosen, Caller caller, Throwable failure) {
        return "[%s] %s of %s messages%s by '%s': not done, %s".formatted(printable(topic), what,
                chosen instanceof Named named ? named.ids().size() : "all", time(chosen), printable(caller.role()),
                printable(String.valueOf(failure.getMessage())));
    }

    /** Of a command that was carried out for a subscription. */
    static String done(String what, String topic, Chosen chosen, Caller caller, Result result) {
        Map<Answer, Integer> counts = new EnumMap<>(Answer.class);
        result.answers().forEach(answer -> counts.merge(answer, 1, Integer::sum));
        return "[%s / %s] %s of %s messages%s by '%s': %s".formatted(printable(topic), printable(result.subscription()), what,
                result.ids().size(), time(chosen), printable(caller.role()), counts.toString().toLowerCase(Locale.ROOT));
    }

    private static String time(Chosen chosen) {
        return chosen instanceof DueWithin due ? " due from " + due.fromMillis() + " to " + due.untilMillis() : "";
    }

    /** A text with all that is no printable ASCII replaced. */
    static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
