/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

/** Where a class comes from, told by its name. */
final class Origin {

    private static final String[] BROKER = {"org/apache/pulsar/", "org/apache/bookkeeper/", "io/netty/", "org/slf4j/",
        "io/prometheus/"};

    private Origin() {
    }

    /** The broker or one of its libraries that the drop-in jar is built on. */
    static boolean isBroker(String name) {
        for (String prefix : BROKER) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** What the compiler has checked already; the other packages a JDK may have are resolved like any class. */
    static boolean isJdk(String name) {
        return name.startsWith("java/");
    }
}
