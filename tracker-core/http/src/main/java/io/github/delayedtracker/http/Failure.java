/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

/** An answer that is no success: its HTTP status, and for the user what was wrong. */
final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String allowedMethod;

    /** With a reason that names the thing, the rule and the bad value; what users gave is cleaned when it is written. */
    Failure(int status, String reason) {
        this(status, reason, "");
    }

    private Failure(int status, String reason, String allowedMethod) {
        super(reason, null, false, false);
        this.status = status;
        this.allowedMethod = allowedMethod;
    }

    /** 405: another method would do. */
    static Failure ofMethod(String reason, String allowedMethod) {
        return new Failure(405, reason, allowedMethod);
    }

    int status() {
        return status;
    }

    /** The method that would do; empty if the method was not wrong. */
    String allowedMethod() {
        return allowedMethod;
    }
}
