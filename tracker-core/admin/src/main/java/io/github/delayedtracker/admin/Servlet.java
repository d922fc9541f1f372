/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.internal.PulsarAdminImpl;
import org.apache.pulsar.common.net.ServiceURI;

/**
 * The servlet of the broker, as the tool reaches its admin API: by the same address, authentication and TLS settings, flags as
 * well as configuration. A request goes on to where it is sent, at most twice: to the leader, and to the topic's broker.
 */
final class Servlet {

    private static final int MOST_REDIRECTS = 2;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<URI> addresses;
    private final Sender sender;

    Servlet(List<URI> addresses, Sender sender) {
        this.addresses = addresses;
        this.sender = sender;
    }

    /** Sends a request and returns what comes back; the body is sent with a POST. */
    @FunctionalInterface
    interface Sender {
        Exchange.Response send(String method, URI uri, String body) throws CommandFailed, IOException;
    }

    /** By the tool's client, which is made from flags and configuration together. */
    static Servlet of(CommandExecutionContext context) throws CommandFailed {
        PulsarAdmin admin = admin(context);
        if (!(admin instanceof PulsarAdminImpl client)) {
            throw new CommandFailed("the tool has a client of another kind: " + admin.getClass().getName());
        }
        List<URI> addresses = new ArrayList<>();
        try {
            ServiceURI service = ServiceURI.create(client.getServiceUrl());
            String scheme = client.getServiceUrl().startsWith("https") ? "https" : "http";
            for (String host : service.getServiceHosts()) {
                addresses.add(URI.create(scheme + "://" + host));
            }
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new CommandFailed("not the address of a web service: " + client.getServiceUrl());
        }
        return new Servlet(addresses, new Exchange(client.getClientConfigData())::send);
    }

    private static PulsarAdmin admin(CommandExecutionContext context) throws CommandFailed {
        try {
            return context.getPulsarAdmin();
        } catch (RuntimeException e) {
            throw new CommandFailed("the settings of the tool cannot be used: " + e.getMessage());
        }
    }

    String get(String pathAndQuery) throws CommandFailed {
        return call("GET", pathAndQuery, "");
    }

    /** Posts text. */
    String post(String pathAndQuery, String body) throws CommandFailed {
        return call("POST", pathAndQuery, body);
    }

    /** What the servlet has answered, as a tree. */
    static JsonNode json(String answer) throws CommandFailed {
        try {
            return JSON.readTree(answer);
        } catch (JsonProcessingException e) {
            throw new CommandFailed("the broker has answered something that is not JSON");
        }
    }

    private String call(String method, String pathAndQuery, String body) throws CommandFailed {
        URI at = addresses.get(0);
        try {
            for (int i = 0;; i++) {
                at = addresses.get(i);
                try {
                    return follow(method, URI.create(at + pathAndQuery), body);
                } catch (ConnectException e) {
                    if (i == addresses.size() - 1) {
                        throw e;
                    }
                }
            }
        } catch (SSLException e) {
            throw new CommandFailed("TLS with " + at + " failed: " + e.getMessage());
        } catch (ConnectException e) {
            throw new CommandFailed("cannot reach the web service at " + at + ": " + e);
        } catch (IOException e) {
            throw new CommandFailed("no answer from the web service at " + at + ": " + e
                    + (method.equals("POST") ? "; what was asked for may be done or not" : ""));
        }
    }

    private String follow(String method, URI first, String body) throws CommandFailed, IOException {
        URI at = first;
        for (int redirects = 0;; redirects++) {
            Exchange.Response response = sender.send(method, at, body);
            if (response.status() != 307) {
                return answer(at, response);
            }
            if (redirects == MOST_REDIRECTS) {
                throw new CommandFailed("the brokers do not agree on who serves the topic; try again");
            }
            at = next(at, response.location());
        }
    }

    private static URI next(URI at, String location) throws CommandFailed {
        URI next;
        try {
            next = at.resolve(location == null ? "" : location);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("the broker sends the request to an address that is none: " + location);
        }
        boolean https = "https".equals(next.getScheme());
        if (next.getHost() == null || !https && (!"http".equals(next.getScheme()) || "https".equals(at.getScheme()))) {
            throw new CommandFailed("the broker sends the request to an address that is not taken: " + next);
        }
        return next;
    }

    private static String answer(URI at, Exchange.Response response) throws CommandFailed {
        if (response.status() == 200) {
            return response.body();
        }
        String reason = reason(response.body());
        // The broker itself gives its status as the reason for a path it does not know.
        if (response.status() == 404 && (reason.isEmpty() || reason.startsWith("HTTP 404"))) {
            throw new CommandFailed("the broker at " + at.getAuthority() + " does not take these commands: pulsar-delayed-http"
                    + " is not among its additionalServlets");
        }
        throw new CommandFailed("HTTP " + response.status() + " from " + at.getAuthority()
                + (reason.isEmpty() ? "" : ": " + reason));
    }

    /** The reason in an answer as brokers give it; empty if it has none. */
    private static String reason(String body) {
        try {
            JsonNode reason = JSON.readTree(body).path("reason");
            return reason.isTextual() ? reason.textValue() : "";
        } catch (JsonProcessingException e) {
            return "";
        }
    }
}
