/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.metrics.Metric.BROKER;
import static io.github.delayedtracker.metrics.Metric.SUBSCRIPTION;
import static io.github.delayedtracker.metrics.Metric.counter;
import static io.github.delayedtracker.metrics.Metric.gauge;
import static io.github.delayedtracker.metrics.Metric.histogram;

import io.github.delayedtracker.metrics.Histogram;
import io.github.delayedtracker.metrics.Metric;
import io.github.delayedtracker.metrics.Metric.Kind;
import java.util.List;

/** The metrics of trackers and of their factory, whatever the backend, in the order of docs/statistics.md. */
final class TrackerMetrics {

    static final Metric INFO = new Metric(SUBSCRIPTION, "info", Kind.STATE, "",
            "1. `state` is `active` or `closed`; `adaptive_ratio` and `adaptive_max_ms` are 0 where the precision is not"
                    + " adaptive",
            List.of("backend", "state", "precision_ms", "adaptive_ratio", "adaptive_max_ms", "tick_ms", "strict"));
    static final Metric OFFERS = counter(SUBSCRIPTION, "offers_total", "entries",
            "offered by the dispatcher: all it has read since the tracker was made, replays included");
    static final Metric HANDED_OUT = counter(SUBSCRIPTION, "handed_out_total", "positions", "handed out");
    static final Metric DROPPED_AT_HAND_OUT = counter(SUBSCRIPTION, "dropped_at_hand_out_total", "positions",
            "due, and acknowledged or in deleted ledgers");
    static final Metric FAILURES = counter(SUBSCRIPTION, "failures_total", "",
            "calls of the broker that failed inside the tracker and were answered neutrally; anything but 0 is a bug or a"
                    + " JVM without memory, the log has the first");
    static final Metric PRUNED = counter(SUBSCRIPTION, "pruned_total", "positions",
            "forgotten because mark-delete passed them or a due message was offered again");
    static final Metric PURGED = counter(SUBSCRIPTION, "purged_total", "positions",
            "acknowledged one by one, and forgotten when the index was looked through for such ([when](design/purge.md))");
    static final Metric WAKE_UPS = counter(SUBSCRIPTION, "wake_ups_total", "", "times the dispatcher was woken");
    static final Metric IGNORED_PROPERTIES = gauge(SUBSCRIPTION, "ignored_properties", "",
            "bad subscription properties that were ignored");
    static final Metric NEXT_DUE = gauge(SUBSCRIPTION, "next_due_ms", "epoch ms",
            "when the next message is due, of those in storage only when the part it is in begins; 0 if there is none");
    static final Metric LAST_DUE = gauge(SUBSCRIPTION, "last_due_ms", "epoch ms",
            "when the last message is due, of those in storage when the part it is in ends; 0 if there is none. What has left"
                    + " counts until the index is tidied, milliseconds after a hand-out, mark-delete or a"
                    + " [pass](design/purge.md), so it may be too late until then, never too early. Of `bucket` without what is"
                    + " still to be recovered or read again");
    static final Metric OLDEST_OVERDUE_AGE = gauge(SUBSCRIPTION, "oldest_overdue_age_ms", "ms",
            "how long the earliest position has been due, whether it is in the index or waits for the normal read; of those that"
                    + " wait, the earliest since last none waited, so it may be too high while others wait"
                    + " on, never too low. 0 if none is due. Of `bucket` without what sleeps in storage and what is read"
                    + " again before its time");
    static final Metric OVERDUE_BLOCKED = new Metric(SUBSCRIPTION, "overdue_blocked", Kind.STATE, "",
            "1 while something is due, with `reason` `no_permits_or_consumers`, `read_position` (above it, where the normal read"
                    + " comes first), `key_shared_look_ahead` (the same, and the broker does not read on: see"
                    + " [limits](limits.md)) or `reading`; else 0, `none`", List.of("reason"));
    static final Metric WAITING_FOR_READ = gauge(SUBSCRIPTION, "waiting_for_read", "positions",
            "due, and left to the normal read, which has not reached them");
    static final Metric DUE_IN = gauge(SUBSCRIPTION, "due_in", "positions",
            "by how long from now they are due: `overdue`, `0-1m`, `1m-1h`, `1h-6h`, `6h-1d`, `1d-7d`, `7d-30d`, `30d-`, each in"
                    + " one `range`; coarse", "range");
    static final Metric DUE_AFTER_TTL = gauge(SUBSCRIPTION, "due_after_ttl", "positions",
            "due later from now than the topic's time to live: they [expire](limits.md) before they are due. Coarse, never too"
                    + " high. Absent without a time to live");
    static final Metric ACK_HOLES = gauge(SUBSCRIPTION, "ack_holes", "ranges",
            "acknowledged ranges above mark-delete, as of the last [pass](design/purge.md): half a minute old at most while"
                    + " passes keep up");
    static final Metric ACKS_LOST_ON_RESTART = gauge(SUBSCRIPTION, "acks_lost_on_restart", "entries",
            "acknowledged, and would come again, by the rule the running broker writes its cursors with, after a restart that is"
                    + " `planned` (unload, shutdown) or a `crash` (a kill, once the cursor has been written; what was"
                    + " acknowledged after that comes on top). As of the same pass;"
                    + " [what to do about it](limits.md#acknowledgements-that-a-restart-brings-back)", "restart");

