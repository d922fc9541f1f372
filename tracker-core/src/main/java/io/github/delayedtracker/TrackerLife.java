/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

/**
 * Whether a tracker is in use, at rest or closed.
 *
 * <p>Policy. A tracker rests from the first sweep that finds its dispatcher closed though nobody has closed the tracker. A read
 * that ended late made it then. Three sweeps look whether the dispatcher is in use again, as it is when its topic could not be
 * closed; then nothing holds the tracker but its dispatcher, whose next call has it go on, like that of before.
 */
enum TrackerLife {
    /** As made. */
    IN_USE,
    /** One sweep has found the dispatcher closed. */
    RESTS,
    /** Two have. */
    RESTS_LONGER,
    /** Three have: no sweep looks any more. */
    LEFT,
    /** After a rest, without storage. */
    IN_USE_AGAIN,
    /** For good. */
    CLOSED;

    /** After a sweep that found the dispatcher closed. */
    TrackerLife foundUnused() {
        return switch (this) {
            case IN_USE, IN_USE_AGAIN -> RESTS;
            case RESTS -> RESTS_LONGER;
            case RESTS_LONGER, LEFT -> LEFT;
            case CLOSED -> CLOSED;
        };
    }

    boolean isInUse() {
        return this == IN_USE || this == IN_USE_AGAIN;
    }

    boolean isAtRest() {
        return this == RESTS || this == RESTS_LONGER || this == LEFT;
    }
}
