/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.admin.cli.extensions.CustomCommand;
import org.apache.pulsar.admin.cli.extensions.CustomCommandFactory;
import org.apache.pulsar.admin.cli.extensions.CustomCommandGroup;

/** The extension that {@code pulsar-admin} asks for commands: one group, {@code delayed}. */
public final class DelayedCommandFactory implements CustomCommandFactory {

    @Override
    public List<CustomCommandGroup> commandGroups(CommandExecutionContext context) {
        return List.of(new Delayed());
    }

    /** The group. */
    private static final class Delayed implements CustomCommandGroup {

        @Override
        public String name() {
            return "delayed";
        }

        @Override
        public String description() {
            return "Commands on messages that are scheduled for later delivery";
        }

        @Override
        public List<CustomCommand> commands(CommandExecutionContext context) {
            return DelayedCommandFactory.commands(System.out);
        }
    }

    /** The commands, which print there. */
    static List<CustomCommand> commands(PrintStream out) {
        List<CustomCommand> all = new ArrayList<>();
        for (ChangeCommand.Kind kind : ChangeCommand.Kind.values()) {
            all.add(new ChangeCommand(kind, out));
        }
        all.add(new ScheduleCommand(out));
        for (ListCommand.Kind kind : ListCommand.Kind.values()) {
            all.add(new ListCommand(kind, out));
        }
        for (LedgersCommand.Kind kind : LedgersCommand.Kind.values()) {
            all.add(new LedgersCommand(kind, out));
        }
        for (StoredCommand.Kind kind : StoredCommand.Kind.values()) {
            all.add(new StoredCommand(kind, out));
        }
        all.add(new SweepCommand(out));
        return all;
    }
}
