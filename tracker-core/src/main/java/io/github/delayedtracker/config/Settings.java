/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import io.github.delayedtracker.config.ValueRule.BackendName;
import io.github.delayedtracker.config.ValueRule.NumberOrOff;
import io.github.delayedtracker.config.ValueRule.OneOf;
import io.github.delayedtracker.config.ValueRule.TrueOrFalse;
import io.github.delayedtracker.config.ValueRule.WholeNumber;
import java.util.List;
import java.util.Locale;

/** All keys, declared once, in the order of the reference page. */
final class Settings {

    /** The prefix of this project's own keys. */
    static final String OWN_PREFIX = "delayedDeliveryIndex";

    static final Setting<String> BACKEND = new Setting<>("delayedDeliveryIndexBackend", new BackendName(),
            "timebucket", false, true, false,
            "The index that holds delayed positions. `timebucket` is the compact one and rounds due times to the precision;"
                    + " `heap` keeps every due time to the millisecond and needs more memory; `bucket` keeps due times in"
                    + " BookKeeper, needs little memory and does not read the topic again after a restart.");

    static final Setting<Long> PRECISION_MILLIS = new Setting<>("delayedDeliveryIndexPrecisionMillis",
            new WholeNumber("long", "milliseconds", 1, Long.MAX_VALUE), "the largest power of two <= tick", false, true, false,
            "Width of a time bucket. A value that is not a power of two is lowered to one, with a warning. Wider buckets need"
                    + " less memory and deliver later by up to the width; a width above the tick is allowed, strict or not.");

    static final Setting<Long> ADAPTIVE_PRECISION_RATIO = new Setting<>("delayedDeliveryIndexAdaptivePrecisionRatio",
            new NumberOrOff("long", 8, 1_000_000), "0", false, true, false,
            "Lets the precision of a message grow with its remaining delay, to the largest power of two <= remaining delay /"
                    + " ratio, for less memory. Never below `delayedDeliveryIndexPrecisionMillis`. 0 is off. With 1000 a"
                    + " one-day delay is kept to 65.5 s and a one-minute one to the configured precision. Strict is never"
                    + " early all the same. `heap` does not use it.");

    static final Setting<Long> ADAPTIVE_PRECISION_MAX_MILLIS = new Setting<>(
            "delayedDeliveryIndexAdaptivePrecisionMaxMillis", new WholeNumber("long", "milliseconds", 1, Long.MAX_VALUE),
            "65536", false, true, false,
            "Widest precision that `delayedDeliveryIndexAdaptivePrecisionRatio` gives a message. A value that is not a power of"
                    + " two is lowered to one, with a warning. With ratio 1000 and 4096 every delay from 68.3 min on is kept"
                    + " to 4.1 s. No effect where it is not above the configured precision, or the ratio is 0.");

    static final Setting<Boolean> SKIP_READS = new Setting<>("delayedDeliveryIndexSkipReads", new TrueOrFalse(),
            "true", false, false, false,
            "Whether the dispatcher skips reading positions that the index holds. `false` makes trackers that do not extend"
                    + " the stock bucket tracker: indexed positions are read again after a reconnect.");

    private static final String JOURNAL_AUTO = "auto";

    static final Setting<String> ACK_JOURNAL = new Setting<>("delayedDeliveryIndexAckJournal",
            new OneOf(List.of(JOURNAL_AUTO, "off")), JOURNAL_AUTO, false, true, false,
            "`auto` keeps a journal of the acknowledgements that the broker's record of a cursor is about to leave out, so that"
                    + " a restart does not bring them back"
                    + " ([acknowledgements](limits.md#acknowledgements-that-a-restart-brings-back))."
                    + " `off` keeps none, and deletes both journals of a subscription at its first delayed message after the"
                    + " topic was loaded: messages that [commands](commands.md) have moved come at their own times, and"
                    + " commands are refused.");

