/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static io.github.delayedtracker.http.HttpRig.TOPIC;
import static io.github.delayedtracker.http.HttpRig.json;
import static io.github.delayedtracker.http.HttpRig.reason;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.DelayedCommands.Caller;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cancel over HTTP: what it hands to the commands and what it answers, and the bodies it refuses. */
class CancelOverHttpTest {

    private static final Options UNCONFIRMED = new Options(false, false);

    private static final String JSON = "application/json";

    private HttpRig rig;

    @BeforeEach
    void start() throws Exception {
        rig = new HttpRig();
        answers(List.of());
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    private void answers(List<Result> results) {
        when(rig.commands.cancel(anyString(), any(), any(), any(), any()))
                .thenReturn(CompletableFuture.completedFuture(results));
    }

    private void verifyNothingIsCancelled() {
        verify(rig.commands, never()).cancel(anyString(), any(), any(), any(), any());
    }

    @Test
    void theIdsGoToTheCommandsAndTheAnswersCome() throws Exception {
        List<MessageName> ids = List.of(new MessageName(12, 3, -1, -1), new MessageName(12, 4, 0, -1),
                new MessageName(12, 5, -1, 2));
        answers(List.of(new Result("s", ids, List.of(Answer.CANCELLED, Answer.ALREADY_HANDED_OUT, Answer.CANCELLED),
                Optional.empty())));
        HttpResponse<String> response = rig.cancel("?subscription=s&wholeBatches=true", JSON,
                "{\"ids\":[\"12:3\",\"12:4:0\",\"12:5:-1:2\"]}");
        assertEquals(200, response.statusCode());
        assertEquals("application/json", response.headers().firstValue("Content-Type").orElseThrow());
        assertEquals(new ObjectMapper().readTree("{\"topic\":\"" + TOPIC + "\",\"nowMillis\":" + HttpRig.NOW
                + ",\"subscriptions\":[{\"subscription\":\"s\","
                + "\"counts\":{\"cancelled\":2,\"already handed out\":1},\"answers\":[{\"id\":\"12:3\",\"answer\":\"cancelled\"},"
                + "{\"id\":\"12:4:0\",\"answer\":\"already handed out\"},{\"id\":\"12:5:-1:2\",\"answer\":\"cancelled\"}],"
                + "\"next\":null}]}"),
                json(response));
        verify(rig.commands).cancel(TOPIC, Optional.of("s"), new Named(ids, true), UNCONFIRMED, new Caller(""));
    }

    @Test
    void linesOfTextAreIdsAndBlankOnesNothing() throws Exception {
        HttpResponse<String> response = rig.cancel("", "Text/Plain; charset=UTF-8", "12:3\n\n  12:4 \r\n   \n");
        assertEquals(200, response.statusCode());
        verify(rig.commands).cancel(TOPIC, Optional.empty(), new Named(List.of(new MessageName(12, 3, -1, -1),
                new MessageName(12, 4, -1, -1)), false), UNCONFIRMED, new Caller(""));
    }

    @Test
    void anAnswerThatComesLaterIsWaitedFor() throws Exception {
        CompletableFuture<List<Result>> later = new CompletableFuture<>();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        when(rig.commands.cancel(anyString(), any(), any(), any(), any())).thenAnswer(call -> {
            asked.complete(null);
            return later;
        });
        Result result = new Result("s", List.of(MessageName.parse("1:1")), List.of(Answer.UNKNOWN), Optional.empty());
        var unused = asked.thenRunAsync(() -> later.complete(List.of(result)));
        HttpResponse<String> response = rig.cancel("", JSON, "{\"ids\":[\"1:1\"]}");
        assertEquals(200, response.statusCode());
        assertEquals("unknown", json(response).at("/subscriptions/0/answers/0/answer").asText());
    }

    @Test
    void asManyIdsAsMayAreTakenAndOneMoreIsNot() throws Exception {
        String most = IntStream.range(0, DelayedCommands.MOST_IDS).mapToObj(i -> "7:" + i).collect(Collectors.joining("\n"));
        assertEquals(200, rig.cancel("", "text/plain", most).statusCode());
        HttpResponse<String> response = rig.cancel("", "text/plain", most + "\n7:10000");
        assertEquals(400, response.statusCode());
        assertTrue(reason(response).contains("10001"), response.body());
    }

    @Test
    void aBodyThatIsTooLongIsRefusedWithItsLengthToldOrNot() throws Exception {
        String atMost = "1:1" + "\n".repeat(IdsBody.MOST_BYTES - 3);
        assertEquals(200, rig.cancel("", "text/plain", atMost).statusCode());
        assertEquals(413, rig.cancel("", "text/plain", atMost + "\n").statusCode());
        assertEquals(413, rig.cancel("", "text/plain", atMost.repeat(4)).statusCode());
        HttpResponse<String> chunked = rig.send(rig.request(HttpRig.PATH + "cancel").header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofString(atMost + "\n"))));
        assertEquals(413, chunked.statusCode());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\1', value = {
        "{}|must be an array of strings",
        "[]|must be an object",
        "|names no message",
        "{\"ids\":[]}|names no message",
        "{\"ids\":null}|must be an array",
        "{\"ids\":\"1:1\"}|must be an array",
        "{\"ids\":[1]}|number 1 is none",
        "{\"ids\":[\"1:1\",null]}|number 2 is none",
        "{\"ids\":[\"1:1\"],\"id\":[]}|'id'",
        "{\"ids\":[\"1:1\"],\"\\u0007a\\nb\":1}|'?a?b'",
        "{\"@class\":\"java.lang.Object\",\"ids\":[\"1:1\"]}|'@class'",
        "{\"ids\":[\"1:1\"],\"ids\":[\"1:2\"]}|not JSON",
        "{\"ids\":[\"1:1\"]} x|not JSON",
        "{\"ids\":[\"1:1\"]|not JSON, from line 1",
        "{\"ids\":[\"1\"]}|this is '1'",
        "{\"ids\":[\"1:-1\"]}|this is '1:-1'",
        "{\"ids\":[\"1:\\u001b[31m\"]}|this is '1:?[31m'"})
    void aBadBodyIsRefusedWithTheReason(String body, String reason) throws Exception {
        HttpResponse<String> response = rig.cancel("", body == null ? "text/plain" : JSON, body == null ? "" : body);
        assertEquals(400, response.statusCode(), response.body());
        assertTrue(reason(response).contains(reason), response.body());
        verifyNothingIsCancelled();
    }

    @Test
    void nestingWithoutEndIsRefused() throws Exception {
        assertEquals(400, rig.cancel("", JSON, "{\"ids\":" + "[".repeat(500_000)).statusCode());
        assertEquals(400, rig.cancel("", JSON, "[".repeat(900)).statusCode());
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws Exception {
        HttpResponse<String> response = rig.send(rig.request(HttpRig.PATH + "cancel").header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[] {'1', ':', (byte) 0xff})));
        assertEquals(400, response.statusCode());
        assertTrue(reason(response).contains("UTF-8"), response.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/xml", "application/x-www-form-urlencoded", "text/plain; charset=utf-16",
        "text/html", "json"})
    void otherContentIsRefused(String type) throws Exception {
        HttpResponse<String> response = rig.cancel("", type, "1:1");
        assertEquals(415, response.statusCode());
        verifyNothingIsCancelled();
    }

    @Test
    void contentThatIsEncodedOrNotNamedIsRefused() throws Exception {
        HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("1:1");
        assertEquals(415, rig.send(rig.request(HttpRig.PATH + "cancel").POST(body)).statusCode());
        assertEquals(415, rig.send(rig.request(HttpRig.PATH + "cancel").header("Content-Type", "text/plain")
                .header("Content-Encoding", "gzip").POST(body)).statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"?wholebatches=true", "?wholeBatches=yes", "?subscription=", "?subscription=a&subscription=b",
        "?subscription=%0a", "?until=1", "?authoritative=1", "?subscription=%ff"})
    void aBadParameterIsRefused(String query) throws Exception {
        assertEquals(400, rig.cancel(query, JSON, "{\"ids\":[\"1:1\"]}").statusCode());
        verifyNothingIsCancelled();
    }

    @Test
    void aSubscriptionIsDecodedOnce() throws Exception {
        assertEquals(200, rig.cancel("?subscription=a%2520b+%C3%A9%2F", "text/plain", "1:1").statusCode());
        verify(rig.commands).cancel(TOPIC, Optional.of("a%20b é/"),
                new Named(List.of(new MessageName(1, 1, -1, -1)), false), UNCONFIRMED, new Caller(""));
    }
}
