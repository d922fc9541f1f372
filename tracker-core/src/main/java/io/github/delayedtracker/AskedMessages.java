/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.index.PositionSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * The messages that one command names, and the answers so far: an id that names one message of a batch, or a message of another
 * partition, is answered at once. One thread at a time.
 */
final class AskedMessages {

    private final List<MessageName> ids;
    private final Answer[] answers;
    private final PositionSet positions = new PositionSet();

    /**
     * Of a topic.
     *
     * @param wholeBatches whether an id with a batch index stands for its whole entry
     * @param partition the number of the topic among its partitions; {@link MessageName#NONE} if it is none
     */
    AskedMessages(List<MessageName> ids, boolean wholeBatches, int partition) {
        this.ids = ids;
        this.answers = new Answer[ids.size()];
        for (int i = 0; i < answers.length; i++) {
            MessageName id = ids.get(i);
            answers[i] = id.batchIndex() != MessageName.NONE && !wholeBatches ? Answer.PART_OF_A_BATCH
                    : id.partition() != MessageName.NONE && id.partition() != partition ? Answer.UNKNOWN : null;
            if (answers[i] == null) {
                positions.add(id.ledgerId(), id.entryId());
            }
        }
    }

    /** The positions that have no answer from the start. */
    PositionSet positions() {
        return positions;
    }

    /** Answers those of some positions, by their ledger and entry. */
    void answer(PositionSet some, BiFunction<Long, Long, Answer> answer) {
        for (int i = 0; i < answers.length; i++) {
            MessageName id = ids.get(i);
            if (answers[i] == null && some.contains(id.ledgerId(), id.entryId())) {
                answers[i] = answer.apply(id.ledgerId(), id.entryId());
            }
        }
    }

    /** Answers the rest: they are not in the schedule. One answer an id, in their order. */
    CompletableFuture<List<Answer>> explainedBy(Unscheduled unscheduled) {
        return unscheduled.explain(ids, answers);
    }
}
