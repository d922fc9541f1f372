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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.admin.cli.extensions.CustomCommand;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/**
 * Commands that tell by ledger what waits: {@code delayed holding <topic>} why a topic does not shrink, {@code delayed expiring
 * <topic>} what its time to live ends before it is due. Print a line a ledger, then sums; the pages of the broker are added up
 * first.
 */
final class LedgersCommand implements CustomCommand {

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
    private final PrintStream out;

    LedgersCommand(Kind kind, PrintStream out) {
        this.kind = kind;
        this.out = out;
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
    public String name() {
        return kind.action;
    }

    @Override
    public String description() {
        return kind.does + "%nExample: pulsar-admin delayed " + kind.action
                + " public/default/orders --subscription billing";
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        return List.of(Arguments.topicParameter(), Arguments.subscriptionParameter(), Arguments.jsonParameter());
    }

    @Override
    public boolean execute(Map<String, Object> parameters, CommandExecutionContext context) throws CommandFailed {
        Arguments arguments = new Arguments(parameters);
        Servlet servlet = Servlet.of(context);
        String path = arguments.topic().path() + kind.action + "?"
                + arguments.subscription().map(name -> "subscription=" + TopicPath.encoded(name) + "&").orElse("");
        Map<Long, Ledger> ledgers = new TreeMap<>();
        String name = "";
        Optional<String> timeToLive = Optional.empty();
        long nowMillis = 0;
        String after = "";
        do {
            String answer = servlet.get(path + after);
            if (arguments.json()) {
                out.println(answer);
            }
            JsonNode body = Servlet.json(answer);
            JsonNode page = body.path("subscriptions").path(0);
            page.path("ledgers").forEach(ledger ->
                    ledgers.computeIfAbsent(ledger.path("ledgerId").asLong(), id -> new Ledger()).add(ledger));
            name = Text.line(page.path("subscription").asText());
            timeToLive = page.path("timeToLiveSeconds").isNumber()
                    ? Optional.of(page.path("timeToLiveSeconds").asText()) : Optional.empty();
            nowMillis = body.path("nowMillis").asLong();
            String next = page.path("next").textValue();
            after = next == null ? "" : "after=" + TopicPath.encoded(next);
        } while (!after.isEmpty());
        if (!arguments.json()) {
            print(name, ledgers, timeToLive, nowMillis);
        }
        return true;
    }

    private void print(String name, Map<Long, Ledger> ledgers, Optional<String> timeToLive, long nowMillis) {
        if (kind == Kind.HOLDING) {
            ledgers.forEach((id, ledger) -> out.println(name + "\t" + id + "\t" + ledger.bytes + "\t"
                    + ledger.messages.map(Object::toString).orElse("unknown") + "\t" + ledger.scheduled + "\t"
                    + (ledger.scheduled == 0 ? "none" : Text.time(ledger.lastDueMillis))));
            if (ledgers.values().stream().anyMatch(ledger -> ledger.messages.isEmpty())) {
                out.println(name + "\tthe broker does not tell what is acknowledged: ledgers may be kept by other messages too");
            }
            printKept(name, "kept by scheduled messages of this subscription only", ledgers, 0);
            LATER.forEach((text, later) -> printKept(name, "of these still kept in " + text, ledgers,
                    nowMillis + later.toMillis()));
        } else {
            ledgers.forEach((id, ledger) -> out.println(name + "\t" + id + "\t" + ledger.expiring));
            out.println(name + "\ttime to live\t" + timeToLive.map(seconds -> seconds + " s").orElse("none"));
            out.println(name + "\texpiring\t" + ledgers.values().stream().mapToLong(ledger -> ledger.expiring).sum());
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
        out.println(name + "\t" + text + "\t" + count + " ledgers\t" + bytes + " bytes");
    }
}
