/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** The network of a machine that lets a run have no other. */
class LoopbackNetworkTest {

    @Test
    void aProgramOutsideIsToldSoAndHasNoLinks() {
        assertFalse(OwnNamespaces.areHere());
        assertEquals("a server on the loopback address has no link: broker-0", assertThrows(
                UnsupportedOperationException.class,
                () -> new LoopbackNetwork().cut("broker-0", ClusterNetwork.Side.FRONT)).getMessage());
    }
}
