/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.cluster;

import java.util.OptionalLong;

/** What bookies have told the cluster's metadata store of themselves. */
@FunctionalInterface
interface BookieRegistrations {

    /**
     * Since when a bookie offers itself to be written to, epoch milliseconds by the clock of the metadata store; empty if it does
     * not. Asks the store past every cache.
     *
     * @param bookie its address and port
     * @throws Exception if the store does not answer
     */
    OptionalLong sinceMillis(String bookie) throws Exception;
}
