/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.CallPath;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How far a seal and a recovery go and how often they take the lock, as told in docs/architecture.md.
 * By itself: threads that other tests have left would count.
 */
@EnabledIfSystemProperty(named = "paths.count", matches = "true")
class PathsTest {

    private final ServiceRig rig = new ServiceRig();
    private final ServiceRig.Subscription one = rig.open();

    private void seal() {
        one.addFar(ServiceRig.SEAL);
        rig.run(ServiceRig.PAUSE_MILLIS);
    }

    @Test
    void aTailIsSealed() throws IOException {
        seal();
        CallPath.check("a tail of 100 positions is sealed, with the adds and all that follows within a minute", this::seal);
    }

    @Test
    void bucketsAreRecovered() throws IOException {
        seal();
        seal();
        CallPath.check("two buckets are recovered, from the close of a tracker to a minute after the start of the next", () -> {
            rig.reload(one, () -> { });
            rig.run(ServiceRig.PAUSE_MILLIS);
        });
    }
}
