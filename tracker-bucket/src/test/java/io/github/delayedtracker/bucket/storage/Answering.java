/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.lang.reflect.Proxy;
import java.util.function.BiFunction;

/** Doubles of interfaces of which a test needs little: one function answers every call. */
public final class Answering {

    private Answering() {
    }

    /** Calls are answered by a function of their method's name and their arguments. */
    public static <T> T with(Class<T> type, BiFunction<String, Object[], Object> answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> answers.apply(method.getName(), arguments)));
    }

    /** For what is never called. */
    public static <T> T nothing(Class<T> type) {
        return with(type, (name, arguments) -> {
            throw new UnsupportedOperationException(type.getSimpleName() + "." + name);
        });
    }
}
