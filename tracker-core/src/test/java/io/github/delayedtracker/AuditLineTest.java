/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.Caller;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AuditLineTest {

    private static final List<MessageName> IDS = List.of(MessageName.parse("1:1"), MessageName.parse("1:2"));
    private static final Named TWO = new Named(IDS, false);

    @Test
    void itTellsWhoHasChangedWhatAndTheAnswersAsCounts() {
        assertEquals("[t / sub] Cancel of 2 messages by 'alice': {cancelled=1, unknown=1}", AuditLine.done("Cancel", "t", TWO,
                new Caller("alice"), new Result("sub", IDS, List.of(Answer.CANCELLED, Answer.UNKNOWN), Optional.empty())));
        assertEquals("[t / sub] Move of 0 messages due from 5 to 7 by 'alice': {}", AuditLine.done("Move", "t",
                new DueWithin(5, 7, Optional.empty()), new Caller("alice"),
                new Result("sub", List.of(), List.of(), Optional.empty())));
        assertEquals("[t] Cancel of 2 messages by 'alice': not done, no", AuditLine.refused("Cancel", "t", TWO,
                new Caller("alice"), new IllegalStateException("no")));
    }

    @Test
    void noNameThatAUserHasChosenMakesALineOfItsOwn() {
        String line = "a\n[t / sub] Cancel of 9 messages by 'root': {}\r\u2028\u001b[2J";
        String shown = "a?[t / sub] Cancel of 9 messages by 'root': {}???[2J";
        assertEquals("[" + shown + " / " + shown + "] Cancel of 0 messages by '" + shown + "': {}", AuditLine.done("Cancel", line,
                TWO, new Caller(line), new Result(line, List.of(), List.of(), Optional.empty())));
        assertEquals("[" + shown + "] Cancel of 2 messages by '" + shown + "': not done, " + shown, AuditLine.refused("Cancel",
                line, TWO, new Caller(line), new IllegalStateException(line)));
    }
}
