/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.MessageName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import javax.servlet.http.HttpServletRequest;

/** The ids in the body of a request: JSON, {@code {"ids":["12:3"]}}, or text with one a line. */
final class IdsBody {

    /** The most bytes of a body. */
    static final int MOST_BYTES = 1 << 20;
    private static final int UNWANTED_BYTES = 1 << 13;
    private static final int MOST_UNWANTED_BYTES = 4 * MOST_BYTES;

    private static final String FIELD = "ids";

    /** Reads a tree and nothing else: no class is named by what comes in. */
    private static final ObjectReader JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build().reader();

    private IdsBody() {
    }

    /**
     * Reads them, with the thread of the request.
     *
     * @throws Failure 400, 413 or 415
     * @throws IOException if the client goes away
     */
    static List<MessageName> read(HttpServletRequest request) throws IOException {
        boolean json = isJson(request);
        String text = text(request);
        List<String> ids = json ? ofJson(text) : ofLines(text);
        if (ids.isEmpty()) {
            throw new Failure(400, "the body names no message");
        }
        if (ids.size() > DelayedCommands.MOST_IDS) {
            throw new Failure(400, "the body names " + ids.size() + " messages; at most " + DelayedCommands.MOST_IDS
                    + " in one call");
        }
        List<MessageName> names = new ArrayList<>(ids.size());
        for (String id : ids) {
            try {
                names.add(MessageName.parse(id));
            } catch (IllegalArgumentException e) {
                throw new Failure(400, e.getMessage());
            }
        }
        return names;
    }

    private static boolean isJson(HttpServletRequest request) {
        if (request.getHeader("Content-Encoding") != null) {
            throw new Failure(415, "the body must not be encoded: " + Printable.value(request.getHeader("Content-Encoding")));
        }
        String header = request.getContentType() == null ? "" : request.getContentType();
        String[] parts = header.toLowerCase(Locale.ROOT).split(";");
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().replace("\"", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8") && !parameter.equals("charset=us-ascii")) {
                throw new Failure(415, "the body is read as UTF-8, not with " + Printable.value(parameter));
            }
        }
        String type = parts.length == 0 ? "" : parts[0].strip();
        if (!type.equals("application/json") && !type.equals("text/plain")) {
            throw new Failure(415, "the body must be application/json or text/plain, not " + Printable.value(header));
        }
        return type.equals("application/json");
    }

    private static String text(HttpServletRequest request) throws IOException {
        InputStream in = request.getInputStream();
        if (request.getContentLengthLong() > MOST_BYTES) {
            throw tooLarge(in);
        }
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw tooLarge(in);
        }
        try {
            return Percent.utf8(bytes);
        } catch (CharacterCodingException e) {
            throw new Failure(400, "the body is not UTF-8");
        }
    }

    /** Some of the rest is read: a connection that is closed while its client still writes may take the answer away. */
    private static Failure tooLarge(InputStream rest) throws IOException {
        byte[] unwanted = new byte[UNWANTED_BYTES];
        int left = MOST_UNWANTED_BYTES;
        for (int read = 0; read >= 0 && left > 0; left -= read) {
            read = rest.read(unwanted);
        }
        return new Failure(413, "the body is longer than " + MOST_BYTES + " bytes");
    }

    private static List<String> ofLines(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    private static List<String> ofJson(String text) {
        JsonNode body;
        try {
            body = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new Failure(400, "the body is not JSON" + (e.getLocation() == null ? "" : ", from line "
                    + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr() + " on"));
        }
        if (!body.isObject()) {
            throw new Failure(400, "the body must be an object with the field ids");
        }
        for (Iterator<String> fields = body.fieldNames(); fields.hasNext();) {
            String field = fields.next();
            if (!field.equals(FIELD)) {
                throw new Failure(400, "the body has a field that is not known: " + Printable.value(field));
            }
        }
        JsonNode array = body.path(FIELD);
        if (!array.isArray()) {
            throw new Failure(400, "the field ids must be an array of strings");
        }
        List<String> ids = new ArrayList<>(array.size());
        for (JsonNode id : array) {
            if (!id.isTextual()) {
                throw new Failure(400, "the field ids must be an array of strings; number " + (ids.size() + 1) + " is none");
            }
            ids.add(id.textValue());
        }
        return ids;
    }
}
