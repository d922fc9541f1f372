/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import java.time.Duration;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.web.plugin.servlet.AdditionalServletWithPulsarService;
import org.apache.pulsar.common.configuration.PulsarConfiguration;
import org.eclipse.jetty.servlet.ServletHolder;

/**
 * The additional servlet that a broker asks for commands. One class serves every line: 4.0 asks {@link #getServletHolder()},
 * later ones {@link #getServletInstance()}, and no method of one needs a class that only the other has.
 */
public final class DelayedServlets implements AdditionalServletWithPulsarService {

    static final String BASE_PATH = "/admin/delayed/v1";

    /** Longer than a command takes by its own bound, which answers better. */
    private static final Duration LONGEST = Duration.ofSeconds(35);

    private final CommandServlet servlet = new CommandServlet(LONGEST);

    @Override
    public void loadConfig(PulsarConfiguration configuration) {
        // It has no settings.
    }

    @Override
    public String getBasePath() {
        return BASE_PATH;
    }

    @Override
    public ServletHolder getServletHolder() {
        return new ServletHolder(servlet);
    }

    /** The servlet itself, a {@code javax.servlet} one: what 4.2 and later ask for. */
    public Object getServletInstance() {
        return servlet;
    }

    @Override
    public void setPulsarService(PulsarService pulsar) {
        servlet.serve(pulsar);
    }

    @Override
    public void close() {
        // Whatever is under way ends with the broker's web server.
    }
}
