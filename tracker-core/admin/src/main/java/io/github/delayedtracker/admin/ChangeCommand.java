/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/**
 * Commands that change the schedule of messages, named by their ids or by when they are due: {@code delayed cancel <topic>
 * [<id>,<id>...]}, reschedule and deliver-now. Prints one line for each id and subscription; of a time, one line for each kind of
 * answer. A time is done page by page, and a cancel once more for what has become due meanwhile.
 */
final class ChangeCommand extends DelayedCommand {

    /** What is done. */
    enum Kind {
        CANCEL("cancel", "Cancels scheduled messages: they will not be delivered.", ""),
        RESCHEDULE("reschedule", "Gives scheduled messages another due time, earlier or later; without the plugin their own"
                + " counts.", " --due 6h"),
        DELIVER_NOW("deliver-now", "Delivers scheduled messages now.", "");

        private final String action;
        private final String does;
        private final String example;

        Kind(String action, String does, String example) {
            this.action = action;
            this.does = does;
            this.example = example;
        }
    }

    private static final String IDS = "ids";
    private static final String IDS_FILE = "--ids-file";
    private static final String WHOLE_BATCHES = "--whole-batches";
    private static final String DUE = "--due";
    private static final String BY = "--by";
    private static final String DUE_AFTER = "--due-after";
    private static final String DUE_BEFORE = "--due-before";
    private static final String ALL = "--all";
    private static final String DRY_RUN = "--dry-run";
    private static final String YES = "--yes";
    private static final int MOST_PASSES = 10;

    /** The servlet takes no more. */
    private static final long MOST_BYTES = 1 << 20;

    private final Kind kind;

    ChangeCommand(Kind kind, PrintStream out) {
        super(kind.action, kind.does + " Prints subscription, id and answer of each.",
                "public/default/orders 12:3,12:4 --subscription billing" + kind.example, out);
        this.kind = kind;
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        List<ParameterDescriptor> parameters = new ArrayList<>(List.of(Arguments.topicParameter(),
                Arguments.main(IDS, "Ids as send has returned them, ledger:entry, with commas between"),
                Arguments.subscriptionParameter(),
                Arguments.option("A file with more ids, one a line", IDS_FILE),
                Arguments.flag("An id with a batch index stands for the whole batch", WHOLE_BATCHES),
                Arguments.option("All due after this, in place of ids: from now (90s, 10m, 6h, 7d) or epoch milliseconds",
                        DUE_AFTER),
                Arguments.option("All due before this, in place of ids; what is overdue is due now", DUE_BEFORE),
                Arguments.flag("All that are scheduled, in place of ids", ALL),
                Arguments.flag("Only tell what it would be done to", DRY_RUN),
                Arguments.flag("Do it for more than 100 messages too", YES),
                Arguments.jsonParameter()));
        if (kind == Kind.RESCHEDULE) {
            parameters.add(Arguments.option("When they are to be due: from now (90s, 10m, 6h, 7d) or epoch milliseconds", DUE));
            parameters.add(Arguments.option("How much later than planned, in place of a time: 90s, 10m, 6h, 7d; -6h is earlier",
                    BY));
        }
        return parameters;
    }

    @Override
    void run(Arguments arguments, Servlet servlet) throws CommandFailed {
        Request request = request(arguments);
        if (isTime(arguments)) {
            if (arguments.text(IDS).isPresent() || arguments.text(IDS_FILE).isPresent()) {
                throw new CommandFailed("messages are named by ids or by a time, not by both");
            }
            ofTime(arguments, servlet, request);
            return;
        }
        String answer = servlet.post(request.text(), String.join("\n", ids(arguments)));
        if (arguments.json()) {
            printAsItIs(answer);
            return;
        }
        for (JsonNode subscription : Servlet.json(answer).path("subscriptions")) {
            String name = subscription.path("subscription").asText();
            for (JsonNode one : subscription.path("answers")) {
                print(name, one.path("id").asText(), one.path("answer").asText());
            }
        }
    }

    private static boolean isTime(Arguments arguments) {
        return arguments.given(ALL) || arguments.text(DUE_AFTER).isPresent() || arguments.text(DUE_BEFORE).isPresent();
    }

