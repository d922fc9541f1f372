/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.steps;

import io.github.delayedtracker.bucket.snapshot.SegmentColumns;
import io.netty.buffer.ByteBuf;

/** In which form the segments of a snapshot stand, one each in the last entries of its ledger. */
interface SegmentForm {

    /** Bytes that are not what the head promises. */
    final class DamagedException extends Exception {

        private static final long serialVersionUID = 1L;

        DamagedException(String rule, Throwable cause) {
            super(rule, cause);
        }
    }

    /** Bytes that a newer version of the plugin has written. */
    final class NewerException extends Exception {

        private static final long serialVersionUID = 1L;

        NewerException(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }

    /** How many segments there are. */
    int count();

    /** How many positions there are in all segments. */
    long positions();

    /** How long the entry of a segment is, bytes, or about how long. */
    int bytes(int number);

    /** The positions of a segment in (time, ledger, entry) order; checked, and the bytes not released. */
    SegmentColumns decode(int number, ByteBuf bytes) throws DamagedException, NewerException;
}
