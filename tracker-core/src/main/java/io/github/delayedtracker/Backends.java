/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.index.DelayIndexProvider;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The index backends found on the class path, by name. Immutable. */
final class Backends {

    private final Map<String, DelayIndexProvider> providers;

    private Backends(Map<String, DelayIndexProvider> providers) {
        this.providers = Collections.unmodifiableMap(providers);
    }

    /**
     * Finds them with {@link ServiceLoader}.
     *
     * @throws IllegalStateException if two backends have the same name
     */
    static Backends load(ClassLoader classLoader) {
        Map<String, DelayIndexProvider> found = new TreeMap<>();
        for (DelayIndexProvider provider : ServiceLoader.load(DelayIndexProvider.class, classLoader)) {
            DelayIndexProvider other = found.put(provider.backendName(), provider);
            if (other != null) {
                throw new IllegalStateException("index backend '" + provider.backendName() + "' is provided twice: by "
                        + other.getClass().getName() + " and " + provider.getClass().getName());
            }
        }
        return new Backends(found);
    }

    Collection<String> names() {
        return providers.keySet();
    }

    DelayIndexProvider get(String name) {
        DelayIndexProvider provider = providers.get(name);
        if (provider == null) {
            throw new IllegalArgumentException("no index backend '" + name + "', found: " + names());
        }
        return provider;
    }
}
