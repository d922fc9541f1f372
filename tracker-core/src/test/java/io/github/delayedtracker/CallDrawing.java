/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static net.bytebuddy.matcher.ElementMatchers.isInterface;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.not;

import java.util.List;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy;
import net.bytebuddy.agent.builder.ResettableClassFileTransformer;
import net.bytebuddy.asm.Advice;

/** Tells which packages an action goes through, by running it with every method of the project instrumented. */
final class CallDrawing {

    private static final String ROOT = "io.github.delayedtracker";

    private CallDrawing() {
    }

    /** The calls of an action from one package into another, each once. */
    static List<CallSteps.Step> of(Runnable action) {
        ResettableClassFileTransformer telling = new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(RedefinitionStrategy.RETRANSFORMATION)
                .type(nameStartsWith(ROOT).and(not(isInterface())))
                .transform((builder, type, loader, module, domain) -> CallPath.isOfTests(domain) ? builder
                        : builder.visit(Advice.to(Tell.class).on(isMethod())))
                .installOn(ByteBuddyAgent.install());
        try {
            return CallSteps.of("broker", action);
        } finally {
            telling.reset(ByteBuddyAgent.getInstrumentation(), RedefinitionStrategy.RETRANSFORMATION);
        }
    }

    /** Copied into each method. */
    private static final class Tell {

        @Advice.OnMethodEnter
        static void enter(@Advice.Origin("#t") String type, @Advice.Origin("#m") String method) {
            CallSteps.entered(type.substring(0, type.lastIndexOf('.')), method);
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit() {
            CallSteps.left();
        }
    }
}
