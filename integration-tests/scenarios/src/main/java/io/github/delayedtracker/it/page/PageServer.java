/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.delayedtracker.it.page.BrokerCalls.Answer;
import io.github.delayedtracker.it.page.PageGuard.Request;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The page's server on the loopback address: files of the page, and below {@link #API} the answers that it draws.
 * {@link PageGuard} is asked before anything else. Thread safe.
 */
public final class PageServer implements AutoCloseable {

    /** The path under which a token is asked for. */
    static final String API = "/api/";
    /** The header that has the token. */
    static final String TOKEN_HEADER = "X-Page-Token";

    private static final Logger LOG = Logger.getLogger(PageServer.class.getName());
    private static final Map<String, String> FILES = Map.of("/", "page.html", "/page.css", "page.css", "/page.js", "page.js",
            "/draw.js", "draw.js");
    private static final Map<String, String> TYPES = Map.of("html", "text/html; charset=utf-8", "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8");
    private static final String JSON_TYPE = "application/json";
    private static final int THREADS = 4;

    private final HttpServer server;
    private final PageGuard guard;
    private final BrokerCalls broker;
    private final Samples samples = new Samples();
    private final PageApi api;
    private final ExecutorService requests = Executors.newFixedThreadPool(THREADS, PageServer::daemon);
    /** Of the clock's thread. */
    private boolean failing;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(PageServer::daemon);

    private PageServer(String adminUrl, int port) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 0);
        guard = PageGuard.of(server.getAddress().getPort());
        broker = new BrokerCalls(adminUrl);
        api = new PageApi(broker, samples);
    }

    /**
     * Starts a server that asks the broker at this admin address.
     *
     * @param port 0 for a free one
     */
    public static PageServer start(String adminUrl, int port) throws IOException {
        PageServer page = new PageServer(adminUrl, port);
        page.server.createContext("/", page::handle);
        page.server.setExecutor(page.requests);
        page.clock.scheduleWithFixedDelay(page::sample, 0, 1, TimeUnit.SECONDS);
        page.server.start();
        return page;
    }

    /** The address to open, with the token of this start. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/#" + guard.token();
    }

    private void sample() {
        try {
            samples.add(broker.metrics(), System.currentTimeMillis());
            failing = false;
        } catch (IOException | RuntimeException | Error e) {
            // Told once; the clock goes on, and the page shows how old its figures are.
            LOG.log(failing ? Level.FINE : Level.WARNING, "The metrics of the broker could not be read", e);
            failing = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            Optional<String> refusal = guard.refusal(new Request(exchange.getRequestMethod(), path, header(exchange, "Host"),
                    header(exchange, "Origin"), header(exchange, TOKEN_HEADER)));
            if (refusal.isPresent()) {
                answer(exchange, PageApi.refused(HttpURLConnection.HTTP_FORBIDDEN, refusal.get()));
            } else if (path.startsWith(API)) {
                answer(exchange, ask(exchange.getRequestMethod(), path.substring(API.length()), query(exchange)));
            } else if (exchange.getRequestMethod().equals("GET")) {
                file(exchange, path);
            } else {
                answer(exchange, PageApi.refused(HttpURLConnection.HTTP_BAD_METHOD, "files can only be read"));
            }
        }
    }

    private static Optional<String> header(HttpExchange exchange, String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    private Answer ask(String method, String what, Map<String, String> query) {
        boolean changes = what.equals("cancel");
        if (!method.equals(changes ? "POST" : "GET")) {
            return PageApi.refused(HttpURLConnection.HTTP_BAD_METHOD, method + " is not for " + what);
        }
        try {
            return switch (what) {
                case "subscriptions" -> api.subscriptions();
                case "state" -> api.state(query);
                case "list" -> api.list(query);
                case "cancel" -> api.cancel(query);
                default -> PageApi.refused(HttpURLConnection.HTTP_NOT_FOUND, "nothing is there");
            };
        } catch (IllegalArgumentException e) {
            return PageApi.refused(HttpURLConnection.HTTP_BAD_REQUEST, e.getMessage());
        } catch (IOException e) {
            LOG.log(Level.FINE, "The broker did not answer", e);
            return PageApi.refused(HttpURLConnection.HTTP_BAD_GATEWAY, "the broker does not answer: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return PageApi.refused(HttpURLConnection.HTTP_BAD_GATEWAY, "the server is being closed");
        }
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String part : raw == null ? new String[0] : raw.split("&")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                query.put(part.substring(0, equals), URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return query;
    }

    private static void file(HttpExchange exchange, String path) throws IOException {
        String file = FILES.get(path);
        if (file == null) {
            answer(exchange, PageApi.refused(HttpURLConnection.HTTP_NOT_FOUND, "nothing is there"));
            return;
        }
        try (InputStream in = PageServer.class.getResourceAsStream(file)) {
            send(exchange, HttpURLConnection.HTTP_OK, TYPES.get(file.substring(file.indexOf('.') + 1)), in.readAllBytes());
        }
    }

    private static void answer(HttpExchange exchange, Answer answer) throws IOException {
        send(exchange, answer.status(), JSON_TYPE, answer.body().getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        boolean without = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, without ? -1 : body.length);
        if (!without) {
            exchange.getResponseBody().write(body);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "page");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        server.stop(0);
        clock.shutdownNow();
        requests.shutdownNow();
        samples.close();
    }
}
