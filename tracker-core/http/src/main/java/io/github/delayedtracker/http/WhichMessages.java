/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import io.github.delayedtracker.command.DelayedCommands.Chosen;
import io.github.delayedtracker.command.DelayedCommands.DueWithin;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Options;
import java.io.IOException;
import java.util.Optional;
import javax.servlet.http.HttpServletRequest;

/** The messages that a change is for, as its request tells. A class of its own: without the plugin it cannot be loaded. */
final class WhichMessages {

    private WhichMessages() {
    }

    /**
     * Reads them, with the thread of the request.
     *
     * @throws Failure 400, 413 or 415
     * @throws IOException if the client goes away
     */
    static Chosen of(HttpServletRequest request, Query query, long nowMillis) throws IOException {
        boolean wholeBatches = query.wholeBatches();
        Options unused = query.options();
        Optional<DueWithin> within = query.dueWithin(nowMillis);
        if (within.isPresent() && request.getInputStream().read() >= 0) {
            throw new Failure(400, "messages are named by a time or in the body, not by both");
        }
        return within.isPresent() ? within.get() : new Named(IdsBody.read(request), wholeBatches);
    }
}
