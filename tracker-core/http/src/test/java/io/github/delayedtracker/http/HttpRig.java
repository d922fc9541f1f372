/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import io.github.delayedtracker.command.DelayedCommands;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.authentication.AuthenticationDataSource;
import org.apache.pulsar.broker.authorization.AuthorizationService;
import org.apache.pulsar.broker.namespace.NamespaceService;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.Subscription;
import org.apache.pulsar.broker.service.Topic;
import org.apache.pulsar.broker.web.AuthenticationFilter;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** A broker that is faked behind its web server, which is a real one and mounts the servlet as a 4.0 broker does. */
final class HttpRig implements AutoCloseable {

    static final String TOPIC = "persistent://public/default/orders-partition-0";
    static final String PATH = DelayedServlets.BASE_PATH + "/persistent/public/default/orders-partition-0/";
    static final long NOW = 1_700_000_000_000L;

    final ServiceConfiguration configuration = new ServiceConfiguration();
    final PulsarService pulsar = mock(PulsarService.class);
    final BrokerService broker = mock(BrokerService.class);
    final NamespaceService namespaces = mock(NamespaceService.class);
    final AuthorizationService authorization = mock(AuthorizationService.class);
    final DelayedCommands commands = mock(DelayedCommands.class);
    final Topic topic = mock(Topic.class);
    final PluggableDelayedDeliveryTrackerFactory factory = mock(PluggableDelayedDeliveryTrackerFactory.class);

    /** What the broker's filter has found. */
    volatile String role;
    final AuthenticationDataSource data = mock(AuthenticationDataSource.class);

    private final Server server = new Server();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER).build();
    private final int port;

    HttpRig() throws Exception {
        this(Duration.ofSeconds(30), true);
    }

    HttpRig(Duration longest, boolean async) throws Exception {
        broker();
        CommandServlet servlet = new CommandServlet(longest);
        servlet.serve(pulsar);
        ServletHolder holder = new ServletHolder(servlet);
        holder.setAsyncSupported(async);
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(ServletContextHandler.SESSIONS);
        context.setContextPath(DelayedServlets.BASE_PATH);
        context.addServlet(holder, "/*");
        context.addFilter(new FilterHolder(new Authenticated()), "/*", EnumSet.allOf(DispatcherType.class));
        server.setHandler(context);
        server.start();
        port = connector.getLocalPort();
    }

    private void broker() {
        when(pulsar.getConfiguration()).thenReturn(configuration);
        when(pulsar.getBrokerService()).thenReturn(broker);
        when(pulsar.getNamespaceService()).thenReturn(namespaces);
        when(pulsar.getClock()).thenReturn(Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC));
        when(broker.getDelayedDeliveryTrackerFactory()).thenReturn(factory);
        when(broker.getAuthorizationService()).thenReturn(authorization);
        when(broker.getTopicIfExists(anyString())).thenReturn(CompletableFuture.completedFuture(Optional.of(topic)));
        when(factory.commands()).thenReturn(commands);
        when(namespaces.isServiceUnitOwnedAsync(any())).thenReturn(CompletableFuture.completedFuture(true));
        subscriptions();
    }

    /** The subscriptions that the topic has. */
    void subscriptions(String... names) {
        Map<String, Subscription> subscriptions = new TreeMap<>();
        Arrays.stream(names).forEach(name -> subscriptions.put(name, mock(Subscription.class)));
        doReturn(subscriptions).when(topic).getSubscriptions();
    }

    /** A request to the path, which may have a query. */
    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(Duration.ofSeconds(30));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String query) throws IOException, InterruptedException {
        return send(request(PATH + "schedule" + query));
    }

    HttpResponse<String> cancel(String query, String type, String body) throws IOException, InterruptedException {
        return send(request(PATH + "cancel" + query).header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    static JsonNode json(HttpResponse<String> response) throws IOException {
        return new ObjectMapper().readTree(response.body());
    }

    static String reason(HttpResponse<String> response) throws IOException {
        return json(response).path("reason").asText();
    }

    int port() {
        return port;
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }

    /** Sets what the broker's filter sets. */
    private final class Authenticated implements Filter {

        @Override
        public void init(FilterConfig filterConfig) {
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            if (role != null) {
                request.setAttribute(AuthenticationFilter.AuthenticatedRoleAttributeName, role);
                request.setAttribute(AuthenticationFilter.AuthenticatedDataAttributeName, data);
            }
            chain.doFilter(request, response);
        }

        @Override
        public void destroy() {
        }
    }
}
