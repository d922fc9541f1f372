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
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.command.DelayedCommands.Orphan;
import io.github.delayedtracker.command.DelayedCommands.Sweep;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.authentication.AuthenticationParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over HTTP superusers are told which ledgers nothing names, by any broker. */
class SweepOverHttpTest {

    private HttpRig rig;

    @BeforeEach
    void start() throws Exception {
        rig = new HttpRig();
        when(rig.commands.sweep(any())).thenReturn(CompletableFuture.completedFuture(new Sweep(9, 4, 1, 2, 3, 1,
                Optional.of("odd\n"), 60_000, List.of(new Orphan(5, "public/default/persistent/t", "s", 7)),
                OptionalLong.of(12))));
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    private HttpResponse<String> sweep(String query) throws Exception {
        return rig.send(rig.request(SweepCall.PATH + query).GET());
    }

    private void secure(boolean isSuperuser) {
        rig.configuration.setAuthenticationEnabled(true);
        rig.configuration.setAuthorizationEnabled(true);
        when(rig.authorization.isSuperUser(any(AuthenticationParameters.class)))
                .thenReturn(CompletableFuture.completedFuture(isSuperuser));
    }

    @Test
    void aPageIsTold() throws Exception {
        HttpResponse<String> response = sweep("?after=5");
        assertEquals(200, response.statusCode(), response::body);
        verify(rig.commands).sweep(OptionalLong.of(5));
        assertEquals("{\"lookedAt\":9,\"own\":4,\"young\":1,\"minAgeMillis\":60000,\"withoutId\":2,\"ofAnotherId\":3,"
                + "\"unknown\":1,\"firstUnknown\":\"odd?\",\"orphans\":[{\"ledgerId\":5,"
                + "\"topic\":\"public/default/persistent/t\",\"subscription\":\"s\",\"createdMillis\":7}],\"next\":12}",
                response.body());
        verifyNoInteractions(rig.authorization);
    }

    @Test
    void theLastPageHasNoNext() throws Exception {
        when(rig.commands.sweep(any())).thenReturn(CompletableFuture.completedFuture(new Sweep(0, 0, 0, 0, 0, 0,
                Optional.empty(), 60_000, List.of(), OptionalLong.empty())));
        assertTrue(HttpRig.json(sweep("")).path("next").isNull());
        verify(rig.commands).sweep(OptionalLong.empty());
    }

    @Test
    void itIsForSuperusersAsTheBrokerKnowsThem() throws Exception {
        secure(true);
        assertEquals(401, sweep("").statusCode());
        rig.role = "proxy";
        HttpRequest.Builder request = rig.request(SweepCall.PATH).header("X-Original-Principal", "joe").GET();
        assertEquals(200, rig.send(request).statusCode());
        verify(rig.authorization).isSuperUser(argThat((AuthenticationParameters asked) -> asked.getClientRole().equals("proxy")
                && asked.getOriginalPrincipal().equals("joe") && asked.getClientAuthenticationDataSource() == rig.data));
    }

    @Test
    void whoIsNoSuperuserIsRefused() throws Exception {
        secure(false);
        rig.role = "joe\u0007";
        HttpResponse<String> response = sweep("");
        assertEquals(403, response.statusCode());
        assertTrue(HttpRig.reason(response).contains("'joe?'"), response.body());
        verify(rig.commands, never()).sweep(any());
    }

    @Test
    void aRequestThatIsNotWellFormedIsRefused() throws Exception {
        assertEquals(400, sweep("?after=x").statusCode());
        assertEquals(400, sweep("?dryRun=true").statusCode());
        assertEquals(405, rig.send(rig.request(SweepCall.PATH).POST(HttpRequest.BodyPublishers.noBody())).statusCode());
        verifyNoInteractions(rig.commands);
    }
}