    private Request request(Arguments arguments) throws CommandFailed {
        if (kind == Kind.RESCHEDULE && arguments.text(DUE).isEmpty() == arguments.text(BY).isEmpty()) {
            throw new CommandFailed("when the messages are to be due: give one of " + DUE + " and " + BY);
        }
        return onTopic(arguments).withFlag("wholeBatches", arguments.given(WHOLE_BATCHES)).with("due", arguments.text(DUE))
                .with("by", arguments.text(BY)).with("dueAfter", arguments.text(DUE_AFTER))
                .with("dueBefore", arguments.text(DUE_BEFORE)).withFlag("all", arguments.given(ALL))
                .withFlag("dryRun", arguments.given(DRY_RUN)).withFlag("yes", arguments.given(YES));
    }

    /** Page by page. What becomes due meanwhile goes to the front: a cancel begins again until it finds nothing. */
    private void ofTime(Arguments arguments, Servlet servlet, Request request) throws CommandFailed {
        Map<String, Map<String, Long>> counts = new TreeMap<>();
        try {
            Request begin = request;
            boolean more = true;
            for (int pass = 0; more && pass < MOST_PASSES; pass++) {
                long before = cancelled(counts);
                Optional<Request> next = Optional.of(begin);
                while (next.isPresent()) {
                    Request at = next.get();
                    String answer = servlet.post(at.text(), "");
                    if (arguments.json()) {
                        printAsItIs(answer);
                    }
                    JsonNode page = Servlet.json(answer);
                    // Times from now count from the first page on.
                    begin = request.with("after", "@" + page.path("nowMillis").asLong());
                    next = Optional.empty();
                    for (JsonNode subscription : page.path("subscriptions")) {
                        add(counts, subscription);
                        next = after(request, at, subscription.path("next"));
                    }
                }
                more = cancelled(counts) > before;
            }
            if (more) {
                throw new CommandFailed("something was found in each of " + MOST_PASSES + " passes: ask again for the rest");
            }
        } finally {
            if (!arguments.json()) {
                counts.forEach(this::print);
            }
        }
    }

    private static void add(Map<String, Map<String, Long>> counts, JsonNode subscription) {
        Map<String, Long> sums = counts.computeIfAbsent(subscription.path("subscription").asText(), name -> new TreeMap<>());
        subscription.path("counts").fields().forEachRemaining(count ->
                sums.merge(count.getKey(), count.getValue().asLong(), Long::sum));
    }

    private static long cancelled(Map<String, Map<String, Long>> counts) {
        return counts.values().stream().mapToLong(sums -> sums.getOrDefault("cancelled", 0L)).sum();
    }

    private void print(String name, Map<String, Long> sums) {
        if (sums.isEmpty()) {
            print(name, "nothing is due in this time", "0");
        }
        sums.forEach((answer, count) -> print(name, answer, count.toString()));
    }

    private static List<String> ids(Arguments arguments) throws CommandFailed {
        List<String> ids = new ArrayList<>();
        for (String id : arguments.text(IDS).orElse("").split(",")) {
            add(ids, id);
        }
        Optional<String> file = arguments.text(IDS_FILE);
        if (file.isPresent()) {
            lines(file.get()).forEach(line -> add(ids, line));
        }
        if (ids.isEmpty()) {
            throw new CommandFailed("no message is named: give ids with commas between, or " + IDS_FILE);
        }
        return ids;
    }

    private static void add(List<String> ids, String id) {
        if (!id.isBlank()) {
            ids.add(id.strip());
        }
    }

    private static List<String> lines(String file) throws CommandFailed {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > MOST_BYTES) {
                throw new CommandFailed(file + " is longer than " + MOST_BYTES + " bytes; split it");
            }
            return Files.readAllLines(path);
        } catch (CharacterCodingException e) {
            throw new CommandFailed(file + " is not UTF-8 text");
        } catch (IOException | InvalidPathException e) {
            throw new CommandFailed("cannot read " + file + ": " + e);
        }
    }
}
