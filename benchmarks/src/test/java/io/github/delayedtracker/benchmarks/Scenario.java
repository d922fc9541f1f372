/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.List;
import java.util.function.Consumer;

/**
 * What is asked of every tracker.
 *
 * @param title the row of the page
 * @param strict whether the tracker is strict
 * @param reason why our answer is the way it is, where others differ
 * @param steps what is done
 */
record Scenario(String title, boolean strict, String reason, Consumer<Transcript> steps) {

    static final List<Scenario> ALL = List.of(
            new Scenario("added twice with one time", false, "dedup by position",
                    t -> t.add(10_000, 1, 1).add(10_000, 1, 1).count().handOut(10_000, 1).handOut(10_000, 1).count()),
            new Scenario("added again with a later time", false, "dedup by position: the first time stands",
                    t -> t.add(10_000, 1, 1).add(20_000, 1, 1).count().handOut(10_000, 100).handOut(20_000, 100).count()),
            new Scenario("added again with an earlier time", false, "dedup by position: the first time stands",
                    t -> t.add(20_000, 1, 1).add(10_000, 1, 1).count().handOut(10_000, 100).handOut(20_000, 100).count()),
            new Scenario("a tracked position read again when due", false, "it is sent by the read and forgotten here: one road",
                    t -> t.add(10_000, 1, 1).now(10_000).addAt(1, 1, 1).count().handOut(10_000, 100).count()),
            new Scenario("read in the last tick before its time, behind one of that time", false,
                    "equal times go in order; where nothing of that time is next it is sent at once",
                    t -> t.add(10_300, 1, 1).now(9_500).add(10_300, 1, 2).count().handOut(10_300, 100).count()),
            new Scenario("falling times", false, "",
                    t -> t.add(30_000, 1, 1).add(20_000, 1, 2).add(10_000, 1, 3)
                            .handOut(10_000, 100).handOut(20_000, 100).handOut(30_000, 100).count()),
            new Scenario("acknowledged before due", false, "an acknowledged position leaves count and index",
                    t -> t.add(10_000, 1, 1).add(10_000, 1, 2).acked(1, 1).count().handOut(10_000, 100).count()),
            new Scenario("ledgers in any order", false, "",
                    t -> t.add(10_000, 7, 1).add(10_000, 2, 9).add(10_000, 5, 3).add(10_000, 2, 4)
                            .handOut(10_000, 2).handOut(10_000, 2).count()),
            new Scenario("a limit within one time bucket", false, "times in one bucket are one time",
                    t -> t.add(10_250, 1, 1).add(10_249, 2, 1).add(10_248, 3, 1)
                            .handOut(12_000, 1).handOut(12_000, 1).handOut(12_000, 1)),
            new Scenario("non-strict: first hand-out of +10300", false,
                    "rounding down uses up part of the window of a tick",
                    t -> t.add(10_300, 1, 1).firstHandOut(9_000, 1, 12_000)),
            new Scenario("strict: first hand-out of +10300", true, "never early; rounded up by less than the precision",
                    t -> t.add(10_300, 1, 1).firstHandOut(9_000, 1, 12_000)),
            new Scenario("non-strict, tick lowered to 100: first hand-out of +10300", false, "the precision follows the tick",
                    t -> t.tick(100).add(10_300, 1, 1).firstHandOut(9_000, 1, 12_000)),
            new Scenario("strict, tick lowered to 100: first hand-out of +10300", true, "the precision follows the tick",
                    t -> t.tick(100).add(10_300, 1, 1).firstHandOut(9_000, 1, 12_000)),
            new Scenario("non-strict, tick lowered to 100 after the add of +10300", false,
                    "what the longer tick had rounded is handed out too soon: read and offered again, it is held until its time",
                    t -> t.add(10_300, 1, 1).tick(100).firstHandOut(9_000, 1, 12_000)),
            new Scenario("strict: deliverAt Long.MAX_VALUE", true, "",
                    t -> t.addAt(Long.MAX_VALUE, 1, 1).count().handOut(3_153_600_000_000L, 100).count()),
            new Scenario("non-strict: deliverAt Long.MAX_VALUE", false, "",
                    t -> t.addAt(Long.MAX_VALUE, 1, 1).count().handOut(3_153_600_000_000L, 100).count()),
            new Scenario("deliverAt in 100 years", false, "",
                    t -> t.add(3_153_600_000_000L, 1, 1).count().handOut(3_153_590_000_000L, 100)
                            .handOut(3_153_600_000_000L, 100)),
            new Scenario("deliverAt 0 and negative", false, "", t -> t.addAt(0, 1, 1).addAt(-5, 1, 2).count()),
            new Scenario("use after close", false, "close lets go of everything; nothing is answered as if it were known",
                    t -> t.add(10_000, 1, 1).close().add(20_000, 1, 2).count().handOut(30_000, 100)));

    /** What a tracker of tick 1000 shows; an exception is an answer as well. */
    String answerOf(Tracker tracker) {
        Transcript transcript = new Transcript(tracker);
        try {
            steps.accept(transcript);
            return transcript.toString();
        } catch (IllegalStateException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return transcript.saw("throws " + cause.getClass().getSimpleName()).toString();
        }
    }
}
