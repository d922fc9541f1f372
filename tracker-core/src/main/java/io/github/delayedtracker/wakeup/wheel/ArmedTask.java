/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

import io.github.delayedtracker.wakeup.WakeUpTimer;

/** A task in a {@link SharedWheel}: the link cell and the handle to cancel it in one. 40 bytes. */
final class ArmedTask extends Task implements WakeUpTimer.Armed {

    private final SharedWheel wheel;
    private final Runnable body;

    ArmedTask(SharedWheel wheel, Runnable body, long deadlineTick) {
        super(deadlineTick);
        this.wheel = wheel;
        this.body = body;
    }

    @Override
    public void cancel() {
        wheel.cancel(this);
    }

    void run() {
        body.run();
    }
}