    static final Setting<Long> ACK_FLUSH_MILLIS = new Setting<>("delayedDeliveryIndexAckJournalFlushMillis",
            new NumberOrOff("long", 500, 60_000), "5000", false, true, false,
            "How soon acknowledgements are written that the broker has not written yet, in milliseconds, while a consumer is"
                    + " connected: a crash brings back no older ones, as far as the broker's limits let a record hold them"
                    + " ([acknowledgements](limits.md#acknowledgements-that-a-restart-brings-back)). The journal is"
                    + " written as often. 0 leaves it to the broker,"
                    + " which writes what comes last after `managedLedgerCursorPositionFlushSeconds`, and keeps no journal.");

    static final Setting<Long> LOAD_AHEAD_MILLIS = new Setting<>("delayedDeliveryIndexLoadAheadMillis",
            new WholeNumber("long", "milliseconds", 1, Long.MAX_VALUE), "60000", false, false, false,
            "How long before its first message is due a part of the index is loaded from storage. Longer bridges longer"
                    + " outages of the storage and needs more memory. Only `bucket` uses it.");

    static final Setting<String> SNAPSHOT_FORMAT = new Setting<>("delayedDeliveryIndexSnapshotFormat",
            new OneOf(SnapshotFormat.names()), "compact", false, false, false,
            "How `bucket` keeps its snapshots. `compact` is its own form. `pip195` is that of the stock bucket tracker, with its"
                    + " keys and labels, so that `delayedDeliveryTrackerFactoryClassName` may be set back to it at any time;"
                    + " buckets are sealed where ledgers of the topic end, and merged with neighbours only. With `compact` the"
                    + " snapshots of the stock bucket tracker are imported.");

    static final Setting<Long> SWEEP_INTERVAL_MINUTES = new Setting<>("delayedDeliveryIndexSweepIntervalMinutes",
            new NumberOrOff("long", 1, 525_600), "60", false, false, false,
            "From the end of one look for orphans to the next, minutes: for ledgers of `bucket` and of journals that no cursor"
                    + " names, as a crash may leave them. The leading broker of the cluster looks, if `bucket` is its backend,"
                    + " or once a subscription of it has used `bucket` or written a journal. 0 is off.");

    static final Setting<Boolean> SWEEP_DRY_RUN = new Setting<>("delayedDeliveryIndexSweepDryRun", new TrueOrFalse(),
            "false", false, false, false,
            "`true`: orphans are counted, ten of a sweep are named in the log, and none is deleted.");

    static final Setting<Long> SWEEP_MIN_AGE_MINUTES = new Setting<>("delayedDeliveryIndexSweepMinAgeMinutes",
            new WholeNumber("long", "minutes", 1, Long.MAX_VALUE), "1440", false, false, false,
            "A ledger younger than this is never taken for an orphan. Longer than any write or failure of the metadata store"
                    + " that is to be survived without reading the topic again.");

    static final Setting<Long> MAX_MEMORY_MB = new Setting<>("delayedDeliveryIndexMaxMemoryMb",
            new NumberOrOff("long", 1, 1_048_576), "0", false, false, false,
            "What the tails and loaded segments of all subscriptions of a broker with `bucket` may take together, MiB. Above it"
                    + " the largest tails are sealed early, and segments are unloaded and loaded later; with"
                    + " `delayedDeliveryIndexSnapshotFormat=pip195` no tail is sealed early. The sets of what sleeps in storage"
                    + " are not counted. 0 is no limit.");

    static final Setting<Long> TICK_MILLIS = new Setting<>("delayedDeliveryTickTimeMillis",
            new WholeNumber("long", "milliseconds", 1, Long.MAX_VALUE), "1000", true, false, true,
            "The tick: granularity of delivery. 0 and less count as 1, with a warning. Namespace and topic policies set"
                    + " another one at any time; the precision follows unless it is configured.");

    static final Setting<Boolean> STRICT = new Setting<>("isDelayedDeliveryDeliverAtTimeStrict", new TrueOrFalse(),
            "false", true, false, false,
            "`true`: never delivered before its time. `false`: may be delivered up to one tick early.");

