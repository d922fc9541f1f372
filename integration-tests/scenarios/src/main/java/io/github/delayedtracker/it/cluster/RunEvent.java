/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.Locale;
import java.util.stream.Stream;

/**
 * One thing that was done to a cluster or seen by a client of it. It is kept as a line of a file that is only appended to.
 *
 * @param atMillis when it was, epoch milliseconds by the clock of the machine
 * @param message the number of a message, unique in the run; 0 where there is none
 * @param position where the topic has it, as the client was told; empty where nobody has said so
 * @param text by the kind a key, a consumer, a fault or the name of a figure; without tabs and line ends, perhaps empty
 * @param number by the kind when a message is due, epoch milliseconds, or the value of a figure; else 0
 */
record RunEvent(Kind kind, long atMillis, long message, String position, String text, long number) {

    private static final int PARTS = 6;

    /** The kinds of events, and what their text and number are. */
    enum Kind {
        /** What the judge has to know; the name of a {@link Setting} and its value. */
        SETTING,
        /** What has to have happened for the run to prove anything; the name of a figure of the verdict and its least value. */
        LEAST,
        /** A message is about to be sent; the key whose order is promised, or nothing, and when it is due, 0 for at once. */
        SENDING,
        /** The broker has answered that it has a message. */
        SENT,
        /** A send has failed: nobody knows whether the broker has the message. */
        UNSENT,
        /** A consumer has received a message; its name. */
        RECEIVED,
        /** A consumer gives a message back, to have it again. */
        RETURNED,
        /** The broker has answered that a message is acknowledged. */
        ACKNOWLEDGED,
        /** A fault begins; its name, the same as where it ends, and the code of an {@link Effect}. */
        FAULT,
        /** A fault has ended, and what it struck serves again. */
        HEALED,
        /** The cluster has refused a fault that had begun, whatever that did, and serves; its name. */
        REFUSED,
        /** Something that the cluster did; its name, and how often. */
        SEEN,
        /** A figure of the cluster when the run was over; the name of a {@link Left} and its value. */
        LEFT,
        /** The run has been gone through to its end. */
        ENDED
    }

    /** What a judge has to know of a run. */
    enum Setting {
        /** How old an acknowledgement has to be before a fault for it to stay. */
        FLUSH_MILLIS,
        /** How much before its time a message may come: a tick where delivery is not strict. */
        EARLY_MILLIS,
        /** How long after a fault was healed what it held up may still come twice. */
        SETTLE_MILLIS,
        /** How far apart a message comes that the broker's dispatcher has sent twice at once, which no tracker can prevent. */
        DOUBLE_MILLIS,
        /** How far a clock is stepped at most. */
        STEP_MILLIS
    }

    /** What is to be zero when all is acknowledged; the last when the subscriptions are gone too. */
    enum Left {
        BACKLOG, UNACKNOWLEDGED, DELAYED, LEDGERS
    }

    /** What a fault may do to messages that have come. */
    enum Effect {
        /** Nothing: all that has come is still with a consumer that lives. */
        NONE(0),
        /** What was not acknowledged comes again. */
        COMES_AGAIN(1),
        /** So does what was acknowledged in the flush interval before. */
        FORGETS(2),
        /** It stays where it is; what is due within a step of the clock may come too early. */
        STEPS_A_CLOCK(3);

        private final int code;

        Effect(int code) {
            this.code = code;
        }

        /** Its number in an event. */
        int code() {
            return code;
        }

        static Effect of(long code) {
            return Stream.of(values()).filter(effect -> effect.code == code).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no effect " + code));
        }
    }

    RunEvent {
        if (hasSeparator(text) || hasSeparator(position)) {
            throw new IllegalArgumentException("an event has no tab and no line end in it: " + position + ", " + text);
        }
    }

    private static boolean hasSeparator(String part) {
        return part.chars().anyMatch(letter -> letter == '\t' || letter == '\n' || letter == '\r');
    }

    /** Its line, without the end. */
    String line() {
        return kind.name().toLowerCase(Locale.ROOT) + "\t" + atMillis + "\t" + message + "\t" + position + "\t" + text + "\t"
                + number;
    }

    /**
     * The event of a line.
     *
     * @throws IllegalArgumentException if it is not one, as the last line of a writer that was killed
     */
    static RunEvent of(String line) {
        String[] parts = line.split("\t", -1);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException("an event has " + PARTS + " parts: " + line);
        }
        return new RunEvent(Kind.valueOf(parts[0].toUpperCase(Locale.ROOT)), Long.parseLong(parts[1]), Long.parseLong(parts[2]),
                parts[3], parts[4], Long.parseLong(parts[5]));
    }
}
