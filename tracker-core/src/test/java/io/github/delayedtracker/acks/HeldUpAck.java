/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.acks;

/** An acknowledgement that has read mark-delete and the stamp, and is preempted there for a while. One at a time. */
final class HeldUpAck {

    private Runnable goesOn;
    /** Whether a seek was answered since it was held up. */
    private boolean sought;
    private boolean isStale;

    /** The topic is loaded: it is gone with the broker of before. */
    void forget() {
        goesOn = null;
        isStale = false;
    }

    void holdUp(ScenarioCursor cursor) {
        goesOn = cursor.holdUp();
        sought = false;
    }

    boolean isUnderWay() {
        return goesOn != null;
    }

    /** A seek was answered. */
    void isSought() {
        sought = true;
    }

    boolean wasSought() {
        return sought;
    }

    /** It goes on, if there is one; answers whether there was. */
    boolean goOn() {
        Runnable step = goesOn;
        if (step == null) {
            return false;
        }
        goesOn = null;
        step.run();
        isStale = sought;
        return true;
    }

    /** Whether one has gone on over a seek, with what it had read before it. */
    boolean isStale() {
        return isStale;
    }
}
