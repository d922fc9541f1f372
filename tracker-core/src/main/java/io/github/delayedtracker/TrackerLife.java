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
 * <p>Policy. A tracker rests as long as its dispatcher is closed though nobody has closed the tracker: a read that ended late has
 * made it, or sweeps find it so. Three sweeps look whether the dispatcher is in use again, as it is when its topic could not be
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

    /** After a rest, once the dispatcher is in use again. */
    TrackerLife usedAgain() {
        return isAtRest() ? IN_USE_AGAIN : this;
    }

    boolean isInUse() {
        return this == IN_USE || this == IN_USE_AGAIN;
    }

    boolean isAtRest() {
        return this == RESTS || this == RESTS_LONGER || this == LEFT;
    }
}
