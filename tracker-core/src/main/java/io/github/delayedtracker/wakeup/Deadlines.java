/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup;

import java.util.concurrent.CompletableFuture;

/** Waits that end in bounded time, whatever becomes of the step that is waited for. */
public final class Deadlines {

    private Deadlines() {
    }

    /**
     * Answers without failure when a step has ended, well or not, and after {@code millis} at the latest. Where no deadline can
     * be armed it answers at once, since the wait might not end; the step goes on in any case. Any thread.
     */
    public static CompletableFuture<Void> within(long millis, WakeUpTimer timer, CompletableFuture<?> step) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        if (step.isDone()) {
            answer.complete(null);
            return answer;
        }
        WakeUpTimer.Armed deadline;
        try {
            deadline = timer.arm(millis, () -> answer.complete(null));
        } catch (RuntimeException | Error e) {
            answer.complete(null);
            return answer;
        }
        CompletableFuture<Void> unused = step.handle((value, failure) -> {
            deadline.cancel();
            answer.complete(null);
            return null;
        });
        return answer;
    }
}
