/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/** The failure of reading bytes that are no segment. The message names the rule they break and the value that breaks it. */
public class CorruptSegmentException extends Exception {

    private static final long serialVersionUID = 1L;

    CorruptSegmentException(String rule, long found) {
        super("corrupt segment: must hold: " + rule + "; found " + found);
    }
}
