/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.delayed.DelayedDeliveryTrackerFactory;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.web.plugin.servlet.AdditionalServletWithPulsarService;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.junit.jupiter.api.Test;

/** A broker that has the servlet and not the drop-in jar: it starts, and says what is missing. */
class WithoutThePluginTest {

    /** Loads the servlet anew, and finds no other class of the plugin. */
    private static final class BrokerLoader extends URLClassLoader {

        private static final String PLUGIN = "io.github.delayedtracker.";

        BrokerLoader(URL servlet) {
            super(new URL[] {servlet}, WithoutThePluginTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PLUGIN)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                if (!name.startsWith(PLUGIN + "http.")) {
                    throw new ClassNotFoundException(name);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }

    @Test
    void theReasonIsTold() throws Exception {
        URL classes = DelayedServlets.class.getProtectionDomain().getCodeSource().getLocation();
        try (BrokerLoader loader = new BrokerLoader(classes)) {
            Class<?> loaded = loader.loadClass(DelayedServlets.class.getName());
            assertNotSame(DelayedServlets.class, loaded);
            try (AdditionalServletWithPulsarService servlets =
                    (AdditionalServletWithPulsarService) loaded.getDeclaredConstructor().newInstance()) {
                HttpResponse<String> response = ask(servlets);
                assertEquals(404, response.statusCode());
                assertTrue(HttpRig.reason(response).contains("the plugin is not this broker's tracker factory"), response.body());
            }
        }
    }

    private static HttpResponse<String> ask(AdditionalServletWithPulsarService servlets) throws Exception {
        PulsarService pulsar = mock(PulsarService.class);
        BrokerService broker = mock(BrokerService.class);
        when(pulsar.getConfiguration()).thenReturn(new ServiceConfiguration());
        when(pulsar.getBrokerService()).thenReturn(broker);
        DelayedDeliveryTrackerFactory stock = mock(DelayedDeliveryTrackerFactory.class);
        when(broker.getDelayedDeliveryTrackerFactory()).thenReturn(stock);
        servlets.setPulsarService(pulsar);
        return get(servlets);
    }

    private static HttpResponse<String> get(AdditionalServletWithPulsarService servlets) throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, 1, 1);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.setContextPath(servlets.getBasePath());
        context.addServlet(servlets.getServletHolder(), "/*");
        server.setHandler(context);
        server.start();
        try {
            return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                    + connector.getLocalPort() + HttpRig.PATH + "schedule")).build(), HttpResponse.BodyHandlers.ofString());
        } finally {
            server.stop();
        }
    }
}
