/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run cuts and fills, where this machine lets it; nothing of it is seen outside. */
class OwnNamespacesTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void theMachineLetsIt() throws Exception {
        assumeTrue(OwnNamespaces.arePossible());
    }

    @Test
    void aLinkThatIsCutLetsNothingThroughUntilItIsMended() throws Exception {
        assertEquals(0, OwnNamespaces.run(NamespacesProbe.class, "cut"));
    }

    @Test
    void aSmallDiskIsFullUntilItIsEmptiedAndGoesWhenItIsClosed() throws Exception {
        Path disk = folder.resolve("disk");
        assertEquals(0, OwnNamespaces.run(NamespacesProbe.class, "fill", disk.toString()));
        assertFalse(Files.exists(disk));
    }
}
