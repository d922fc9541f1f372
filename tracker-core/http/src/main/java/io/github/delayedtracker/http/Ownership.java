/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.lookup.LookupResult;
import org.apache.pulsar.broker.namespace.LookupOptions;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.common.lookup.data.LookupData;
import org.apache.pulsar.common.naming.TopicName;

/**
 * Which broker serves a topic. A request goes on to another broker at most twice: to the leader if nobody serves the topic yet,
 * and to the one that serves it. The parameter {@code authoritative} tells how far it has come: {@code false} at the leader,
 * {@code true} at the last one, which takes the topic or answers.
 */
final class Ownership {

    private final NamespaceService namespaces;

    Ownership(PulsarService pulsar) {
        namespaces = pulsar.getNamespaceService();
    }

    /**
     * Another broker to ask.
     *
     * @param address of its web service
     * @param authoritative what to tell it
     */
    record Elsewhere(String address, boolean authoritative) {

        /**
         * Where the same request goes there.
         *
         * @throws Failure 400 if path or query have a character that belongs escaped
         */
        URI location(String path, String query) {
            StringBuilder location = new StringBuilder(address.replaceAll("/+$", "")).append(path).append('?');
            for (String pair : query == null ? new String[0] : query.split("&")) {
                if (!pair.isEmpty() && !pair.split("=", 2)[0].equals(Query.AUTHORITATIVE)) {
                    location.append(pair).append('&');
                }
            }
            String text = location.append(Query.AUTHORITATIVE).append('=').append(authoritative).toString();
            try {
                return new URI(text);
            } catch (URISyntaxException e) {
                throw new Failure(400, "path or query have a character in them that has to be percent-encoded");
            }
        }
    }

    /**
     * Where the topic is served, if not here. A topic that nobody serves is taken by this broker if it is this one's turn.
     *
     * @param authoritative of the request
     * @param https whether the request came by TLS, and has to go on by it
     * @return empty if it is served here; fails with a {@link Failure} 503 if it cannot be told
     */
    CompletableFuture<Optional<Elsewhere>> elsewhere(TopicName topic, Optional<Boolean> authoritative, boolean https) {
        return namespaces.isServiceUnitOwnedAsync(topic).thenCompose(owned -> owned
                ? CompletableFuture.completedFuture(Optional.<Elsewhere>empty())
                : lookUp(topic, authoritative, https)).exceptionally(failure -> {
            throw new CompletionException(unknown(topic, failure));
        });
    }

    private CompletableFuture<Optional<Elsewhere>> lookUp(TopicName topic, Optional<Boolean> authoritative, boolean https) {
        LookupOptions options = LookupOptions.builder().authoritative(authoritative.orElse(false)).readOnly(false)
                .loadTopicsInBundle(false).build();
        return namespaces.getBrokerServiceUrlAsync(topic, options)
                .thenCompose(found -> namespaces.isServiceUnitOwnedAsync(topic).thenApply(owned -> owned
                        ? Optional.empty()
                        : Optional.of(next(topic, found, authoritative, https))));
    }

    private static Elsewhere next(TopicName topic, Optional<LookupResult> found, Optional<Boolean> authoritative, boolean https) {
        if (found.isEmpty()) {
            throw new Failure(503, "no broker serves " + topic + " now; try again");
        }
        if (authoritative.orElse(false)) {
            throw new Failure(503, topic + " was served here a moment ago and is not now; try again");
        }
        LookupResult result = found.get();
        boolean last = !result.isRedirect() || result.isAuthoritativeRedirect() || authoritative.isPresent();
        return new Elsewhere(address(topic, result.getLookupData(), https), last);
    }

    /** Never from TLS to a plain connection: the client would send what it authenticates with. */
    private static String address(TopicName topic, LookupData broker, boolean https) {
        String plain = broker.getHttpUrl();
        String tls = broker.getHttpUrlTls();
        String address = https || plain == null || plain.isEmpty() ? tls : plain;
        if (address == null || address.isEmpty()) {
            throw new Failure(503, "the broker that serves " + topic + " has no " + (https ? "https" : "web") + " address");
        }
        return address;
    }

    /** Why it cannot be told. An illegal state is the broker's word for a bundle on its way from one broker to another. */
    private static Throwable unknown(TopicName topic, Throwable failure) {
        Throwable cause = Failures.unwrapped(failure);
        if (cause instanceof IllegalStateException) {
            return new Failure(503, "who serves " + topic + " cannot be told now: " + cause.getMessage());
        }
        return !Failures.isOfTheBroker(cause) ? cause
                : new Failure(503, "who serves " + topic + " cannot be told now; the broker's log says why. Nothing was done");
    }
}
