/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/**
 * A promise broken in a scenario; ends it.
 *
 * <p>It carries no stack trace when thrown from an invariant: what matters is the scenario.
 */
public final class Violation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String invariant;

    Violation(String invariant, String message, Throwable cause) {
        super(message, cause, false, cause != null);
        this.invariant = invariant;
    }

    /** The simple name of the invariant's class. */
    public String invariant() {
        return invariant;
    }
}
