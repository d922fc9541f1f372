/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import java.util.List;

/**
 * When the machine kept all that ran on it waiting, as told by a thread that sleeps for a second and writes down how late it was
 * woken. What waited meanwhile may take as long again.
 */
final class Stillness {

    /** The figure of how late the thread was woken, in milliseconds. */
    static final String STOOD_STILL = "stood-still-millis";
    /** How long the thread sleeps. */
    static final long GAP_MILLIS = 1_000;

    private final List<RunEvent> late;

    /** What the events of a run tell of it. */
    Stillness(List<RunEvent> events) {
        late = events.stream().filter(event -> event.kind() == Kind.SEEN && event.text().equals(STOOD_STILL)).toList();
    }

    /** How much later something that was begun at one time may have been seen at another, for this reason alone. */
    long millis(long fromMillis, long untilMillis) {
        return late.stream().filter(event -> event.atMillis() - event.number() - GAP_MILLIS <= untilMillis
                && fromMillis <= event.atMillis() + event.number()).mapToLong(RunEvent::number).sum();
    }
}
