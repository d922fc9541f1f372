/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.client.admin.PulsarAdmin;
import org.apache.pulsar.client.admin.PulsarAdminBuilder;
import org.apache.pulsar.client.api.AuthenticationFactory;

/** A broker's web server that answers as it is told, and the tool's client for it. */
final class AdminRig implements AutoCloseable {

    static final String TOKEN = "the-token";

    /** An answer to give, with the header {@code Location} if it is not null. */
    record Told(int status, String body, String location) {
    }

    /** A request as it came. */
    record Seen(String method, String uri, String authorization, String contentType, String body) {
    }

    final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedDeque<Told> told = new ConcurrentLinkedDeque<>();
    private final HttpServer server;

    AdminRig() throws IOException {
        this(HttpServer.create());
    }

    AdminRig(HttpServer server) throws IOException {
        this.server = server;
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        seen.add(new Seen(exchange.getRequestMethod(), exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("Authorization"), exchange.getRequestHeaders().getFirst("Content-Type"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        Told answer = told.size() > 1 ? told.poll() : told.peek();
        if (answer.location() != null) {
            exchange.getResponseHeaders().add("Location", answer.location());
        }
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** What to answer next, and from then on if nothing else is told. */
    AdminRig answer(int status, String body) {
        told.add(new Told(status, body, null));
        return this;
    }

    AdminRig sendOnTo(String location) {
        told.add(new Told(307, "", location));
        return this;
    }

    String authority() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    static PulsarAdminBuilder client(String url) {
        return PulsarAdmin.builder().serviceHttpUrl(url).authentication(AuthenticationFactory.token(TOKEN));
    }

    /** Runs a command of the group as the tool does, and returns what it prints. */
    static String run(PulsarAdminBuilder builder, String command, Map<String, Object> parameters) throws Exception {
        return run(builder, command, parameters, new ByteArrayOutputStream());
    }

    /** The same into a buffer, which has what was printed before a failure too. */
    static String run(PulsarAdminBuilder builder, String command, Map<String, Object> parameters,
            ByteArrayOutputStream printed) throws Exception {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try (PulsarAdmin admin = builder.build()) {
            CommandExecutionContext context = mock(CommandExecutionContext.class);
            when(context.getPulsarAdmin()).thenReturn(admin);
            DelayedCommandFactory.commands(out).stream().filter(each -> each.name().equals(command)).findFirst().orElseThrow()
                    .execute(parameters, context);
        }
        return printed.toString(StandardCharsets.UTF_8);
    }

    String run(String command, Map<String, Object> parameters) throws Exception {
        return run(client("http://" + authority()), command, parameters);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
