/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * The end of a command that failed, with one line for the user. Only an exception ends the tool with exit code 1: it does not
 * look at what a command returns. It prints the stack trace of one it does not know, so this one's is its line.
 */
final class CommandFailed extends Exception {

    private static final long serialVersionUID = 1;

    /** With the line; what came from elsewhere in it is cleaned here. */
    CommandFailed(String line) {
        super(Text.line(line), null, false, false);
    }

    @Override
    public void printStackTrace(PrintStream out) {
        out.println(getMessage());
    }

    @Override
    public void printStackTrace(PrintWriter out) {
        out.println(getMessage());
    }
}
