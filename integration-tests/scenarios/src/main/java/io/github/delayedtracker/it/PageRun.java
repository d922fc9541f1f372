/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import io.github.delayedtracker.it.page.PageServer;

/**
 * The standalone job with a page: starts the plugin's broker and delayed messages that never end, and prints the address of a
 * page on which they can be watched and cancelled.
 */
final class PageRun {

    private PageRun() {
    }

    /**
     * Runs until this process is interrupted, or the build that started it ends.
     *
     * @param messages how many wait at any time, about
     * @param ratePerSecond how fast the first of them are sent
     */
    static void run(Broker broker, int messages, int ratePerSecond) throws Exception {
        System.out.println("Starting a broker: " + broker.name());
        try {
            broker.start();
            try (DemoTraffic traffic = DemoTraffic.start(broker.serviceUrl(), messages, ratePerSecond);
                    PageServer page = PageServer.start(broker.adminUrl(), 0)) {
                System.out.printf("Broker: %s, %s; its topic is %s%n", broker.serviceUrl(), broker.adminUrl(), traffic.topic());
                System.out.println("Open this page; interrupt to end it: " + page.url());
                StandaloneRun.untilTheEnd();
            }
        } finally {
            broker.close();
        }
    }
}
