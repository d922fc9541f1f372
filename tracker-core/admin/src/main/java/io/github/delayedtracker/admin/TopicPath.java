/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.apache.pulsar.common.naming.TopicName;

/** Where the servlet takes commands on a topic: the path of it, encoded. */
record TopicPath(String path) {

    private static final String BASE = "/admin/delayed/v1/persistent/";
    private static final String PERSISTENT = "persistent://";

    /** The path of a topic given by its full name, or by a short one as the tool's other commands take it. */
    static TopicPath of(String topic) throws CommandFailed {
        String name;
        try {
            name = TopicName.get(topic).toString();
        } catch (IllegalArgumentException e) {
            throw new CommandFailed("not the name of a topic: " + topic);
        }
        if (!name.startsWith(PERSISTENT)) {
            throw new CommandFailed("only persistent topics have a schedule: " + topic);
        }
        String[] parts = name.substring(PERSISTENT.length()).split("/", -1);
        if (parts.length != 3) {
            throw new CommandFailed("a topic is persistent://tenant/namespace/topic: " + topic);
        }
        return new TopicPath(BASE + encoded(parts[0]) + "/" + encoded(parts[1]) + "/" + encoded(parts[2]) + "/");
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
