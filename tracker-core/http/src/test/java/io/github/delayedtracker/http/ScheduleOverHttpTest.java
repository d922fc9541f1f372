/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static io.github.delayedtracker.http.HttpRig.NOW;
import static io.github.delayedtracker.http.HttpRig.PATH;
import static io.github.delayedtracker.http.HttpRig.TOPIC;
import static io.github.delayedtracker.http.HttpRig.json;
import static io.github.delayedtracker.http.HttpRig.reason;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.DelayedCommands.DueBy;
import io.github.delayedtracker.command.DelayedCommands.Schedule;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.pulsar.broker.delayed.DelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.service.BrokerServiceException;
import org.apache.pulsar.metadata.api.MetadataStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

/** A look at the schedule over HTTP, and how each way to fail is answered. */
class ScheduleOverHttpTest {

    private HttpRig rig;

    @BeforeEach
    void start() throws Exception {
        rig = new HttpRig();
        schedules(CompletableFuture.completedFuture(List.of()));
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    private void schedules(CompletableFuture<List<Schedule>> schedules) {
        when(rig.commands.look(anyString(), any(), any())).thenReturn(schedules);
    }

    @Test
    void theScheduleComes() throws Exception {
        schedules(CompletableFuture.completedFuture(List.of(
                new Schedule("a", 5, 1, OptionalLong.of(40), OptionalLong.of(90), "window",
                        List.of(new DueBy(20, 1), new DueBy(30, 5))),
                new Schedule("b", 0, 0, OptionalLong.empty(), OptionalLong.empty(), "none", List.of()))));
        HttpResponse<String> response = rig.get("?subscription=a&until=30,20,30");
        assertEquals(200, response.statusCode());
        assertEquals(new ObjectMapper().readTree("{\"topic\":\"" + TOPIC + "\",\"subscriptions\":[{\"subscription\":\"a\","
                + "\"count\":5,\"overdue\":1,\"nextDueMillis\":40,\"lastDueMillis\":90,\"blocked\":\"window\",\"dueBy\":["
                + "{\"untilMillis\":20,\"count\":1},"
                + "{\"untilMillis\":30,\"count\":5}]},{\"subscription\":\"b\",\"count\":0,\"overdue\":0,\"nextDueMillis\":null,"
                + "\"lastDueMillis\":null,"
                + "\"blocked\":\"none\",\"dueBy\":[]}]}"), json(response));
        verify(rig.commands).look(TOPIC, Optional.of("a"), List.of(20L, 30L));
    }

    @Test
    void withoutTimesTheUsualOnesAreLookedAt() throws Exception {
        assertEquals(200, rig.get("").statusCode());
        verify(rig.commands).look(TOPIC, Optional.empty(), List.of(NOW + 60_000, NOW + 3_600_000, NOW + 21_600_000,
                NOW + 86_400_000, NOW + 604_800_000, NOW + 2_592_000_000L));
    }

    @Test
    void timesMayBeFromNow() throws Exception {
        assertEquals(200, rig.get("?until=1d,90s,%202h,10m,5").statusCode());
        verify(rig.commands).look(TOPIC, Optional.empty(),
                List.of(5L, NOW + 90_000, NOW + 600_000, NOW + 7_200_000, NOW + 86_400_000));
    }

    @Test
    void tooManyTimesAreRefused() throws Exception {
        String most = LongStream.range(0, DelayedCommands.MOST_TIMES).mapToObj(Long::toString).collect(Collectors.joining(","));
        assertEquals(200, rig.get("?until=" + most).statusCode());
        assertEquals(400, rig.get("?until=" + most + ",1000").statusCode());
    }

    @ParameterizedTest
    @ValueSource(strings = {"?until=", "?until=1,", "?until=-1", "?until=1w", "?until=m", "?until=99999999999999999999",
        "?until=9999999999999999999", "?until=9223372036854775807d", "?until=%D9%A1"})
    void timesThatAreNoneAreRefused(String query) throws Exception {
        assertEquals(400, rig.get(query).statusCode());
    }

    @ParameterizedTest
    @CsvSource({"NO_SUCH_TOPIC,404", "NO_SUCH_SUBSCRIPTION,404", "NO_SCHEDULE,409", "NO_CONSUMER,409", "NO_JOURNAL,503",
        "BAD_REQUEST,400", "TOO_MANY,429"})
    void aRefusalHasItsStatus(Reason reason, int status) throws Exception {
        schedules(CompletableFuture.failedFuture(new RefusedException(reason, "so\nit is")));
        HttpResponse<String> response = rig.get("");
        assertEquals(status, response.statusCode());
        assertEquals("so?it is", reason(response));
        assertEquals(status == 429 || status == 503, response.headers().firstValue("Retry-After").isPresent());
    }

    @Test
    void aTopicOnItsWayIsToBeAskedForAgain() throws Exception {
        when(rig.broker.getTopicIfExists(TOPIC)).thenReturn(CompletableFuture.failedFuture(
                new BrokerServiceException.ServiceUnitNotReadyException("not now")));
        assertEquals(503, rig.get("").statusCode());
    }

    @ParameterizedTest
    @MethodSource("failedLoads")
    void aTopicThatTheBrokerCannotLoadIsNamed(Exception failure) throws Exception {
        when(rig.broker.getTopicIfExists(TOPIC)).thenReturn(CompletableFuture.failedFuture(failure));
        HttpResponse<String> response = rig.get("");
        assertEquals(503, response.statusCode());
        assertEquals("the broker cannot load " + TOPIC + " now; its log says why. Nothing was done", reason(response));
    }

    @ParameterizedTest
    @MethodSource("failedLoads")
    void anOwnerThatCannotBeFoundIsToldOf(Exception failure) throws Exception {
        when(rig.namespaces.isServiceUnitOwnedAsync(any())).thenReturn(CompletableFuture.failedFuture(failure));
        HttpResponse<String> response = rig.get("");
        assertEquals(503, response.statusCode());
        assertEquals("who serves " + TOPIC + " cannot be told now; the broker's log says why. Nothing was done",
                reason(response));
    }

    static Stream<Exception> failedLoads() {
        ManagedLedgerException away = new ManagedLedgerException("no bookie");
        return Stream.of(away, new BrokerServiceException.PersistenceException(away),
                new MetadataStoreException("no session"), new TimeoutException("of the load"));
    }

    @Test
    void aTopicThatIsNotThereIsNotFound() throws Exception {
        when(rig.broker.getTopicIfExists(TOPIC)).thenReturn(CompletableFuture.completedFuture(Optional.empty()));
        HttpResponse<String> response = rig.get("");
        assertEquals(404, response.statusCode());
        assertTrue(reason(response).contains(TOPIC), response.body());
    }

    @Test
    void whatIsUnexpectedIsToldWithoutItsInside() throws Exception {
        schedules(CompletableFuture.failedFuture(new IllegalStateException("the inside")));
        HttpResponse<String> response = rig.get("");
        assertEquals(500, response.statusCode());
        assertTrue(!response.body().contains("the inside") && !reason(response).isEmpty(), response.body());
        when(rig.commands.look(anyString(), any(), any())).thenThrow(new IllegalStateException("the inside"));
        assertEquals(500, rig.get("").statusCode());
    }

    @Test
    void aBrokerWithAnotherFactoryHasNoCommands() throws Exception {
        DelayedDeliveryTrackerFactory other = Mockito.mock(DelayedDeliveryTrackerFactory.class);
        when(rig.broker.getDelayedDeliveryTrackerFactory()).thenReturn(other);
        HttpResponse<String> response = rig.get("");
        assertEquals(404, response.statusCode());
        assertTrue(reason(response).contains("the plugin is not this broker's tracker factory"), response.body());
    }

    @Test
    void aFactoryThatHasNotStartedIsToBeAskedAgain() throws Exception {
        when(rig.factory.commands()).thenReturn(null);
        assertEquals(503, rig.get("").statusCode());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCommandWithoutAnAnswerEndsInTime(boolean async) throws Exception {
        try (HttpRig hasty = new HttpRig(Duration.ofMillis(20), async)) {
            when(hasty.commands.look(anyString(), any(), any())).thenReturn(new CompletableFuture<>());
            HttpResponse<String> response = hasty.get("");
            assertEquals(503, response.statusCode());
            assertTrue(reason(response).contains("no answer in time"), response.body());
        }
    }

    @Test
    void aTopicThatDoesNotLoadEndsInTime() throws Exception {
        try (HttpRig hasty = new HttpRig(Duration.ofMillis(20), true)) {
            when(hasty.broker.getTopicIfExists(TOPIC)).thenReturn(new CompletableFuture<>());
            assertEquals(503, hasty.get("").statusCode());
        }
    }

    @ParameterizedTest
    @CsvSource({"/,404", "/persistent/public/default/t,404", "/persistent/public/default/t/nothing,404",
        "/persistent/public/default/t/schedule/,404", "/non-persistent/public/default/t/schedule,404",
        "/persistent/public//t/schedule,400", "/persistent/public/default/%20/schedule,400",
        "/persistent/public/default/a%2Fb/schedule,400", "/persistent/public/default/a%0db/schedule,400",
        "/persistent/public/default/a%ffb/schedule,400", "/persistent/pub*lic/default/t/schedule,400"})
    void aPathThatIsNoneIsRefused(String path, int status) throws Exception {
        HttpResponse<String> response = rig.send(rig.request(DelayedServlets.BASE_PATH + path));
        assertEquals(status, response.statusCode(), response.body());
        assertTrue(!reason(response).isEmpty(), response.body());
    }

    @Test
    void theNameOfATopicIsDecodedOnce() throws Exception {
        String topic = "persistent://public/default/a%2Fb c+é";
        assertEquals(200, rig.send(rig.request(DelayedServlets.BASE_PATH
                + "/persistent/public/default/a%252Fb%20c+%C3%A9/schedule")).statusCode());
        verify(rig.broker).getTopicIfExists(topic);
        verify(rig.commands).look(Mockito.eq(topic), any(), any());
    }

    @Test
    void anotherMethodIsRefusedAndTheRightOneNamed() throws Exception {
        HttpResponse<String> posted = rig.send(rig.request(PATH + "schedule").POST(HttpRequest.BodyPublishers.noBody()));
        assertEquals(405, posted.statusCode());
        assertEquals("GET", posted.headers().firstValue("Allow").orElseThrow());
        HttpResponse<String> got = rig.send(rig.request(PATH + "cancel"));
        assertEquals(405, got.statusCode());
        assertEquals("POST", got.headers().firstValue("Allow").orElseThrow());
        for (String method : List.of("HEAD", "OPTIONS", "TRACE", "DELETE")) {
            assertEquals(405, rig.send(rig.request(PATH + "cancel").method(method, HttpRequest.BodyPublishers.noBody()))
                    .statusCode(), method);
        }
    }
}
