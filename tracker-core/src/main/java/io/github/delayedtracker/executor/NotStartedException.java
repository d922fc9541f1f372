/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.executor;

/**
 * The failure of a task that was not started and never will be, so it has had no effect. A task that did start fails with its own
 * cause instead; only the task can say what it has done by then.
 */
public abstract sealed class NotStartedException extends RuntimeException
        permits ClosedException, NoThreadException {

    private static final long serialVersionUID = 1L;

    NotStartedException(String message, Throwable cause) {
        super(message, cause, false, false);
    }
}
