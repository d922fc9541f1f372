/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.admin.cli.extensions.CustomCommand;

/** A command of the group {@code delayed}: its name and help, and how it asks the servlet and goes through pages. */
abstract class DelayedCommand implements CustomCommand {

    private final String name;
    private final String does;
    private final String example;
    private final PrintStream out;

    /**
     * A command that prints there.
     *
     * @param does one or more sentences
     * @param example the arguments of a call of it
     */
    DelayedCommand(String name, String does, String example, PrintStream out) {
        this.name = name;
        this.does = does;
        this.example = example;
        this.out = out;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String description() {
        return does + "%nExample: pulsar-admin delayed " + name + " " + example;
    }

    @Override
    public final boolean execute(Map<String, Object> parameters, CommandExecutionContext context) throws CommandFailed {
        run(new Arguments(parameters), Servlet.of(context));
        return true;
    }

    /** Does it. */
    abstract void run(Arguments arguments, Servlet servlet) throws CommandFailed;

    /** A request for this command on the topic and subscription of the arguments. */
    final Request onTopic(Arguments arguments) throws CommandFailed {
        return Request.to(arguments.topic().path() + name).with("subscription", arguments.subscription());
    }

    /** Prints a line, its parts with tabs between. What came from elsewhere in them is cleaned here. */
    final void print(String... parts) {
        print(List.of(parts));
    }

    /** As {@link #print(String...)}. */
    final void print(List<String> parts) {
        out.println(parts.stream().map(Text::line).collect(Collectors.joining("\t")));
    }

    /** Asks once: prints the answer as it is if that is wanted, else hands it over. */
    final void ask(Servlet servlet, Request request, Arguments arguments, Consumer<JsonNode> otherwise) throws CommandFailed {
        String answer = servlet.get(request.text());
        if (arguments.json()) {
            out.println(answer);
        } else {
            otherwise.accept(Servlet.json(answer));
        }
    }

    /** Asks page by page: hands each over, and prints it as it is if that is wanted. */
    final void pages(Servlet servlet, Request first, Arguments arguments, UnaryOperator<JsonNode> nextOf,
            Consumer<JsonNode> each) throws CommandFailed {
        Optional<Request> at = Optional.of(first);
        while (at.isPresent()) {
            String answer = servlet.get(at.get().text());
            if (arguments.json()) {
                out.println(answer);
            }
            JsonNode page = Servlet.json(answer);
            each.accept(page);
            at = after(first, at.get(), nextOf.apply(page));
        }
    }

    /**
     * The request for the next page.
     *
     * @param at the request that was answered
     * @param next the place to go on that the answer tells: none if it is neither a text nor a number
     */
    static Optional<Request> after(Request first, Request at, JsonNode next) throws CommandFailed {
        if (!next.isTextual() && !next.isNumber()) {
            return Optional.empty();
        }
        Request then = first.with("after", next.asText());
        if (then.equals(at)) {
            throw new CommandFailed("the broker answered " + next.asText() + " as the place to go on behind the same place");
        }
        return Optional.of(then);
    }

    /** The place to go on of a page about one subscription. */
    static JsonNode nextOfTheOne(JsonNode page) {
        return page.path("subscriptions").path(0).path("next");
    }

    /** Prints an answer as it is. */
    final void printAsItIs(String answer) {
        out.println(answer);
    }
}
