/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.DocsPage;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The life of a bucket: which state may follow which. */
class BucketStateTest {

    /** As in docs/design/bucket.md, and a way to each state. */
    private static final Map<BucketState, List<BucketState>> MAY_GO_TO = new EnumMap<>(Map.of(
            BucketState.OPEN, List.of(BucketState.SEALING),
            BucketState.SEALING, List.of(BucketState.OPEN, BucketState.SEALED, BucketState.DELETING),
            BucketState.SEALED, List.of(BucketState.MERGING, BucketState.DELETING),
            BucketState.MERGING, List.of(BucketState.SEALED, BucketState.DELETING),
            BucketState.DELETING, List.of(BucketState.GONE),
            BucketState.GONE, List.of()));

    private static final List<BucketState> WAY = List.of(BucketState.OPEN, BucketState.SEALING, BucketState.SEALED,
            BucketState.MERGING, BucketState.DELETING, BucketState.GONE);

    private static Bucket in(BucketState state) {
        Bucket bucket = new Bucket();
        for (int i = 1; bucket.state() != state; i++) {
            bucket.become(WAY.get(i), "on the way");
        }
        return bucket;
    }

    @Test
    void theDrawingOfThePageHasTheseChanges() throws IOException {
        StringBuilder drawing = new StringBuilder("```mermaid\nstateDiagram-v2\n    [*] --> OPEN\n");
        for (BucketState from : BucketState.values()) {
            for (BucketState to : BucketState.values()) {
                if (to.predecessors().contains(from)) {
                    drawing.append("    ").append(from).append(" --> ").append(to).append('\n');
                }
            }
        }
        DocsPage.checkPart("design/bucket.md", "states", drawing.append("    GONE --> [*]\n```\n").toString());
    }

    @Test
    void everyChangeIsInTheTableOrRefused() {
        for (BucketState from : BucketState.values()) {
            for (BucketState to : BucketState.values()) {
                Bucket bucket = in(from);
                if (MAY_GO_TO.get(from).contains(to)) {
                    bucket.become(to, "allowed");
                    assertEquals(to, bucket.state());
                } else {
                    String message = assertThrows(IllegalStateException.class, () -> bucket.become(to, "why not")).getMessage();
                    assertTrue(message.contains(from.name()) && message.contains(to.name()) && message.contains("why not"),
                            message);
                    assertEquals(from, bucket.state());
                }
            }
        }
    }
}
