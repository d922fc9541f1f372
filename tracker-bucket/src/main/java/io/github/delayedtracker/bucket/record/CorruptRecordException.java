/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

/** A text that is not a record of this plugin: its checksum is wrong, or it breaks a rule of its version. */
final class CorruptRecordException extends UnreadableRecordException {

    private static final long serialVersionUID = 1L;

    CorruptRecordException(String rule, Object found) {
        super("not a record of snapshots: " + rule + ", found " + found);
    }
}
