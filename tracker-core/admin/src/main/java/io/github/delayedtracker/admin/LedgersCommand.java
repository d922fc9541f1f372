/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/**
 * Commands that tell by ledger what waits: {@code delayed holding <topic>} why a topic does not shrink, {@code delayed expiring
 * <topic>} what its time to live ends before it is due. Print a line a ledger, then sums; the pages of the broker are added up
 * first.
 */
final class LedgersCommand extends DelayedCommand {

    /** What is told. */
    enum Kind {
        HOLDING("holding", "Tells why a topic does not shrink: for each ledger its bytes, the messages that the subscription has"
                + " not acknowledged, how many of them are scheduled, and when the last is due; then how much scheduled messages"
                + " keep, and for how long."),
        EXPIRING("expiring", "Tells how many scheduled messages the topic's time to live ends before they are due, by ledger, at"
                + " least: a message is taken to be published when its ledger was closed.");

        private final String action;
        private final String does;

        Kind(String action, String does) {
            this.action = action;
            this.does = does;
        }
    }

    private static final Map<String, Duration> LATER = new LinkedHashMap<>();

    static {
        LATER.put("1h", Duration.ofHours(1));
        LATER.put("6h", Duration.ofHours(6));
        LATER.put("1d", Duration.ofDays(1));
        LATER.put("7d", Duration.ofDays(7));
        LATER.put("30d", Duration.ofDays(30));
    }

    private final Kind kind;

    LedgersCommand(Kind kind, PrintStream out) {
        super(kind.action, kind.does, "public/default/orders --subscription billing", out);
        this.kind = kind;
    }

    /** A ledger, with the sums of the pages so far. */
    private static final class Ledger {
        private long bytes;
        private Optional<Long> messages = Optional.empty();
        private long scheduled;
        private long lastDueMillis;
        private long expiring;

        private void add(JsonNode page) {
            bytes = page.path("bytes").asLong();
            messages = page.path("messages").isNumber() ? Optional.of(page.path("messages").asLong()) : Optional.empty();
            scheduled += page.path("scheduled").asLong();
            lastDueMillis = Math.max(lastDueMillis, page.path("lastDueMillis").asLong());
            expiring += page.path("expiring").asLong();
        }

        /** Whether something waits in it that is not scheduled: it was handed out, or not read yet. In doubt it does. */
        private boolean hasOthers() {
            return messages.map(count -> count > scheduled).orElse(true);
        }
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        return List.of(Arguments.topicParameter(), Arguments.subscriptionParameter(), Arguments.jsonParameter());
    }

    @Override
    void run(Arguments arguments, Servlet servlet) throws CommandFailed {
        Map<Long, Ledger> ledgers = new TreeMap<>();
        List<JsonNode> pages = new ArrayList<>();
        pages(servlet, onTopic(arguments), arguments, DelayedCommand::nextOfTheOne, page -> {
            page.path("subscriptions").path(0).path("ledgers").forEach(ledger ->
                    ledgers.computeIfAbsent(ledger.path("ledgerId").asLong(), id -> new Ledger()).add(ledger));
            pages.add(page);
        });
        if (!arguments.json()) {
            JsonNode last = pages.get(pages.size() - 1);
            JsonNode subscription = last.path("subscriptions").path(0);
            JsonNode timeToLive = subscription.path("timeToLiveSeconds");
            print(subscription.path("subscription").asText(), ledgers,
                    timeToLive.isNumber() ? Optional.of(timeToLive.asText()) : Optional.empty(), last.path("nowMillis").asLong());
        }
    }

    private void print(String name, Map<Long, Ledger> ledgers, Optional<String> timeToLive, long nowMillis) {
        if (kind == Kind.HOLDING) {
            ledgers.forEach((id, ledger) -> print(name, id.toString(), Long.toString(ledger.bytes),
                    ledger.messages.map(Object::toString).orElse("unknown"), Long.toString(ledger.scheduled),
                    ledger.scheduled == 0 ? "none" : Text.time(ledger.lastDueMillis)));
            if (ledgers.values().stream().anyMatch(ledger -> ledger.messages.isEmpty())) {
                print(name, "the broker does not tell what is acknowledged: ledgers may be kept by other messages too");
            }
            printKept(name, "kept by scheduled messages of this subscription only", ledgers, 0);
            LATER.forEach((text, later) -> printKept(name, "of these still kept in " + text, ledgers,
                    nowMillis + later.toMillis()));
        } else {
            ledgers.forEach((id, ledger) -> print(name, id.toString(), Long.toString(ledger.expiring)));
            print(name, "time to live", timeToLive.map(seconds -> seconds + " s").orElse("none"));
            print(name, "expiring", Long.toString(ledgers.values().stream().mapToLong(ledger -> ledger.expiring).sum()));
        }
    }

    /** A ledger is kept as long as anything waits in it or in one before. */
    private void printKept(String name, String text, Map<Long, Ledger> ledgers, long atMillis) {
        long count = 0;
        long bytes = 0;
        long lastDueMillis = 0;
        for (Ledger ledger : ledgers.values()) {
            if (ledger.hasOthers()) {
                break;
            }
            lastDueMillis = Math.max(lastDueMillis, ledger.lastDueMillis);
            if (lastDueMillis > atMillis) {
                count++;
                bytes += ledger.bytes;
            }
        }
        print(name, text, count + " ledgers", bytes + " bytes");
    }
}
