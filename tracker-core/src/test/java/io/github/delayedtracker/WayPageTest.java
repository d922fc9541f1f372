/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static io.github.delayedtracker.FakeBroker.NOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.doAnswer;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The drawing of the way of a message in docs/how-it-works.md is made from the calls of a run. */
class WayPageTest {

    private static final int MESSAGES = 100;
    /** The calls that carry a message on: the drawing leaves out what only asks. */
    private static final Set<String> DRAWN = Set.of("addMessage", "offer", "add", "want", "containsMessage", "contains", "fire",
            "onWakeUp", "readMoreEntriesAsync", "getScheduledMessages", "takeDue", "asked");
    private static final String BROKER = "broker";

    private final FakeBroker broker = new FakeBroker();
    private final StringBuilder drawing = new StringBuilder();
    private final Set<String> drawn = new TreeSet<>();

    private static String room(String name) {
        String part = name.replaceFirst("^io\\.github\\.delayedtracker\\.?", "");
        return part.isEmpty() ? "root" : part;
    }

    private void draw(String title, Runnable action) {
        List<CallSteps.Step> steps = CallDrawing.of(action).stream().filter(step -> DRAWN.contains(step.method()))
                .filter(step -> !room(step.to()).equals("index")).toList();
        steps.forEach(step -> drawn.add(step.method()));
        drawing.append("    Note over broker: ").append(title).append('\n').append(steps.stream()
                .map(step -> "    " + room(step.from()) + "->>" + room(step.to()) + ": " + step.method() + "\n")
                .collect(Collectors.joining()));
    }

    @Test
    void theDrawingHasTheCallsOfARun() throws Exception {
        doAnswer(call -> {
            CallSteps.entered(BROKER, "readMoreEntriesAsync");
            CallSteps.left();
            return null;
        }).when(broker.dispatcher).readMoreEntriesAsync();
        SkipReadAdapter adapter = new SkipReadAdapter(broker.dispatcher, broker.tracker(true), 1_000, true);
        for (int i = 0; i < MESSAGES; i++) {
            adapter.addMessage(1, i, NOW + 10_000 + i);
        }
        draw("a message is read that is not due", () -> adapter.addMessage(1, MESSAGES, NOW + 5_000));
        draw("a read comes across it again", () -> adapter.containsMessage(1, MESSAGES));
        draw("the timer has its time", () -> broker.timer.advanceTo(NOW + 5_000));
        draw("the dispatcher asks", () -> adapter.getScheduledMessages(1));
        assertEquals(new TreeSet<>(DRAWN), drawn);
        DocsPage.checkPart("how-it-works.md", "way", """
                ```mermaid
                sequenceDiagram
                    participant broker
                    participant root as adapter and tracker
                    participant subscription
                    participant heap as index (heap)
                    participant wakeup
                """ + drawing + "```\n");
    }
}
