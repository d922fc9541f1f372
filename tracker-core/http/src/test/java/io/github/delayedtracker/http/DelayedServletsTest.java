/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import javax.servlet.http.HttpServlet;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.junit.jupiter.api.Test;

/** What a broker asks of an additional servlet. */
class DelayedServletsTest {

    private final DelayedServlets servlets = new DelayedServlets();

    @Test
    void everyLineGetsTheSameServlet() throws Exception {
        assertTrue(servlets.getServletInstance() instanceof HttpServlet);
        assertSame(servlets.getServletInstance(), servlets.getServletInstance());
        ServletHolder holder = servlets.getServletHolder();
        Server server = new Server();
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(holder, "/*");
        server.setHandler(context);
        server.start();
        try {
            assertSame(servlets.getServletInstance(), holder.getServlet());
        } finally {
            server.stop();
        }
    }

    @Test
    void itIsMountedBelowAdmin() {
        assertEquals("/admin/delayed/v1", servlets.getBasePath());
        servlets.loadConfig(null);
        servlets.close();
    }

    @Test
    void theDescriptorNamesTheClass() throws Exception {
        try (InputStream in = getClass().getResourceAsStream("/META-INF/services/additional_servlet.yml");
                Scanner lines = new Scanner(in, StandardCharsets.UTF_8)) {
            assertTrue(lines.useDelimiter("\\A").next().contains("additionalServletClass: " + DelayedServlets.class.getName()));
        }
    }
}
