/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

/**
 * A broker that had the topic before deletes nothing that its owner goes by: not for a while after the owner has read the record,
 * and never again once the owner has written it.
 */
final class OwnersLedgersStay extends Invariant {

    @Override
    boolean watchesEvents() {
        return true;
    }

    @Override
    void afterEvent(World world) {
        world.brokers().twoOwners().ifPresent(owners -> {
            owners.look();
            for (BrokerLife life : world.brokers().living()) {
                life.buckets().ifPresent(buckets -> buckets.storage().takeDeleted().forEach(ledgerId ->
                        owners.whatIsWrongAbout(life, ledgerId).ifPresent(wrong -> require(false, world,
                                "a former owner has deleted ledger %d: %s", ledgerId, wrong))));
            }
        });
    }
}
