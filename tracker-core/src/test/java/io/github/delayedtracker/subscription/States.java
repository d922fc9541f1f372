/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.subscription;

import io.github.delayedtracker.index.DelayIndex;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** States of subscriptions that do on the calling thread what their index wants done elsewhere. */
public final class States {

    private States() {
    }

    /** An index that has no memory for more while it is full. */
    public static DelayIndex withoutRoom(DelayIndex index, AtomicBoolean full) {
        return (DelayIndex) Proxy.newProxyInstance(DelayIndex.class.getClassLoader(), new Class<?>[] {DelayIndex.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("add") && full.get()) {
                        throw new OutOfMemoryError("for the test");
                    }
                    return method.invoke(index, arguments);
                });
    }

    /** An empty state. */
    public static SubscriptionState empty(Supplier<DelayIndex> newIndex, TimeRules rules) {
        return new SubscriptionState(newIndex.get(), newIndex, rules, Runnable::run);
    }
}
