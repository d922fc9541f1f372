/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.command;

import io.github.delayedtracker.index.PositionTimes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Commands on the schedules of the topics that a broker has loaded. Whoever calls them has asked for authorization before. Safe
 * from any thread; no call blocks.
 */
public interface DelayedCommands {

    /** The most message ids of one call. */
    int MOST_IDS = 10_000;

    /** The most answers of one call by ids, one for each id and subscription. */
    int MOST_ANSWERS = 100_000;

    /** The most messages of one page of a list. */
    int MOST_LISTED = 10_000;

    /** The most messages of one peek. */
    int MOST_PEEKED = 100;

    /** The most messages that a command changes without the caller's word for it. */
    int MOST_UNCONFIRMED = 100;

    /** The most missing messages that a verification names. */
    int MOST_MISSING = 10;

    /** The most times of one look. */
    int MOST_TIMES = 1_000;

    /** Which messages a command is for. */
    sealed interface Chosen permits Named, DueWithin {
    }

    /**
     * The messages of some ids.
     *
     * @param ids 1 to {@link #MOST_IDS}
     * @param wholeBatches whether an id with a batch index stands for its whole entry
     */
    record Named(List<MessageName> ids, boolean wholeBatches) implements Chosen {
    }

    /**
     * The messages due in a time, both ends inclusive; what is overdue is due now. Of one subscription.
     *
     * @param fromMillis epoch milliseconds, from 0 on
     * @param untilMillis epoch milliseconds, from {@code fromMillis} on
     * @param after where to go on, as an earlier answer has told; empty to begin
     * @param nowMillis the moment that is now on all pages, epoch milliseconds: when the first of them was asked for; empty for
     *     the moment of each page
     */
    record DueWithin(long fromMillis, long untilMillis, Optional<String> after, OptionalLong nowMillis) implements Chosen {

        /** With now as it is when the page is made. */
        public DueWithin(long fromMillis, long untilMillis, Optional<String> after) {
            this(fromMillis, untilMillis, after, OptionalLong.empty());
        }

        /** The next page. */
        public DueWithin behind(Optional<String> next) {
            return new DueWithin(fromMillis, untilMillis, next, nowMillis);
        }
    }

    /** The time that a command gives to messages. */
    sealed interface NewDue permits DueAt, DueShifted {
    }

    /**
     * One time for all.
     *
     * @param dueMillis epoch milliseconds, 0 to {@link PositionTimes#LATEST_MILLIS}; one that has passed is now
     */
    record DueAt(long dueMillis) implements NewDue {
    }

    /**
     * The time of each message, moved: the one that a command has given it, else its own, which is read from the topic.
     *
     * @param byMillis how much later, earlier if it is negative; {@link PositionTimes#LATEST_MILLIS} at most
     */
    record DueShifted(long byMillis) implements NewDue {
    }

    /**
     * How a command is to be done.
     *
     * @param dryRun whether only to tell what it would be done to
     * @param confirmed whether the caller means it, also for more than {@link #MOST_UNCONFIRMED} messages
     */
    record Options(boolean dryRun, boolean confirmed) {
    }

    /**
     * The answers of one subscription.
     *
     * @param ids of the messages the command was for; {@link #MOST_IDS} at most
     * @param answers one for each id, in their order
     * @param next where to go on with the rest of a time; empty if there is none
     */
    record Result(String subscription, List<MessageName> ids, List<Answer> answers, Optional<String> next) {
    }

    /**
     * A scheduled message.
     *
     * @param dueMillis when it is due by the schedule, epoch milliseconds; empty if it is overdue
     * @param isMoved whether a command has given it that time
     */
    record Listed(MessageName id, OptionalLong dueMillis, boolean isMoved) {
    }

    /**
     * What a message is, as its entry tells.
     *
     * @param publishMillis when it was published, epoch milliseconds
     * @param deliverAtMillis its own delivery time, whatever a command has given it; empty if it has none
     * @param key empty if it has none; as it came, perhaps in base 64
     * @param messages how many the entry has, more than one in a batch
     * @param bytes of the entry
     */
    record Content(long publishMillis, OptionalLong deliverAtMillis, Optional<String> key, String producer, int messages,
            int bytes, Map<String, String> properties) {
    }

    /**
     * A scheduled message and what it is.
     *
     * @param content empty if its entry could not be read in time
     */
    record Peeked(Listed listed, Optional<Content> content) {
    }

