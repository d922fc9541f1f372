/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests of commands, each against a web server of its own. */
abstract class AgainstRig {

    static final String ORDERS = "/admin/delayed/v1/persistent/public/default/orders/";

    AdminRig rig;

    @BeforeEach
    final void start() throws Exception {
        rig = new AdminRig();
    }

    @AfterEach
    final void stop() {
        rig.close();
    }

    /** Paths and queries of all requests so far. */
    final List<String> uris() {
        return rig.seen.stream().map(AdminRig.Seen::uri).toList();
    }
}
