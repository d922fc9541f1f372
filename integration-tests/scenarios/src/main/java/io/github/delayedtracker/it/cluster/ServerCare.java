/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

/**
 * What is to be done about one server that ought to serve. One that has ended is started; one that runs and does not serve is
 * waited for, and ended when that has lasted too long: a bookie whose first steps fail may stay as a process that takes
 * connections and stores nothing. Each time it is ended it gets twice as long, for a machine that is slow. Time is passed in.
 * Not thread safe.
 */
final class ServerCare {

    /** What is to be done now. */
    enum Deed {
        /** Nothing: it serves. */
        NOTHING,
        /** To look again. */
        WAIT,
        /** To start it: it has ended. */
        START,
        /** To end it: it runs, and has not served for too long. */
        END
    }

    private long patienceMillis;
    private long stillFromMillis;
    private boolean isStill;

    /** For a server that starts within that time, unless the machine is slow. */
    ServerCare(long patienceMillis) {
        this.patienceMillis = patienceMillis;
    }

    /**
     * What is to be done about it after a look.
     *
     * @param mayStart whether it can serve if it is started now; not asked for while it runs
     * @param nowMillis by a clock that only goes on
     */
    Deed next(boolean isAlive, boolean serves, boolean mayStart, long nowMillis) {
        if (!isAlive || serves) {
            isStill = false;
            if (serves) {
                return Deed.NOTHING;
            }
            return mayStart ? Deed.START : Deed.WAIT;
        }
        if (!isStill) {
            isStill = true;
            stillFromMillis = nowMillis;
        }
        if (nowMillis - stillFromMillis < patienceMillis) {
            return Deed.WAIT;
        }
        isStill = false;
        patienceMillis *= 2;
        return Deed.END;
    }
}