    static final Setting<Long> FIXED_DELAY_LOOKAHEAD = new Setting<>("delayedDeliveryFixedDelayDetectionLookahead",
            new WholeNumber("long", "messages", -1, Long.MAX_VALUE), "50000", true, false, false,
            "Accepted and not used, with one info line at start: no backend pauses reading for fixed delays. At each load of a"
                    + " topic `heap` and `timebucket` read its whole delayed backlog, `bucket` only what it has not recorded.");

    static final Setting<Long> MIN_INDEX_COUNT_PER_BUCKET = new Setting<>("delayedDeliveryMinIndexCountPerBucket",
            new WholeNumber("long", "positions", -1, Long.MAX_VALUE), "50000", true, false, false,
            unusedInMemory("Positions in a bucket when it is sealed; never more than 20000. With"
                    + " `delayedDeliveryIndexSnapshotFormat=pip195` the least, and it is sealed where a ledger of the topic"
                    + " ends."));

    static final Setting<Long> MAX_TIME_STEP_PER_SEGMENT_SECONDS = new Setting<>(
            "delayedDeliveryMaxTimeStepPerBucketSnapshotSegmentSeconds",
            new WholeNumber("int", "seconds", -1, Integer.MAX_VALUE), "300", true, false, false,
            unusedInMemory("Longest time range of a snapshot segment of more than 512 positions, or than a"
                    + " 64th of its bucket if that is more, and with"
                    + " `delayedDeliveryIndexSnapshotFormat=pip195` of any."));

    static final Setting<Long> MAX_INDEXES_PER_SEGMENT = new Setting<>(
            "delayedDeliveryMaxIndexesPerBucketSnapshotSegment",
            new WholeNumber("int", "positions", -1, Integer.MAX_VALUE), "5000", true, false, false,
            unusedInMemory("Most positions in a snapshot segment; never more than 65536."));

    static final Setting<Long> MAX_NUM_BUCKETS = new Setting<>("delayedDeliveryMaxNumBuckets",
            new WholeNumber("int", "buckets", -1, Integer.MAX_VALUE), "-1", true, false, false,
            "Accepted and not used: `bucket` merges by size, to 24 buckets at most in 10,000 seals once it has caught up.");

    private static final List<Setting<?>> ALL = List.of(BACKEND, PRECISION_MILLIS, ADAPTIVE_PRECISION_RATIO,
            ADAPTIVE_PRECISION_MAX_MILLIS, SKIP_READS, ACK_JOURNAL, ACK_FLUSH_MILLIS, LOAD_AHEAD_MILLIS, SNAPSHOT_FORMAT,
            SWEEP_INTERVAL_MINUTES, SWEEP_DRY_RUN, SWEEP_MIN_AGE_MINUTES, MAX_MEMORY_MB, TICK_MILLIS, STRICT,
            FIXED_DELAY_LOOKAHEAD, MIN_INDEX_COUNT_PER_BUCKET,
            MAX_TIME_STEP_PER_SEGMENT_SECONDS, MAX_INDEXES_PER_SEGMENT, MAX_NUM_BUCKETS);

    private Settings() {
    }

    static boolean keepsJournal(String journal) {
        return journal.equals(JOURNAL_AUTO);
    }

    static List<Setting<?>> all() {
        return ALL;
    }

    static List<String> ownKeys() {
        return ALL.stream().filter(setting -> !setting.stock()).map(Setting::key).toList();
    }

    static List<String> perSubscriptionKeys() {
        return ALL.stream().filter(Setting::perSubscription).map(Setting::key).toList();
    }

    /** Whether a name begins like this project's own keys, in any case. */
    static boolean hasOwnPrefix(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith(OWN_PREFIX.toLowerCase(Locale.ROOT));
    }

    private static String unusedInMemory(String meaning) {
        return meaning + " 0 and -1 mean the default. For `bucket`; accepted and not used by `heap` and `timebucket`.";
    }
}
