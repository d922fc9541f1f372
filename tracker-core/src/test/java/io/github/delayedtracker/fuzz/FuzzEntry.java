/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.fuzz;

import java.lang.reflect.Constructor;

/** What Jazzer calls with the bytes that it makes up: hands them to the target that it was given the class of. */
public final class FuzzEntry {

    private static FuzzTarget target;

    private FuzzEntry() {
    }

    /** Makes the target, once. */
    public static void fuzzerInitialize(String[] arguments) throws ReflectiveOperationException {
        target = target(Class.forName(arguments[0]));
    }

    /** Gives it bytes. */
    public static void fuzzerTestOneInput(byte[] bytes) throws Exception {
        target.read(bytes);
    }

    /** A target of a class that only its package sees. */
    static FuzzTarget target(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return (FuzzTarget) constructor.newInstance();
    }
}