    static final Metric ACKS_UNKNOWN = gauge(SUBSCRIPTION, "acks_unknown", "",
            "1 while `ack_holes`, `acks_lost_on_restart` and `held_bytes` are not known: before the first such pass, and where"
                    + " the cursor cannot tell them in a millisecond, with more than 4 M entries between mark-delete and the read"
                    + " position, or `managedLedgerUnackedRangesOpenCacheSetEnabled=false`");
    static final Metric HELD_BYTES = gauge(SUBSCRIPTION, "held_bytes", "bytes",
            "of the topic's closed ledgers that this subscription keeps for scheduled messages alone: all else in them, and in"
                    + " all before, is acknowledged. What is to be read again counts as else. As of the last"
                    + " [pass](design/purge.md), which an acknowledgement or a new ledger brings about within half a minute while"
                    + " passes keep up; 0 once nothing is scheduled");

    static final Metric JOURNAL = new Metric(SUBSCRIPTION, "ack_journal", Kind.STATE, "",
            "1, with `state` `active`, `restoring`, or where the last load could not apply it `refused`, `reset` or `newer` ([the"
                    + " journal](design/acknowledgements.md)), or `none` where none is kept; else 0, `not_needed`",
            List.of("state"));
    static final Metric JOURNAL_POSITIONS = gauge(SUBSCRIPTION, "ack_journal_positions", "positions",
            "acknowledged, and durable in the journal; absent unless it is active");
    static final Metric JOURNAL_BYTES = gauge(SUBSCRIPTION, "ack_journal_bytes", "bytes",
            "of the journal's ledger; absent unless it is active");
    static final Metric JOURNAL_AGE = gauge(SUBSCRIPTION, "ack_journal_age_ms", "ms",
            "since the journal was last written; absent unless it is active");
    static final Metric JOURNAL_RESTORED = gauge(SUBSCRIPTION, "ack_journal_restored", "positions",
            "acknowledged again from the journal when the topic was loaded; absent if there was none");
    static final Metric JOURNAL_HELD = gauge(SUBSCRIPTION, "ack_journal_held", "entries",
            "that wait until the journal is restored");

    static final Metric CANCELLED = counter(SUBSCRIPTION, "cancelled_total", "messages",
            "cancelled by [commands](design/commands.md); this and the next four are absent before the first");
    static final Metric MOVED = counter(SUBSCRIPTION, "moved_total", "messages", "given another due time by commands");
    static final Metric COMMANDS_REFUSED = counter(SUBSCRIPTION, "commands_refused_total", "",
            "commands that were refused as a whole", "reason");
    static final Metric MOVED_HELD = gauge(SUBSCRIPTION, "moved", "messages", "that have another due time than their own");
    static final Metric MOVED_BYTES = gauge(SUBSCRIPTION, "moved_bytes", "bytes", "that these times take in memory");

    static final Metric TRACKERS = gauge(BROKER, "trackers", "", "trackers that live");
    static final Metric POSITIONS = gauge(BROKER, "positions", "positions",
            "in the indexes of all subscriptions; acknowledged ones until the next [pass](design/purge.md)");
    static final Metric BYTES = gauge(BROKER, "bytes", "bytes", "that their indexes take in memory");
    static final Metric HELD_BYTES_OF_TOPICS = gauge(BROKER, "held_bytes", "bytes",
            "of closed ledgers of topics that no subscription keeps for anything but scheduled messages, each ledger once. As"
                    + " of the last pass of the subscription that is furthest behind. A retention policy may keep them all the"
                    + " same");
    static final Metric ARMED_WAKE_UPS = gauge(BROKER, "armed_wake_ups", "", "wake-ups and other tasks on the timer");
    static final Metric LATENESS = histogram(BROKER, "hand_out_lateness_ms_bucket", "",
            "hand-outs at which the `oldest_overdue_age_ms` of the subscription was `le` or less", Histogram.BOUND);
    static final Metric LATENESS_SUM = histogram(BROKER, "hand_out_lateness_ms_sum", "", "of these ages, ms");
    static final Metric LATENESS_COUNT = histogram(BROKER, "hand_out_lateness_ms_count", "", "hand-outs");
    static final Metric PURGES = counter(BROKER, "purges_total", "",
            "times the index of a subscription was looked through for positions acknowledged one by one");
    static final Metric PURGE_MICROS = counter(BROKER, "purge_micros_total", "µs",
            "time spent looking for acknowledged positions; a fiftieth of a core at most");
    static final Metric PURGES_WAITING = gauge(BROKER, "purges_waiting", "subscriptions",
            "whose turn to be looked through is to come");

    private TrackerMetrics() {
    }
}