    /**
     * Scheduled messages of one subscription and what they are, the earliest first.
     *
     * @param next where to go on; empty if there are no more
     */
    record Peek(String subscription, List<Peeked> messages, Optional<String> next) {
    }

    /**
     * Scheduled messages of one subscription, the earliest first.
     *
     * @param precisionMillis the times are rounded by less than this, by the rules of now
     * @param next where to go on; empty if there are no more
     */
    record Page(String subscription, long precisionMillis, List<Listed> messages, Optional<String> next) {
    }

    /**
     * How many messages are due by a time; coarse, never too low.
     *
     * @param untilMillis epoch milliseconds
     */
    record DueBy(long untilMillis, long count) {
    }

    /**
     * What one subscription has scheduled.
     *
     * @param count how many messages wait
     * @param overdue how many of them are due and not handed out: 0 if none is, else counted coarsely, never too low, as dueBy
     * @param nextDueMillis when the next is due, epoch milliseconds; empty if none is
     * @param lastDueMillis when the last is due, epoch milliseconds, or for a while after it has left a later time; empty if
     *     none is
     * @param blocked why what is due is not handed out, {@code none} if nothing is due: as {@code overdue_blocked} of the
     *     statistics
     * @param dueBy how many are due by each of the times asked for
     */
    record Schedule(String subscription, long count, long overdue, OptionalLong nextDueMillis, OptionalLong lastDueMillis,
            String blocked, List<DueBy> dueBy) {
    }

    /**
     * What one ledger of a topic has for a subscription. As long as anything waits in it or in one before, the ledger is kept.
     *
     * @param closedMillis when it was closed, epoch milliseconds; empty for the one that is written
     * @param messages entries that the subscription has not acknowledged; empty where the broker does not tell
     * @param scheduled how many of them are scheduled, as far as this page goes
     * @param lastDueMillis when the last of these is due, epoch milliseconds; empty if there is none
     * @param expiring how many of these the time to live ends before they are due, at least: a message is taken to be published
     *     when its ledger was closed
     */
    record LedgerUse(long ledgerId, long bytes, OptionalLong closedMillis, OptionalLong messages, long scheduled,
            OptionalLong lastDueMillis, long expiring) {
    }

    /**
     * The ledgers of a topic in which something waits for a subscription, ascending.
     *
     * @param timeToLiveSeconds after which the topic's messages expire; empty if they do not
     * @param next where to go on with what is due later, which is to be added up; empty if there is no more
     */
    record LedgerUses(String subscription, OptionalLong timeToLiveSeconds, List<LedgerUse> ledgers, Optional<String> next) {
    }

    /**
     * A part of a schedule that is in storage.
     *
     * @param ledgerId its ledger; empty while it has none
     * @param state in the words of the backend
     * @param positions messages whose place in the schedule is only there
     * @param segments how many it has, and {@code asleep} of them not in memory
     * @param firstDueMillis when the first of its segments begins, epoch milliseconds; empty if it has none any more
     * @param lastDueMillis when the last one ends
     */
    record Snapshot(OptionalLong ledgerId, String state, long positions, long bytes, int segments, int asleep,
            OptionalLong firstDueMillis, OptionalLong lastDueMillis) {
    }

    /** What one subscription has in storage; no snapshot where its backend stores nothing. */
    record Snapshots(String subscription, List<Snapshot> snapshots) {
    }

    /**
     * How the schedule of a subscription compares with the topic, the cursor and the record of what is stored.
     *
     * @param scheduled messages of the schedule that were looked at
     * @param acknowledged how many of them the cursor knows as acknowledged: they leave the schedule within minutes
     * @param sampled entries that were read from the topic, of those that wait for the subscription
     * @param delayed how many of them are due in a minute or later, and so have to be in the schedule
     * @param missing the ones among these that are not, {@link #MOST_MISSING} at most
     * @param elsewhere messages that wait for a consumer, or are with one: missing ones may be among them, by rights
     * @param onlyInRecord ledgers that the record of the subscription names, and the index does not have
     * @param onlyInIndex the other way round. While a snapshot is written, merged or deleted the two may differ
     * @param next where to go on with what is due later; empty if there is no more
     */
    record Verification(String subscription, long scheduled, long acknowledged, int sampled, int delayed,
            List<MessageName> missing, long elsewhere, List<Long> onlyInRecord, List<Long> onlyInIndex, Optional<String> next) {
    }

