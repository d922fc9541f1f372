/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.delayedtracker.command.DelayedCommands.LedgerUse;
import io.github.delayedtracker.command.DelayedCommands.LedgerUses;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over HTTP a topic tells by ledger what waits, or only what expires. */
class LedgersOverHttpTest {

    private HttpRig rig;

    @BeforeEach
    void start() throws Exception {
        rig = new HttpRig();
        when(rig.commands.ledgers(anyString(), any(), any())).thenReturn(CompletableFuture.completedFuture(List.of(
                new LedgerUses("s", OptionalLong.of(60), List.of(
                        new LedgerUse(1, 5, OptionalLong.of(9), OptionalLong.of(3), 2, OptionalLong.of(7), 0),
                        new LedgerUse(2, 6, OptionalLong.empty(), OptionalLong.of(4), 4, OptionalLong.of(8), 3)),
                        Optional.of("7:-1:-1")))));
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    private JsonNode subscription(String action) throws Exception {
        HttpResponse<String> response = rig.send(rig.request(HttpRig.PATH + action).GET());
        assertEquals(200, response.statusCode(), response::body);
        return new ObjectMapper().readTree(response.body()).path("subscriptions").path(0);
    }

    @Test
    void eachLedgerIsTold() throws Exception {
        JsonNode answer = subscription("holding?subscription=s&after=5:-1:-1@77");
        verify(rig.commands).ledgers(HttpRig.TOPIC, Optional.of("s"), Optional.of("5:-1:-1"));
        assertEquals(2, answer.path("ledgers").size());
        assertEquals("{\"ledgerId\":2,\"bytes\":6,\"closedMillis\":null,\"messages\":4,\"scheduled\":4,\"lastDueMillis\":8,"
                + "\"expiring\":3}", answer.path("ledgers").path(1).toString());
        assertEquals(60, answer.path("timeToLiveSeconds").asInt());
        assertEquals("7:-1:-1@77", answer.path("next").asText());
    }

    @Test
    void onlyLedgersWithMessagesThatExpireAreTold() throws Exception {
        JsonNode answer = subscription("expiring");
        assertEquals(1, answer.path("ledgers").size());
        assertEquals(2, answer.path("ledgers").path(0).path("ledgerId").asInt());
    }

    @Test
    void nothingIsToldByPost() throws Exception {
        assertEquals(405, rig.send(rig.request(HttpRig.PATH + "holding")
                .POST(HttpRequest.BodyPublishers.noBody())).statusCode());
    }
}
