/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.command;

/** A command that was refused as a whole: nothing was done. */
public final class RefusedException extends Exception {

    private static final long serialVersionUID = 1;

    /** Why. */
    public enum Reason {
        /** The topic is not loaded by this broker. */
        NO_SUCH_TOPIC,
        /** The topic has no such subscription. */
        NO_SUCH_SUBSCRIPTION,
        /** The subscription delays nothing here: its type does not, or it has read no delayed message yet. */
        NO_SCHEDULE,
        /** No consumer is connected. */
        NO_CONSUMER,
        /** No journal would make it durable: switched off, failing, or being restored. */
        NO_JOURNAL,
        /** The arguments are not valid. */
        BAD_REQUEST,
        /** As many commands wait for the subscription as may, or come in a second. */
        TOO_MANY,
        /** It is for many messages, and the caller has not said yes to that. */
        NOT_CONFIRMED,
        /** A stored part of the schedule cannot be read now. */
        UNREAD
    }

    private final Reason reason;

    /** With a message for the user, which names the thing, the rule and the bad value. */
    public RefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
