/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.util.Optional;

/** The path of a request and its query, encoded. Immutable. */
record Request(String text) {

    /** One without a query; the path is encoded. */
    static Request to(String path) {
        return new Request(path);
    }

    Request with(String name, String value) {
        return new Request(text + (text.indexOf('?') < 0 ? '?' : '&') + name + '=' + TopicPath.encoded(value));
    }

    /** The same if there is no value. */
    Request with(String name, Optional<String> value) {
        return value.map(text -> with(name, text)).orElse(this);
    }

    /** The same if the flag was not given. */
    Request withFlag(String name, boolean isGiven) {
        return isGiven ? with(name, "true") : this;
    }
}
