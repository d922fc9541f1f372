/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;
import org.apache.pulsar.broker.service.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** The log of a journal says what has become of it, once, and nothing that has not happened. */
class JournalLogTest extends JournaledTracker {

    private static final String BEGUN = "A journal keeps the acknowledgements that the broker's record would leave out";
    private static final String NOT_NEEDED = "The broker's record holds all acknowledgements again, their journal is deleted";

    private final Logger logger = (Logger) LogManager.getLogger(JournalLog.class);
    private final List<String> lines = new ArrayList<>();
    private final AbstractAppender appender = new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
            if (event.getLevel().equals(Level.INFO)) {
                String line = event.getMessage().getFormattedMessage();
                lines.add(line.substring(line.indexOf("] ") + 2));
            }
        }
    };
    private Level before;

    @BeforeEach
    void linesAreTaken() {
        before = logger.getLevel();
        Configurator.setLevel(JournalLog.class.getName(), Level.INFO);
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void linesAreTakenNoMore() {
        logger.removeAppender(appender);
        Configurator.setLevel(JournalLog.class.getName(), before);
    }

    private void aJournalIsToldOf() {
        aJournalIsKept();
        assertEquals(List.of(BEGUN), lines);
        lines.clear();
    }

    @Test
    void aJournalThatIsNotNeededAnyMoreIsDeleted() {
        aJournalIsToldOf();
        for (int i = 0; i < 2 * ACKED; i += 2) {
            acknowledge(i);
        }
        afterSeconds(30);
        assertEquals(0, journals.ledgers.size());
        assertEquals(List.of(NOT_NEEDED), lines);
    }

    @Test
    void aJournalThatCannotBeWrittenCountsUntilAnotherTakesItsPlace() {
        aJournalIsToldOf();
        journals.answer = MemoryJournals.Answer.FAILS;
        acknowledge(201);
        afterSeconds(60);
        assertEquals(1, journals.ledgers.size(), "it is there still");
        assertEquals(List.of("The journal of acknowledgements could not be written; what is in it counts until another has taken"
                + " its place"), lines);
        lines.clear();
        journals.answer = MemoryJournals.Answer.AT_ONCE;
        afterSeconds(300);
        assertEquals(List.of(BEGUN), lines);
    }

    @Test
    void aJournalThatCannotBeDeletedIsNotSaidToBe() {
        aJournalIsToldOf();
        for (int i = 0; i < 2 * ACKED; i += 2) {
            acknowledge(i);
        }
        journals.answer = MemoryJournals.Answer.FAILS;
        afterSeconds(30);
        assertEquals(1, journals.ledgers.size());
        assertEquals(0, lines.stream().filter(NOT_NEEDED::equals).count());
        journals.answer = MemoryJournals.Answer.AT_ONCE;
        afterSeconds(600);
        assertEquals(0, journals.ledgers.size());
        assertEquals(NOT_NEEDED, lines.get(lines.size() - 1));
    }

    @Test
    void aSeekIsNotARecordThatHoldsAll() {
        aJournalIsToldOf();
        consumer = Mockito.mock(Consumer.class);
        broker.acknowledged.clear();
        properties.clear();
        copy();
        assertFalse(tracker.addMessage(1, 1, 0), "looked at once");
        afterSeconds(30);
        assertEquals(List.of("The subscription was reset, the journal of its acknowledgements is deleted"), lines);
    }
}
