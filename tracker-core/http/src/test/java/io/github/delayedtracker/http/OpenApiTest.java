/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.Content;
import io.github.delayedtracker.command.DelayedCommands.DueBy;
import io.github.delayedtracker.command.DelayedCommands.LedgerUse;
import io.github.delayedtracker.command.DelayedCommands.LedgerUses;
import io.github.delayedtracker.command.DelayedCommands.Listed;
import io.github.delayedtracker.command.DelayedCommands.Orphan;
import io.github.delayedtracker.command.DelayedCommands.Page;
import io.github.delayedtracker.command.DelayedCommands.Peek;
import io.github.delayedtracker.command.DelayedCommands.Peeked;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.DelayedCommands.Schedule;
import io.github.delayedtracker.command.DelayedCommands.Snapshot;
import io.github.delayedtracker.command.DelayedCommands.Snapshots;
import io.github.delayedtracker.command.DelayedCommands.Sweep;
import io.github.delayedtracker.command.DelayedCommands.Verification;
import io.github.delayedtracker.command.MessageName;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** docs/openapi.yaml says what the running server does: its paths, parameters and answers. */
class OpenApiTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PATH = "/persistent/{tenant}/{namespace}/{topic}/";
    private static final MessageName ID = new MessageName(12, 3, -1, -1);

    private HttpRig rig;
    private JsonNode page;

    @BeforeEach
    void start() throws Exception {
        page = JSON.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions()))
                .load(Files.readString(Path.of("../../docs/openapi.yaml"))));
        rig = new HttpRig();
        CompletableFuture<List<Result>> changed = CompletableFuture.completedFuture(List.of(
                new Result("s", Collections.nCopies(Answer.values().length, ID), List.of(Answer.values()), Optional.of("5:12:3")),
                new Result("t", List.of(), List.of(), Optional.empty())));
        when(rig.commands.cancel(anyString(), any(), any(), any(), any())).thenReturn(changed);
        when(rig.commands.move(anyString(), any(), any(), any(), any(), any())).thenReturn(changed);
        when(rig.commands.list(anyString(), any(), any(), anyInt())).thenReturn(CompletableFuture.completedFuture(List.of(
                new Page("s", 512, List.of(new Listed(ID, OptionalLong.empty(), false), new Listed(ID, OptionalLong.of(7), true)),
                        Optional.of("7:12:3")), new Page("t", 1, List.of(), Optional.empty()))));
        when(rig.commands.peek(anyString(), any(), any(), anyInt())).thenReturn(CompletableFuture.completedFuture(List.of(
                new Peek("s", List.of(new Peeked(new Listed(ID, OptionalLong.of(7), true), Optional.empty()),
                        new Peeked(new Listed(ID, OptionalLong.empty(), false), Optional.of(new Content(1, OptionalLong.of(5),
                                Optional.of("k"), "p", 1, 70, Map.of("a", "b")))),
                        new Peeked(new Listed(ID, OptionalLong.empty(), false), Optional.of(new Content(1, OptionalLong.empty(),
                                Optional.empty(), "p", 1, 70, Map.of())))), Optional.of("7:12:3")))));
        when(rig.commands.snapshots(anyString(), any())).thenReturn(CompletableFuture.completedFuture(List.of(
                new Snapshots("s", List.of(new Snapshot(OptionalLong.of(5), "sealed", 9, 900, 3, 2, OptionalLong.of(1),
                        OptionalLong.of(2)), new Snapshot(OptionalLong.empty(), "sealing", 9, 0, 0, 0, OptionalLong.empty(),
                        OptionalLong.empty()))), new Snapshots("t", List.of()))));
        when(rig.commands.verify(anyString(), any(), any())).thenReturn(CompletableFuture.completedFuture(List.of(
                new Verification("s", 100, 1, 50, 40, List.of(ID), 2, List.of(5L), List.of(6L, 7L), Optional.of("7:-1:-1")),
                new Verification("t", 0, 0, 0, 0, List.of(), 0, List.of(), List.of(), Optional.empty()))));
        when(rig.commands.ledgers(anyString(), any(), any())).thenReturn(CompletableFuture.completedFuture(List.of(
                new LedgerUses("s", OptionalLong.of(60), List.of(
                        new LedgerUse(1, 5, OptionalLong.of(9), OptionalLong.of(3), 2, OptionalLong.of(7), 1),
                        new LedgerUse(2, 5, OptionalLong.empty(), OptionalLong.empty(), 0, OptionalLong.empty(), 0)),
                        Optional.of("7:-1:-1")),
                new LedgerUses("t", OptionalLong.empty(), List.of(), Optional.empty()))));
        when(rig.commands.sweep(any())).thenReturn(CompletableFuture.completedFuture(new Sweep(9, 4, 1, 2, 3, 1,
                Optional.empty(), 60_000, List.of(new Orphan(5, "t", "s", 7)), OptionalLong.of(12))));
        when(rig.commands.look(anyString(), any(), any())).thenReturn(CompletableFuture.completedFuture(List.of(
                new Schedule("s", 5, 1, OptionalLong.of(40), OptionalLong.of(90), "window", List.of(new DueBy(20, 1))),
                new Schedule("t", 0, 0, OptionalLong.empty(), OptionalLong.empty(), "none", List.of()))));
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    private JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").asText("");
        return reference.isEmpty() ? node : resolved(page.at(reference.substring(1)));
    }

    private JsonNode operation(Route.Action action) {
        JsonNode operation = page.path("paths").path(PATH + action.segment()).path(action.method().toLowerCase(Locale.ROOT));
        assertTrue(operation.isObject(), () -> action + " is not described");
        return operation;
    }

    private JsonNode sweep() {
        return page.path("paths").path("/sweep").path("get");
    }

    private Set<String> parameters(JsonNode operation) {
        Set<String> described = new TreeSet<>();
        operation.path("parameters").forEach(parameter -> described.add(resolved(parameter).path("name").asText()));
        return described;
    }

    @Test
    void everyActionIsDescribedWithItsParametersAndNoOther() {
        assertEquals(Route.Action.values().length + 1, page.path("paths").size());
        for (Route.Action action : Route.Action.values()) {
            assertEquals(Query.names(action), parameters(operation(action)), action.segment());
            assertTrue(operation(action).path("summary").asText().contains(action.operation().name()), action.segment());
        }
        assertEquals(Query.OF_A_SWEEP, parameters(sweep()));
        TreeSet<String> used = new TreeSet<>();
        Arrays.stream(Route.Action.values()).forEach(action -> used.addAll(Query.names(action)));
        used.addAll(List.of("tenant", "namespace", "topic"));
        TreeSet<String> described = new TreeSet<>();
        page.at("/components/parameters").forEach(parameter -> described.add(parameter.path("name").asText()));
        assertEquals(used, described);
    }

    @Test
    void everyAnswerIsNamed() {
        TreeSet<String> named = new TreeSet<>();
        page.at("/components/schemas/Answer/enum").forEach(answer -> named.add(answer.asText()));
        assertEquals(new TreeSet<>(Arrays.stream(Answer.values()).map(Answer::text).toList()), named);
    }

    @Test
    void whatTheServerAnswersHasTheDescribedForm() throws Exception {
        for (Route.Action action : Route.Action.values()) {
            HttpRequest.Builder request = rig.request(HttpRig.PATH + action.segment()
                    + "?subscription=s" + (action == Route.Action.RESCHEDULE ? "&due=1h" : ""));
            HttpResponse<String> response = rig.send(action.method().equals("GET") ? request.GET()
                    : request.header("Content-Type", "text/plain").POST(HttpRequest.BodyPublishers.ofString("12:3")));
            assertEquals(200, response.statusCode(), action.segment());
            mustHave(action.segment(), operation(action).at("/responses/200/content/application~1json/schema"),
                    JSON.readTree(response.body()));
        }
        mustHave("sweep", sweep().at("/responses/200/content/application~1json/schema"),
                HttpRig.json(rig.send(rig.request(SweepCall.PATH).GET())));
        HttpResponse<String> refused = rig.get("?until=none");
        assertEquals(400, refused.statusCode());
        mustHave("refused", page.at("/components/schemas/Reason"), JSON.readTree(refused.body()));
    }

    /** A value has the form of a schema, and no property that is not in it. */
    private void mustHave(String where, JsonNode reference, JsonNode value) {
        JsonNode schema = resolved(reference);
        if (value.isNull()) {
            assertTrue(schema.path("nullable").asBoolean(), () -> where + " is null");
            return;
        }
        switch (schema.path("type").asText()) {
            case "object" -> {
                assertTrue(value.isObject(), () -> where + ": " + value);
                schema.path("required").forEach(name -> assertTrue(value.has(name.asText()), () -> where + " has no " + name));
                value.fields().forEachRemaining(field -> {
                    JsonNode of = schema.path("properties").path(field.getKey());
                    JsonNode form = of.isMissingNode() ? schema.path("additionalProperties") : of;
                    assertTrue(form.isObject(), () -> where + " has " + field.getKey());
                    mustHave(where + "." + field.getKey(), form, field.getValue());
                });
            }
            case "array" -> {
                assertTrue(value.isArray(), () -> where + ": " + value);
                value.forEach(each -> mustHave(where + "[]", schema.path("items"), each));
            }
            case "string" -> assertTrue(value.isTextual(), () -> where + ": " + value);
            case "integer" -> assertTrue(value.isIntegralNumber(), () -> where + ": " + value);
            case "boolean" -> assertTrue(value.isBoolean(), () -> where + ": " + value);
            default -> throw new AssertionError(where + " has a form that is not known: " + schema);
        }
    }
}
