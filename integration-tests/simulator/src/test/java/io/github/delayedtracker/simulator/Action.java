/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/**
 * Something that happens to the model at a moment of its own: to the topic, the subscription, the consumers, the broker or the
 * clock.
 *
 * @param atMillis when, since the start of the scenario
 * @param kind what
 * @param number how many, which, or how far: see the kind
 * @param millis a time that goes with it, see the kind
 */
public record Action(long atMillis, Kind kind, long number, long millis) {

    /** What may happen. */
    public enum Kind {
        /** {@code number} messages are published, each delayed by {@code millis}; 0 means plain. */
        PUBLISH,
        /** {@code number} messages with delays drawn up to {@code millis}. */
        PUBLISH_SPREAD,
        /** A message with the delivery time Long.MAX_VALUE, which no scenario waits for. */
        PUBLISH_FOREVER,
        /** A consumer connects. */
        CONNECT,
        /** Consumer {@code number} (modulo those there) disconnects. */
        DISCONNECT,
        /** All consumers disconnect. */
        DISCONNECT_ALL,
        /** The tick becomes {@code millis}. */
        TICK,
        /** The delayed delivery policy: 1 on, 0 off. */
        POLICY,
        /** The topic moves away in good order and comes back, with as many consumers; 1: to the same broker. */
        UNLOAD,
        /** The broker dies and the topic is loaded elsewhere. */
        KILL,
        /** Seek back by {@code number} entries. */
        SEEK_BACK,
        /** Seek forward by {@code number} entries. */
        SEEK_FORWARD,
        /** Skip the next {@code number} entries. */
        SKIP,
        /** Clear the backlog. */
        CLEAR,
        /** Expire what was published more than {@code millis} ago. */
        EXPIRE,
        /** Acknowledge entry {@code number} (modulo the size) and {@code millis} after it from outside, delivered or not. */
        ACK,
        /**
         * The user cancels 1 + {@code millis} entries from {@code number} / 2 behind mark-delete on; with an odd number the
         * acknowledgement fails. Nothing happens without a journal.
         */
        CANCEL,
        /**
         * The user gives the entries from an eighth of the number on, counted from the first that is not acknowledged, another
         * due time: {@code millis} from now. Nothing happens without a journal.
         */
        MOVE,
        /** The user cancels all that is due from {@code number} ms from now on, for {@code millis}. Needs a journal too. */
        CANCEL_DUE,
        /** The user has all that is due within {@code number} ms due {@code millis} from now. Needs a journal too. */
        MOVE_DUE,
        /** The ledger rolls over. */
        ROLL_OVER,
        /** The subscription gets another dispatcher: the type was switched. */
        SWITCH_TYPE,
        /**
         * The topic is to be closed and cannot be: for {@code millis} its dispatcher is closed, then it is in use again with as
         * many consumers. A read that was under way makes a tracker meanwhile, with a 1 only.
         */
        CLOSE_FAILS,
        /** The wall clock is set by {@code millis}, forward or back. */
        STEP_CLOCK,
        /** The next {@code number} reads fail. */
        FAIL_READS,
        /** The next read hangs for {@code millis}: a normal one, or with an odd {@code number} a replay. */
        HANG_READ,
        /** What the index wants done in the background takes {@code millis} from now on. */
        SLOW_WORKER,
        /** The cursor's acknowledgements become durable. */
        FLUSH,
        /**
         * The topic moves away, and the record of the buckets is another one when it comes back: 0 as a newer version writes it,
         * 1 what it was before that, 2 damaged.
         */
        RECORD,
        /**
         * The topic moves away, and the ledger of its oldest bucket cannot be asked for when it comes back, until the storage
         * heals: 0 calls fail, 1 they never answer.
         */
        LEDGER_AWAY,
        /**
         * Of the storage nothing works for {@code millis} (0), or nothing that reads snapshots (2), writes them (4), or has to do
         * with records (6); with 1 more calls do not answer instead of failing. Nothing happens where nothing is stored.
         */
        STORAGE_AWAY,
        /**
         * Another broker loads the topic, and the one that has it goes on with its consumers for {@code number} ms, in which a
         * few messages come now and then, and without them for {@code millis} more before it hears that it has lost the topic.
         * Nothing happens where nothing is stored.
         */
        TWO_OWNERS,
        /** For {@code millis} no thread can be had: by the worker (0), or by the storage (1). */
        NO_THREADS,
        /** After {@code millis} more calls one finds no memory, of the kind {@code number} in {@link Shortages#KINDS}. */
        NO_MEMORY;

        /** Whether it may stand anywhere in a scenario; others have places of their own, most where the backend stores. */
        boolean isOfAnyBackend() {
            return this != CLOSE_FAILS && this != RECORD && this != LEDGER_AWAY && this != STORAGE_AWAY && this != TWO_OWNERS
                    && this != CANCEL && this != MOVE && this != CANCEL_DUE && this != MOVE_DUE && this != NO_THREADS
                    && this != NO_MEMORY;
        }

        /** Whether it disturbs what is under way, rather than being ordinary traffic. */
        boolean isDisturbance() {
            return this != PUBLISH && this != PUBLISH_SPREAD && this != PUBLISH_FOREVER && this != STORAGE_AWAY;
        }
    }

    /** Reads what {@link #toString} printed. */
    static Action parse(String text) {
        String[] parts = text.split(":");
        return new Action(Long.parseLong(parts[0]), Kind.valueOf(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[3]));
    }

    @Override
    public String toString() {
        return atMillis + ":" + kind + ":" + number + ":" + millis;
    }
}
