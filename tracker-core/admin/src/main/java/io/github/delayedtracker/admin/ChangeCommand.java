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
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.admin.cli.extensions.CustomCommand;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;

/**
 * Commands that change the schedule of messages named by their ids: {@code delayed cancel <topic> [<id>,<id>...]}, reschedule and
 * deliver-now. Prints one line for each id and subscription.
 */
final class ChangeCommand implements CustomCommand {

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

    /** The servlet takes no more. */
    private static final long MOST_BYTES = 1 << 20;

    private final Kind kind;
    private final PrintStream out;

    ChangeCommand(Kind kind, PrintStream out) {
        this.kind = kind;
        this.out = out;
    }

    @Override
    public String name() {
        return kind.action;
    }

    @Override
    public String description() {
        return kind.does + " Prints subscription, id and answer of each.%nExample: pulsar-admin delayed " + kind.action
                + " public/default/orders 12:3,12:4 --subscription billing" + kind.example;
    }

    @Override
    public List<ParameterDescriptor> parameters() {
        List<ParameterDescriptor> parameters = new ArrayList<>(List.of(Arguments.topicParameter(),
                Arguments.main(IDS, "Ids as send has returned them, ledger:entry, with commas between"),
                Arguments.subscriptionParameter(),
                Arguments.option("A file with more ids, one a line", IDS_FILE),
                Arguments.flag("An id with a batch index stands for the whole batch", WHOLE_BATCHES),
                Arguments.jsonParameter()));
        if (kind == Kind.RESCHEDULE) {
            parameters.add(Arguments.option("When they are to be due: from now (90s, 10m, 6h, 7d) or epoch milliseconds", DUE));
        }
        return parameters;
    }

    @Override
    public boolean execute(Map<String, Object> parameters, CommandExecutionContext context) throws CommandFailed {
        Arguments arguments = new Arguments(parameters);
        TopicPath topic = arguments.topic();
        List<String> ids = ids(arguments);
        String query = "?wholeBatches=" + arguments.given(WHOLE_BATCHES)
                + arguments.subscription().map(name -> "&subscription=" + TopicPath.encoded(name)).orElse("");
        if (kind == Kind.RESCHEDULE) {
            query += "&due=" + TopicPath.encoded(arguments.text(DUE).orElseThrow(() -> new CommandFailed("when the messages are"
                    + " to be due is missing: give " + DUE)));
        }
        String answer = Servlet.of(context).post(topic.path() + kind.action + query, String.join("\n", ids));
        if (arguments.json()) {
            out.println(answer);
            return true;
        }
        JsonNode body = Servlet.json(answer);
        for (JsonNode subscription : body.path("subscriptions")) {
            String name = Text.line(subscription.path("subscription").asText());
            for (JsonNode one : subscription.path("answers")) {
                out.println(name + "\t" + Text.line(one.path("id").asText()) + "\t" + Text.line(one.path("answer").asText()));
            }
        }
        return true;
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
