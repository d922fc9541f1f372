/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/**
 * Tells which ledgers of the cluster nothing names: {@code delayed sweep --dry-run}. Prints ledger, topic, subscription and time
 * of creation, a line for each as it is found, then sums.
 */
final class SweepCommand extends DelayedCommand {

    private static final String PATH = "/admin/delayed/v1/sweep";
    private static final String DRY_RUN = "--dry-run";
    private static final List<String> SUMS = List.of("lookedAt", "own", "young", "withoutId", "ofAnotherId", "unknown");

    SweepCommand(PrintStream out) {
        super("sweep", "Tells which ledgers of the plugin no subscription names, so that the sweeper deletes them once they are"
                + " old enough: ledger, topic, subscription, when it was made. For superusers. Looks at 100 ledgers a second.",
                "--dry-run", out);
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        return List.of(Arguments.flag("Only tell; the sweeper itself deletes, by delayedDeliveryIndexSweepIntervalMinutes",
                DRY_RUN), Arguments.jsonParameter());
    }

    @Override
    void run(Arguments arguments, Servlet servlet) throws CommandFailed {
        if (!arguments.given(DRY_RUN)) {
            throw new CommandFailed("give " + DRY_RUN + ": the brokers delete by themselves, this only tells what");
        }
        List<JsonNode> pages = new ArrayList<>();
        pages(servlet, Request.to(PATH), arguments, page -> page.path("next"), page -> {
            pages.add(page);
            if (!arguments.json()) {
                page.path("orphans").forEach(orphan -> print(orphan.path("ledgerId").asText(),
                        orphan.path("topic").asText(), orphan.path("subscription").asText(),
                        Text.time(orphan.path("createdMillis").asLong())));
            }
        });
        if (!arguments.json()) {
            sums(pages);
        }
    }

    private void sums(List<JsonNode> pages) {
        List<String> sums = SUMS.stream().map(field ->
                Long.toString(pages.stream().mapToLong(page -> page.path(field).asLong()).sum())).toList();
        long orphans = pages.stream().mapToLong(page -> page.path("orphans").size()).sum();
        print("ledgers looked at", sums.get(0));
        print("of the plugin in this cluster", sums.get(1));
        print("of these younger than " + pages.get(0).path("minAgeMillis").asLong() / 60_000 + " min", sums.get(2));
        print("old, and named by no subscription", Long.toString(orphans));
        print("without an id of a cluster, left alone", sums.get(3));
        print("of a cluster of the same name, left alone", sums.get(4));
        Optional<String> why = pages.stream().map(page -> page.path("firstUnknown").textValue()).filter(text -> text != null)
                .findFirst();
        print("could not be judged, left alone", sums.get(5) + why.map(text -> ": " + text).orElse(""));
    }
}
