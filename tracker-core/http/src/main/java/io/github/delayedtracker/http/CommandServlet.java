/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.pulsar.broker.PulsarService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servlet of the commands: from a request to its reply, within a bounded time. No thread waits for an answer where the
 * container can do without, and none of the broker's threads waits for a client: answers are written by the container's.
 */
final class CommandServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private static final Logger LOG = LoggerFactory.getLogger(CommandServlet.class);

    private final transient Duration longest;
    private transient volatile Calls calls;

    CommandServlet(Duration longest) {
        this.longest = longest;
    }

    /** Takes the broker to ask. Requests before that are answered with 503. */
    void serve(PulsarService pulsar) {
        calls = new Calls(pulsar);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        CompletableFuture<Reply> reply = answer(request).orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(CommandServlet::failed);
        if (request.isAsyncSupported() && !reply.isDone()) {
            // Its own time is no limit: the reply's is, and ends with an answer.
            AsyncContext context = request.startAsync();
            context.setTimeout(0);
            var unused = reply.thenAccept(answered -> writeLater(context, answered));
        } else {
            reply.join().write(response);
        }
    }

    private CompletableFuture<Reply> answer(HttpServletRequest request) throws IOException {
        Calls serving = calls;
        try {
            if (serving == null) {
                throw new Failure(503, "the broker is starting; try again");
            }
            return serving.answer(request);
        } catch (IOException e) {
            throw e;
        } catch (Exception | LinkageError e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static Reply failed(Throwable thrown) {
        Failure failure = Failures.of(thrown);
        if (failure.status() == 500) {
            LOG.error("A command failed unexpectedly", Failures.unwrapped(thrown));
        }
        return Reply.failed(failure);
    }

    private static void writeLater(AsyncContext context, Reply reply) {
        try {
            context.start(() -> write(context, reply));
        } catch (RejectedExecutionException | IllegalStateException e) {
            LOG.debug("No thread is free to write an answer, or the client has gone", e);
            endWithout(context);
        }
    }

    /** Ends a request whose answer cannot be written, so that its client does not wait for ever. */
    private static void endWithout(AsyncContext context) {
        try {
            ((HttpServletResponse) context.getResponse()).setStatus(503);
            context.complete();
        } catch (IllegalStateException e) {
            LOG.debug("A request had ended before", e);
        }
    }

    private static void write(AsyncContext context, Reply reply) {
        try {
            reply.write((HttpServletResponse) context.getResponse());
        } catch (IOException e) {
            LOG.debug("An answer was not read by its client", e);
        } finally {
            context.complete();
        }
    }
}
