/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Decides what goes wrong with each call: what the script says first, then what is drawn. */
final class FaultPlan {

    /** Any subscription, or any operation where null stands for it. */
    static final String ANY = "*";

    private final List<Rule> rules = new ArrayList<>();
    private FaultRates rates;

    FaultPlan(FaultRates rates) {
        this.rates = rates;
    }

    private static final class Rule {
        private final Operation operation;
        private final String subscription;
        private final int nth;
        private final Fault fault;
        private int seen;

        Rule(Operation operation, String subscription, int nth, Fault fault) {
            this.operation = operation;
            this.subscription = subscription;
            this.nth = nth;
            this.fault = fault;
        }

        /** Whether this is the call it speaks of; nth 0 speaks of all. */
        boolean strikes(Operation called, String caller) {
            boolean meant = (operation == null || operation == called) && fault.kind().suits(called)
                    && (subscription.equals(ANY) || subscription.equals(caller) || caller.endsWith("/" + subscription));
            if (meant) {
                seen++;
            }
            return meant && (nth == 0 || seen == nth);
        }
    }

    void add(Operation operation, String subscription, int nth, Fault fault) {
        if (operation != null && !fault.kind().suits(operation)) {
            throw new IllegalArgumentException(fault.kind() + " does not suit " + operation);
        }
        rules.add(new Rule(operation, subscription, nth, fault));
    }

    Fault decide(Operation operation, String subscription, SplittableRandom random) {
        Fault scripted = null;
        for (Rule rule : rules) {
            if (rule.strikes(operation, subscription) && scripted == null) {
                scripted = rule.fault;
            }
        }
        return scripted != null ? scripted : rates.draw(operation, random);
    }

    boolean drawThrow(SplittableRandom random) {
        return rates.drawThrow(random);
    }

    long usualMillis(SplittableRandom random) {
        return rates.usualMillis(random);
    }

    void heal() {
        rules.clear();
        rates = FaultRates.none();
    }

    void endScript() {
        rules.clear();
    }

    void setRates(FaultRates newRates) {
        rates = newRates;
    }
}
