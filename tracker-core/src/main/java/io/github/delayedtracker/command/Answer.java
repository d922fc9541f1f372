/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.command;

/** The answer to a command for one message. */
public enum Answer {

    /** It will not be delivered, and that is durable. */
    CANCELLED("cancelled"),
    /** It is due at its new time, and that is durable. */
    MOVED("moved"),
    /** It would be cancelled or moved: nothing was done, since only that was asked. */
    SCHEDULED("scheduled"),
    /** It is with a consumer, or on its way to one. */
    ALREADY_HANDED_OUT("already handed out"),
    /** It is acknowledged, by a consumer or by a command. */
    ALREADY_ACKNOWLEDGED("already acknowledged"),
    /** It has no delivery time. */
    NOT_DELAYED("not delayed"),
    /** The subscription has not read as far as this. */
    NOT_READ_YET("not read yet"),
    /** The topic has no such message. */
    UNKNOWN("unknown"),
    /** It is not in the schedule, and was not read to tell why. */
    NOT_SCHEDULED("already handed out or not delayed"),
    /** Its own time could not be read from the topic, so that nothing was done; try again. */
    TIME_UNREAD("its time cannot be read"),
    /** This subscription takes no command now, others of the topic did. Nothing was done. */
    REFUSED("refused"),
    /** It names one message of a batch, and the command is for whole entries. */
    PART_OF_A_BATCH("part of a batch"),
    /** The command was under way when something failed: repeating it is safe. */
    OUTCOME_UNKNOWN("outcome unknown");

    private final String text;

    Answer(String text) {
        this.text = text;
    }

    /** As users see it. */
    public String text() {
        return text;
    }
}
