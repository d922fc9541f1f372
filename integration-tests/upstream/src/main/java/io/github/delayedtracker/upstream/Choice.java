/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import java.util.Set;
import org.testng.IMethodInstance;

/**
 * Which tests of the classes are run.
 *
 * @param leftOut tests that are not, as {@code Class#method}
 * @param ownOnly classes of which inherited tests are not
 * @param only expressions of the methods that alone are; all where there are none
 */
record Choice(Set<String> leftOut, Set<String> ownOnly, Set<String> only) {

    /** Whether it is asked for, be it left out or not. */
    boolean has(IMethodInstance method) {
        Class<?> type = method.getInstance().getClass();
        boolean own = method.getMethod().getConstructorOrMethod().getDeclaringClass() == type;
        return (own || !ownOnly.contains(type.getSimpleName()))
                && (only.isEmpty() || only.stream().anyMatch(method.getMethod().getMethodName()::matches));
    }

    boolean leavesOut(IMethodInstance method) {
        return leftOut.contains(title(method));
    }

    static String title(IMethodInstance method) {
        return method.getInstance().getClass().getSimpleName() + "#" + method.getMethod().getMethodName();
    }
}
