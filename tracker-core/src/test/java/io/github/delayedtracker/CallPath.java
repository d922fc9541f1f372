/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isInterface;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.subscription.SubscriptionState;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.security.ProtectionDomain;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;

/**
 * Counts how far an action goes through the project's own code: the files of the classes it enters on any thread, and the times a
 * subscription's lock is taken. A class counts with those nested in it, as a reader opens one file for them; interfaces and tests
 * do not count. Every method of the project is instrumented meanwhile, so no other test may run then.
 */
public final class CallPath {

    private static final String ROOT = "io.github.delayedtracker.";
    private static final String PAGE = "architecture.md";

    private CallPath() {
    }

    /**
     * Fails unless the table of docs/architecture.md has a row for a path that tells how far it goes; with
     * {@code -Ddelayed.docs.write=true} the row is written.
     *
     * @param path as the row names it
     */
    public static void check(String path, Runnable action) throws IOException {
        run(action);
        Set<String> files = CallCounts.files();
        assertTrue(files.size() > 1, () -> "a path of nothing but " + files);
        long packages = files.stream().map(name -> name.substring(0, name.lastIndexOf('.'))).distinct().count();
        String row = "| " + path + " | " + files.size() + " | " + packages + " | " + CallCounts.locks() + " |";
        System.out.println(row + " " + String.join(" ", files).replace(ROOT, ""));
        DocsPage.check(PAGE, page -> page.lines().map(line -> line.startsWith("| " + path + " |") ? row : line)
                .reduce(new StringBuilder(), (text, line) -> text.append(line).append('\n'), StringBuilder::append).toString());
        DocsPage.check(PAGE, page -> page.contains(row) ? page : "no row for " + path);
    }

    private static void run(Runnable action) {
        Instrumentation instrumentation = ByteBuddyAgent.install();
        ResettableClassFileTransformer counting = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(RedefinitionStrategy.RETRANSFORMATION)
                .type(nameStartsWith(ROOT).and(not(isInterface())))
                .transform((builder, type, loader, module, domain) -> isOfTests(domain) ? builder
                        : builder.visit(Advice.to(Enter.class).on(isMethod().or(isConstructor()))))
                .installOn(instrumentation);
        try {
            CallCounts.clear();
            action.run();
        } finally {
            counting.reset(instrumentation, RedefinitionStrategy.RETRANSFORMATION);
        }
    }

    /** Has the lock of a subscription's state counted each time it is taken. */
    static void countLocksOf(SubscriptionState state) throws ReflectiveOperationException {
        Field field = SubscriptionState.class.getDeclaredField("lock");
        field.setAccessible(true);
        Lock counted = (Lock) field.get(state);
        field.set(state, Proxy.newProxyInstance(CallPath.class.getClassLoader(), new Class<?>[] {Lock.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("lock")) {
                        CallCounts.locked();
                    }
                    return method.invoke(counted, arguments);
                }));
    }

    static boolean isOfTests(ProtectionDomain domain) {
        return domain == null || domain.getCodeSource() == null
                || domain.getCodeSource().getLocation().getPath().matches(".*[-/](test-classes|tests\\.jar|[a-z]*-test)/?.*");
    }

    /** Copied into each method. */
    private static final class Enter {

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin("#t") String type) {
            CallCounts.entered(type);
        }
    }
}
