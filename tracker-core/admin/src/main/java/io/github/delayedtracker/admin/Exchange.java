/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLConnection;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import org.apache.pulsar.client.api.Authentication;
import org.apache.pulsar.client.api.AuthenticationDataProvider;
import org.apache.pulsar.client.impl.conf.ClientConfigurationData;

/** One request and its response, with the authentication and the TLS settings of the tool. It does not go on by itself. */
final class Exchange {

    /** The most bytes of an answer: all ids of a call, for a good many subscriptions. */
    private static final int MOST_BYTES = 256 << 20;

    private final ClientConfigurationData configuration;

    Exchange(ClientConfigurationData configuration) {
        this.configuration = configuration;
    }

    /**
     * What came back.
     *
     * @param location null if there is none
     */
    record Response(int status, String body, String location) {
    }

    /**
     * Sends it, once; the body is sent as text with a POST. Fails with a {@link ConnectException} if it was not sent, and with
     * another {@link IOException} if it may have been.
     */
    Response send(String method, URI uri, String body) throws CommandFailed, IOException {
        AuthenticationDataProvider credentials = credentials(uri);
        URLConnection opened = uri.toURL().openConnection();
        if (opened instanceof HttpsURLConnection secure) {
            new Tls(configuration, credentials).applyTo(secure);
        }
        if (!(opened instanceof HttpURLConnection connection)) {
            throw new CommandFailed("not the address of a web service: " + uri);
        }
        connection.setInstanceFollowRedirects(false);
        connection.setConnectTimeout(configuration.getConnectionTimeoutMs());
        connection.setReadTimeout(configuration.getRequestTimeoutMs());
        connection.setRequestMethod(method);
        connection.setRequestProperty("Accept", "application/json");
        authenticate(connection, uri, credentials);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        boolean isPost = method.equals("POST");
        if (isPost) {
            connection.setRequestProperty("Content-Type", "text/plain; charset=utf-8");
            connection.setDoOutput(true);
            // A body that the connection kept would be sent again, by itself, where the first got no answer.
            connection.setFixedLengthStreamingMode(bytes.length);
        }
        try {
            connect(connection);
            if (isPost) {
                try (OutputStream out = connection.getOutputStream()) {
                    out.write(bytes);
                }
            }
            int status = connection.getResponseCode();
            return new Response(status, text(status, connection), connection.getHeaderField("Location"));
        } finally {
            connection.disconnect();
        }
    }

    /** Fails with a {@link ConnectException} where nobody is there to take the request. */
    private static void connect(HttpURLConnection connection) throws IOException {
        try {
            connection.connect();
        } catch (UnknownHostException | NoRouteToHostException | SocketTimeoutException e) {
            ConnectException unreached = new ConnectException(e.toString());
            unreached.initCause(e);
            throw unreached;
        }
    }

    private static String text(int status, HttpURLConnection connection) throws IOException {
        try (InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return in == null ? "" : new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        }
    }

    private AuthenticationDataProvider credentials(URI uri) throws CommandFailed {
        try {
            return configuration.getAuthentication().getAuthData(uri.getHost());
        } catch (IOException e) {
            throw new CommandFailed("authentication failed: " + e.getMessage());
        }
    }

    /** In two steps, as the tool's own requests: what takes several rounds with a server does so in the first. */
    private void authenticate(HttpURLConnection connection, URI uri, AuthenticationDataProvider credentials)
            throws CommandFailed {
        if (!credentials.hasDataForHttp()) {
            return;
        }
        Authentication authentication = configuration.getAuthentication();
        CompletableFuture<Map<String, String>> stage = new CompletableFuture<>();
        try {
            authentication.authenticationStage(uri.toString(), credentials, null, stage);
            Map<String, String> before = stage.get(configuration.getRequestTimeoutMs(), TimeUnit.MILLISECONDS);
            Set<Map.Entry<String, String>> headers = authentication.newRequestHeader(uri.toString(), credentials, before);
            if (headers != null) {
                headers.forEach(header -> connection.setRequestProperty(header.getKey(), header.getValue()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted");
        } catch (Exception e) {
            throw new CommandFailed("authentication failed: " + e.getMessage());
        }
    }
}
