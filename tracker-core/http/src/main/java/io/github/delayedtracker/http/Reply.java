/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import javax.servlet.http.HttpServletResponse;

/**
 * The answer to a request, ready to be written.
 *
 * @param headers besides those of the content
 */
record Reply(int status, Map<String, String> headers, JsonNode body) {

    private static final ObjectWriter JSON = new JsonMapper().writer();

    static Reply ok(JsonNode body) {
        return new Reply(200, Map.of(), body);
    }

    static Reply goesOn(URI location) {
        return new Reply(307, Map.of("Location", location.toASCIIString()), reason("another broker serves the topic"));
    }

    static Reply failed(Failure failure) {
        Map<String, String> headers = switch (failure.status()) {
            case 405 -> Map.of("Allow", failure.allowedMethod());
            case 429, 503 -> Map.of("Retry-After", "1");
            default -> Map.of();
        };
        return new Reply(failure.status(), headers, reason(failure.getMessage()));
    }

    /** As the broker's own errors are: an object with a reason. */
    private static JsonNode reason(String text) {
        return JsonNodeFactory.instance.objectNode().put("reason", Printable.line(text));
    }

    /** Writes it, which may wait for the client. */
    void write(HttpServletResponse response) throws IOException {
        byte[] bytes = bytes();
        response.setStatus(status);
        headers.forEach(response::setHeader);
        response.setContentType("application/json");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private byte[] bytes() throws JsonProcessingException {
        return JSON.writeValueAsBytes(body);
    }
}
