/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

/** What a class logs while something runs. */
final class CapturedLog {

    private CapturedLog() {
    }

    static List<LogEvent> of(Class<?> type, Level level, Runnable run) {
        List<LogEvent> events = new ArrayList<>();
        AbstractAppender appender = new AbstractAppender("captured", null, null, true, Property.EMPTY_ARRAY) {
            @Override
            public void append(LogEvent event) {
                events.add(event.toImmutable());
            }
        };
        Level before = LogManager.getLogger(type).getLevel();
        Configurator.setLevel(type.getName(), level);
        Logger log = (Logger) LogManager.getLogger(type);
        appender.start();
        log.addAppender(appender);
        try {
            run.run();
        } finally {
            log.removeAppender(appender);
            appender.stop();
            Configurator.setLevel(type.getName(), before);
        }
        return events;
    }
}
