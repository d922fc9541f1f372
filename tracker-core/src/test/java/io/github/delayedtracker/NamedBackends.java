/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import io.github.delayedtracker.index.DelayIndexProvider;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** Backends that a services file of a test names. */
final class NamedBackends {

    private NamedBackends() {
    }

    /** Finds the backends of these lines and no others, as the factory finds those of the class path. */
    static Backends load(Path folder, List<String> lines) throws IOException {
        URL names = Files.write(folder.resolve("providers"), lines).toUri().toURL();
        return Backends.load(new ClassLoader(NamedBackends.class.getClassLoader()) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.endsWith(DelayIndexProvider.class.getName())
                        ? Collections.enumeration(List.of(names)) : super.getResources(name);
            }
        });
    }
}
