/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static io.github.delayedtracker.http.HttpRig.TOPIC;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.Caller;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.Listed;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Page;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Over HTTP messages are listed, and changed, by when they are due. */
class ByTimeOverHttpTest {

    private static final long END = Long.MAX_VALUE;
    private static final Options UNCONFIRMED = new Options(false, false);
    private static final MessageName ID = new MessageName(12, 3, -1, -1);

    private HttpRig rig;
    private long now;

    @BeforeEach
    void start() throws Exception {
        rig = new HttpRig();
        now = HttpRig.NOW;
        List<Result> results = List.of(new Result("s", List.of(ID), List.of(Answer.CANCELLED), Optional.of("5:12:3")));
        when(rig.commands.cancel(anyString(), any(), any(), any(), any()))
                .thenReturn(CompletableFuture.completedFuture(results));
        when(rig.commands.move(anyString(), any(), any(), any(), any(), any()))
                .thenReturn(CompletableFuture.completedFuture(results));
        when(rig.commands.list(anyString(), any(), any(), anyInt())).thenReturn(CompletableFuture.completedFuture(List.of()));
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    private HttpResponse<String> get(String query) throws Exception {
        return rig.send(rig.request(HttpRig.PATH + "list" + query).GET());
    }

    private HttpResponse<String> post(String action) throws Exception {
        return rig.send(rig.request(HttpRig.PATH + action).POST(HttpRequest.BodyPublishers.noBody()));
    }

    @Test
    void aPageOfAListComes() throws Exception {
        when(rig.commands.list(anyString(), any(), any(), anyInt())).thenReturn(CompletableFuture.completedFuture(List.of(
                new Page("s", 512, List.of(new Listed(ID, OptionalLong.empty(), false),
                        new Listed(new MessageName(12, 4, -1, -1), OptionalLong.of(77), true)), Optional.of("77:12:4")))));
        HttpResponse<String> response = get("?subscription=s&from=5&to=100&limit=2&after=overdue%3A12%3A2");
        assertEquals(200, response.statusCode());
        assertEquals(new ObjectMapper().readTree("{\"topic\":\"" + TOPIC + "\",\"subscriptions\":[{\"subscription\":\"s\","
                + "\"precisionMillis\":512,\"messages\":[{\"id\":\"12:3\",\"dueMillis\":null,\"moved\":false},"
                + "{\"id\":\"12:4\",\"dueMillis\":77,\"moved\":true}],\"next\":\"77:12:4@" + now + "\"}]}"),
                new ObjectMapper().readTree(response.body()));
        verify(rig.commands).list(TOPIC, Optional.of("s"),
                new DueWithin(5, 99, Optional.of("overdue:12:2"), OptionalLong.of(now)), 2);
    }

    @Test
    void aListWithoutTimesIsOfAll() throws Exception {
        assertEquals(200, get("?subscription=s").statusCode());
        verify(rig.commands).list(TOPIC, Optional.of("s"), new DueWithin(0, END, Optional.empty(), OptionalLong.of(now)), 100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"?limit=0", "?limit=10001", "?limit=x", "?limit=", "?from=7&to=7", "?from=8&to=7", "?from=x",
        "?to=-1", "?dueBefore=5", "?until=5"})
    void whatIsNoListIsRefused(String query) throws Exception {
        assertEquals(400, get(query + "&subscription=s").statusCode(), query);
        assertEquals(400, get("?from=1").statusCode(), "no subscription");
        verify(rig.commands, never()).list(anyString(), any(), any(), anyInt());
    }

    @Test
    void allOfATimeAreCancelled() throws Exception {
        HttpResponse<String> response = post("cancel?subscription=s&dueAfter=10m&dueBefore=6h");
        assertEquals(200, response.statusCode());
        assertEquals("5:12:3@" + now, new ObjectMapper().readTree(response.body()).at("/subscriptions/0/next").asText());
        verify(rig.commands).cancel(TOPIC, Optional.of("s"),
                new DueWithin(now + 600_001, now + 21_599_999, Optional.empty(), OptionalLong.of(now)),
                UNCONFIRMED, new Caller(""));
    }

    @Test
    void allAreMovedWithTheCallersWord() throws Exception {
        assertEquals(200, post("reschedule?subscription=s&all=true&due=1d&yes=true&after=5:12:3@5000").statusCode());
        verify(rig.commands).move(TOPIC, Optional.of("s"), new DueWithin(0, END, Optional.of("5:12:3"), OptionalLong.of(5_000)),
                new DueAt(5_000 + 86_400_000), new Options(false, true), new Caller(""));
    }

    @Test
    void aDryRunIsOne() throws Exception {
        assertEquals(200, post("deliver-now?subscription=s&dueBefore=1h&dryRun=true&after=@" + (now - 5)).statusCode());
        verify(rig.commands).move(TOPIC, Optional.of("s"),
                new DueWithin(0, now + 3_599_994, Optional.empty(), OptionalLong.of(now - 5)),
                new DueAt(now - 5), new Options(true, false), new Caller(""));
        HttpRequest.BodyPublisher ids = HttpRequest.BodyPublishers.ofString("12:3");
        assertEquals(200, rig.send(rig.request(HttpRig.PATH + "cancel?dryRun=true").header("Content-Type", "text/plain")
                .POST(ids)).statusCode());
        verify(rig.commands).cancel(TOPIC, Optional.empty(), new Named(List.of(ID), false), new Options(true, false),
                new Caller(""));
    }

    @ParameterizedTest
    @CsvSource({"cancel?all=false", "cancel?all=yes", "cancel?after=5:12:3", "cancel?all=true&dueBefore=5",
        "cancel?dueAfter=5&dueBefore=6", "cancel?dueBefore=0", "cancel?dueAfter=", "cancel?all=true&due=5", "cancel?from=5&to=9",
        "reschedule?all=true", "cancel?all=true&yes=1", "cancel?all=true&after=5:12:3@x"})
    void whatIsNoTimeIsRefused(String action) throws Exception {
        int status = post(action + "&subscription=s").statusCode();
        assertEquals(400, post("cancel?all=true").statusCode(), "no subscription");
        // Without a time the ids are looked for, in a body of a kind that is not told.
        assertEquals(action.equals("cancel?all=false") ? 415 : 400, status, action);
    }

    @Test
    void idsAndATimeTogetherAreRefused() throws Exception {
        assertEquals(400, rig.send(rig.request(HttpRig.PATH + "cancel?subscription=s&all=true").header("Content-Type",
        "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("12:3"))).statusCode());
        assertEquals(400, rig.send(rig.request(HttpRig.PATH + "cancel?subscription=s&all=true").POST(
                HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofString("12:3"))))
                .statusCode(), "chunked");
        verify(rig.commands, never()).cancel(anyString(), any(), any(), any(), any());
    }
}