    /**
     * A ledger of this plugin that no cursor names.
     *
     * @param topic of its owner, as the broker names its managed ledger
     * @param subscription of its owner, as the broker names its cursor
     * @param createdMillis epoch milliseconds
     */
    record Orphan(long ledgerId, String topic, String subscription, long createdMillis) {
    }

    /**
     * A page of the ledgers of the cluster, judged as the sweeper would judge them now. Counts are of this page.
     *
     * @param lookedAt ledgers of any owner
     * @param own ledgers of this plugin in this cluster
     * @param young of these, too young to be an orphan: below {@code minAgeMillis}
     * @param withoutId ledgers with the name of this cluster and no id of it; never an orphan
     * @param ofAnotherId the same with another id
     * @param unknown ledgers about which something could not be known; never an orphan
     * @param firstUnknown why, for the first of these
     * @param orphans old, and named by no cursor
     * @param next where to go on: behind this ledger; empty after the last one
     */
    record Sweep(long lookedAt, long own, long young, long withoutId, long ofAnotherId, long unknown,
            Optional<String> firstUnknown, long minAgeMillis, List<Orphan> orphans, OptionalLong next) {
    }

    /**
     * Who asks, for the audit line.
     *
     * @param role the caller's role; empty where nobody is asked for one
     */
    record Caller(String role) {
    }

    /**
     * Cancels messages: they are acknowledged, durably, before the answer.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for all with a schedule here
     * @return one result a subscription, within 30 s. It fails with a {@link RefusedException} if nothing was done for
     *     any
     */
    CompletableFuture<List<Result>> cancel(String topic, Optional<String> subscription, Chosen chosen, Options options,
            Caller caller);

    /**
     * Gives messages another due time, earlier or later, durably, before the answer. It counts until the message is acknowledged,
     * also when it was delivered and comes back.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for all with a schedule here
     * @param chosen of a time, {@link #MOST_IDS} at most where each is to be shifted: a later page could meet them again
     * @return as of {@link #cancel}
     */
    CompletableFuture<List<Result>> move(String topic, Optional<String> subscription, Chosen chosen, NewDue due,
            Options options, Caller caller);

    /**
     * Lists messages by their due times.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for the one with a schedule here
     * @param limit 1 to {@link #MOST_LISTED}; a page may have fewer and yet a next
     * @return as of {@link #look}
     */
    CompletableFuture<List<Page>> list(String topic, Optional<String> subscription, DueWithin within, int limit);

    /**
     * Lists messages by their due times, and reads what they are. Whoever may see the contents of the topic may.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for the one with a schedule here
     * @param limit 1 to {@link #MOST_PEEKED}
     * @return as of {@link #look}
     */
    CompletableFuture<List<Peek>> peek(String topic, Optional<String> subscription, DueWithin within, int limit);

    /**
     * Tells by ledger what waits, and how long it keeps the ledgers of the topic.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for the one with a schedule here
     * @param after where to go on; empty to begin
     * @return as of {@link #look}
     */
    CompletableFuture<List<LedgerUses>> ledgers(String topic, Optional<String> subscription, Optional<String> after);

    /**
     * Tells what is stored.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for all with a schedule here
     * @return as of {@link #look}
     */
    CompletableFuture<List<Snapshots>> snapshots(String topic, Optional<String> subscription);

    /**
     * Compares the schedule with the topic, the cursor and the record. Changes nothing.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for the one with a schedule here
     * @param after where to go on; empty to begin
     * @return as of {@link #look}
     */
    CompletableFuture<List<Verification>> verify(String topic, Optional<String> subscription, Optional<String> after);

    /**
     * Looks for ledgers of the cluster that nothing names: what the sweeper would delete. Changes nothing.
     *
     * @param after where to go on; empty to begin
     * @return a page, within 30 s. It fails with a {@link RefusedException}
     */
    CompletableFuture<Sweep> sweep(OptionalLong after);

    /**
     * Looks at the schedule.
     *
     * @param topic its full name, a partition of a partitioned topic
     * @param subscription empty for all with a schedule here
     * @param untilMillis ascending times, epoch milliseconds, {@link #MOST_TIMES} at most
     * @return one schedule a subscription. It fails with a {@link RefusedException}
     */
    CompletableFuture<List<Schedule>> look(String topic, Optional<String> subscription, List<Long> untilMillis);
}
