/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import io.github.delayedtracker.it.cluster.Insistence.Pause;
import io.github.delayedtracker.it.cluster.RunEvent.Kind;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The driver of faults: does the steps of a plan one after the other, and writes down when each begins and when what it struck
 * serves again. At most one fault at a time. A fault of a broker strikes the one that is seen in the moment the plan asks for, or
 * the one it names if there is none. One that the cluster refuses is written down as that, and a spare step of the plan is done
 * in its place. Not thread safe.
 */
final class FaultDriver {

    private final Victim victim;
    private final RunFile file;
    private final Pause pause;

    /** What faults are done to. */
    interface Victim {

        /** Waits for a moment, not for long: the broker that has it, if any. */
        OptionalInt await(Moment moment) throws InterruptedException;

        /**
         * Does a fault and takes it back when its time is over.
         *
         * @return nothing, or why the cluster has refused it
         * @throws Exception if what was done cannot be taken back
         */
        Optional<String> strike(FaultPlan.Step step, int target) throws Exception;

        /** Waits until all serve; whatever does not is started again. An error if they never do. */
        void heal() throws Exception;
    }

    FaultDriver(Victim victim, RunFile file, Pause pause) {
        this.victim = victim;
        this.file = file;
        this.pause = pause;
    }

    /** Does as many faults as the plan is to have, fewer if more are refused than it has to spare. */
    void run(FaultPlan plan) throws Exception {
        int done = 0;
        int number = 0;
        Iterator<FaultPlan.Step> steps = plan.steps().iterator();
        while (done < plan.count() && steps.hasNext()) {
            number++;
            if (isDone(steps.next(), number)) {
                done++;
            }
        }
        if (done < plan.count()) {
            System.out.println("only " + done + " of " + plan.count() + " faults were done: no step of the plan is left");
        }
    }

    private boolean isDone(FaultPlan.Step step, int number) throws Exception {
        pause.ofMillis(step.afterMillis());
        victim.heal();
        OptionalInt found = victim.await(step.moment());
        int target = step.kind().isOfABroker() ? found.orElse(step.target()) : step.target();
        String name = number + "-" + step.kind() + "-" + target + "-" + step.moment()
                + (found.isPresent() || step.moment() == Moment.ANY ? "" : "-missed");
        System.out.println("fault " + name + " for " + step.forMillis() + " ms");
        file.add(Kind.FAULT, name, step.kind().effect().code());
        Optional<String> refusal = victim.strike(step, target);
        refusal.ifPresent(why -> System.out.println("fault " + name + " was refused: " + why));
        victim.heal();
        file.add(refusal.isPresent() ? Kind.REFUSED : Kind.HEALED, name, 0);
        return refusal.isEmpty();
    }
}
