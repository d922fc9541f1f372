/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static io.github.delayedtracker.http.HttpRig.PATH;
import static io.github.delayedtracker.http.HttpRig.TOPIC;
import static io.github.delayedtracker.http.HttpRig.reason;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.command.DelayedCommands.Caller;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.broker.lookup.LookupResult;
import org.apache.pulsar.broker.namespace.LookupOptions;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.policies.data.TopicOperation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.InOrder;

/** Who may ask, and which broker answers. */
class AccessOverHttpTest {

    private static final TopicName NAME = TopicName.get(TOPIC);

    private HttpRig rig;

    @BeforeEach
    void start() throws Exception {
        rig = new HttpRig();
        when(rig.commands.look(anyString(), any(), any())).thenReturn(CompletableFuture.completedFuture(List.of()));
        when(rig.commands.cancel(anyString(), any(), any(), any(), any()))
                .thenReturn(CompletableFuture.completedFuture(List.of()));
        allow(true);
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    private void secure() {
        rig.configuration.setAuthenticationEnabled(true);
        rig.configuration.setAuthorizationEnabled(true);
    }

    private void allow(boolean allowed) {
        when(rig.authorization.allowTopicOperationAsync(any(), any(), any(), any(), any()))
                .thenReturn(CompletableFuture.completedFuture(allowed));
    }

    private HttpResponse<String> cancel(String query) throws Exception {
        return rig.cancel(query, "text/plain", "1:1");
    }

    private void verifyCancelledBy(String role) {
        verify(rig.commands).cancel(anyString(), any(), any(), any(), argThat(new Caller(role)::equals));
    }

    @Test
    void withoutAuthorizationNobodyIsAskedFor() throws Exception {
        assertEquals(200, cancel("").statusCode());
        verifyNoInteractions(rig.authorization);
        verifyCancelledBy("");
    }

    @Test
    void whoIsNotKnownIsRefused() throws Exception {
        rig.configuration.setAuthenticationEnabled(true);
        assertEquals(401, rig.get("").statusCode());
        rig.configuration.setAuthenticationEnabled(false);
        rig.configuration.setAuthorizationEnabled(true);
        assertEquals(401, rig.get("").statusCode());
        verifyNoInteractions(rig.commands, rig.authorization);
    }

    @Test
    void theBrokerIsAskedWithTheOperationOfEachCommand() throws Exception {
        secure();
        rig.role = "joe";
        assertEquals(200, cancel("?subscription=s").statusCode());
        InOrder order = inOrder(rig.data, rig.authorization);
        order.verify(rig.data).setSubscription("s");
        order.verify(rig.authorization).allowTopicOperationAsync(NAME, TopicOperation.SKIP, null, "joe", rig.data);
        verifyCancelledBy("joe");
        assertEquals(200, rig.get("").statusCode());
        verify(rig.authorization).allowTopicOperationAsync(NAME, TopicOperation.GET_STATS, null, "joe", rig.data);
    }

    @Test
    void whoMayNotIsRefusedBeforeAnybodyLooksForTheTopic() throws Exception {
        secure();
        allow(false);
        rig.role = "joe\u0007";
        HttpResponse<String> response = cancel("");
        assertEquals(403, response.statusCode());
        assertTrue(reason(response).contains("'joe?'") && reason(response).contains("SKIP"), response.body());
        verify(rig.commands, never()).cancel(anyString(), any(), any(), any(), any());
        verifyNoInteractions(rig.namespaces);
    }

    @Test
    void whereAllSubscriptionsAreMeantEachIsAskedFor() throws Exception {
        secure();
        rig.role = "joe";
        rig.subscriptions("his", "other");
        assertEquals(200, cancel("").statusCode());
        InOrder order = inOrder(rig.data);
        order.verify(rig.data).setSubscription(null);
        order.verify(rig.data).setSubscription("his");
        order.verify(rig.data).setSubscription("other");
        when(rig.authorization.allowTopicOperationAsync(any(), any(), any(), any(), any()))
                .thenReturn(CompletableFuture.completedFuture(true)).thenReturn(CompletableFuture.completedFuture(true))
                .thenReturn(CompletableFuture.completedFuture(false));
        HttpResponse<String> response = cancel("");
        assertEquals(403, response.statusCode());
        assertTrue(reason(response).contains("'other'"), response.body());
        verifyCancelledBy("joe");
    }

    @Test
    void aSubscriptionThatIsMadeWhileOthersAreAskedForIsAskedForToo() throws Exception {
        secure();
        rig.role = "joe";
        rig.subscriptions("his");
        CompletableFuture<Boolean> yes = CompletableFuture.completedFuture(true);
        when(rig.authorization.allowTopicOperationAsync(any(), any(), any(), any(), any())).thenReturn(yes).thenAnswer(call -> {
            rig.subscriptions("his", "new");
            return yes;
        }).thenReturn(CompletableFuture.completedFuture(false));
        HttpResponse<String> response = cancel("");
        assertEquals(403, response.statusCode());
        assertTrue(reason(response).contains("'new'"), response.body());
        verify(rig.commands, never()).cancel(anyString(), any(), any(), any(), any());
    }

    @Test
    void theBrokerDecidesForWhomAProxyMaySpeak() throws Exception {
        secure();
        rig.role = "proxy";
        HttpRequest.Builder request = rig.request(PATH + "cancel?subscription=s").header("Content-Type", "text/plain")
                .header("X-Original-Principal", "joe").POST(HttpRequest.BodyPublishers.ofString("1:1"));
        assertEquals(200, rig.send(request).statusCode());
        verify(rig.authorization).allowTopicOperationAsync(NAME, TopicOperation.SKIP, "joe", "proxy", rig.data);
        verifyCancelledBy("joe");
    }

    @Test
    void withoutAuthorizationNobodySpeaksForAnother() throws Exception {
        rig.configuration.setAuthenticationEnabled(true);
        rig.role = "jim";
        HttpRequest.Builder request = rig.request(PATH + "cancel").header("Content-Type", "text/plain")
                .header("X-Original-Principal", "joe").POST(HttpRequest.BodyPublishers.ofString("1:1"));
        assertEquals(200, rig.send(request).statusCode());
        verifyCancelledBy("jim");
    }

    private void ownedElsewhere(Optional<LookupResult> found) {
        when(rig.namespaces.isServiceUnitOwnedAsync(any())).thenReturn(CompletableFuture.completedFuture(false));
        when(rig.namespaces.getBrokerServiceUrlAsync(any(), any())).thenReturn(CompletableFuture.completedFuture(found));
    }

    private static LookupResult broker(LookupResult.Type type, boolean authoritative) {
        return new LookupResult("http://127.0.0.2:8080/", "https://127.0.0.2:8443", "pulsar://127.0.0.2:6650", null, type,
                authoritative);
    }

    /** At the leader a request comes with false, and goes on with true whatever the lookup says: it ends at the next. */
    @ParameterizedTest
    @CsvSource({"BrokerUrl,false,,true", "BrokerUrl,false,false,true", "RedirectUrl,true,,true", "RedirectUrl,false,,false",
        "RedirectUrl,false,false,true"})
    void aTopicOfAnotherBrokerIsAskedForThere(LookupResult.Type type, boolean byLeader, Boolean given, boolean authoritative)
            throws Exception {
        ownedElsewhere(Optional.of(broker(type, byLeader)));
        HttpResponse<String> response = cancel("?" + (given == null ? "" : "authoritative=" + given + "&")
                + "subscription=a%20b&wholeBatches=true");
        assertEquals(307, response.statusCode());
        assertEquals("http://127.0.0.2:8080" + PATH + "cancel?subscription=a%20b&wholeBatches=true&authoritative="
                + authoritative, response.headers().firstValue("Location").orElseThrow());
        verify(rig.commands, never()).cancel(anyString(), any(), any(), any(), any());
        verify(rig.broker, never()).getTopicIfExists(anyString());
    }

    @Test
    void aRequestDoesNotGoRoundInCircles() throws Exception {
        ownedElsewhere(Optional.of(broker(LookupResult.Type.BrokerUrl, false)));
        HttpResponse<String> response = rig.get("?authoritative=true");
        assertEquals(503, response.statusCode());
        assertTrue(response.headers().firstValue("Location").isEmpty());
    }

    @Test
    void aTopicNobodyServesIsTakenIfItIsThisBrokersTurn() throws Exception {
        when(rig.namespaces.isServiceUnitOwnedAsync(any())).thenReturn(CompletableFuture.completedFuture(false))
                .thenReturn(CompletableFuture.completedFuture(true));
        when(rig.namespaces.getBrokerServiceUrlAsync(any(), any()))
                .thenReturn(CompletableFuture.completedFuture(Optional.of(broker(LookupResult.Type.BrokerUrl, false))));
        assertEquals(200, rig.get("?authoritative=true").statusCode());
        verify(rig.namespaces).getBrokerServiceUrlAsync(any(), argThat((LookupOptions options) -> options.isAuthoritative()
                && !options.isReadOnly() && !options.isLoadTopicsInBundle()));
        verify(rig.broker).getTopicIfExists(TOPIC);
    }

    @Test
    void aTopicThatNobodyServesNowIsToBeAskedForAgain() throws Exception {
        ownedElsewhere(Optional.empty());
        assertEquals(503, rig.get("").statusCode());
        when(rig.namespaces.getBrokerServiceUrlAsync(any(), any())).thenReturn(CompletableFuture.failedFuture(
                new IllegalStateException("the bundle is being unloaded")));
        assertEquals(503, rig.get("").statusCode());
    }

    @Test
    void aBrokerWithoutAPlainAddressIsAskedByTls() throws Exception {
        ownedElsewhere(Optional.of(new LookupResult(null, "https://127.0.0.2:8443", null, "pulsar+ssl://127.0.0.2:6651",
                LookupResult.Type.BrokerUrl, false)));
        assertEquals("https://127.0.0.2:8443" + PATH + "schedule?authoritative=true",
                rig.get("").headers().firstValue("Location").orElseThrow());
    }

    @Test
    void aRequestByTlsDoesNotGoOnInPlain() {
        ownedElsewhere(Optional.of(broker(LookupResult.Type.BrokerUrl, false)));
        Ownership ownership = new Ownership(rig.pulsar);
        assertEquals("https://127.0.0.2:8443",
                ownership.elsewhere(NAME, Optional.empty(), true).join().orElseThrow().address());
        ownedElsewhere(Optional.of(new LookupResult("http://127.0.0.2:8080", null, null, null, LookupResult.Type.BrokerUrl,
                false)));
        Throwable failure = ownership.elsewhere(NAME, Optional.empty(), true).handle((none, thrown) -> thrown).join();
        assertEquals(503, Failures.of(failure).status());
    }
}
