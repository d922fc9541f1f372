/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;

/** Classes by name, from jars in order, parsed when asked for, with those of the running JDK behind them. */
final class ClassPath {

    private final Map<String, Path> jarOfClass = new HashMap<>();
    private final Map<String, Optional<ClassFile>> parsed = new HashMap<>();

    ClassPath(List<Path> jars) throws IOException {
        for (Path jar : jars) {
            if (Files.isRegularFile(jar) && jar.toString().endsWith(".jar")) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    file.stream().map(entry -> entry.getName()).filter(name -> name.endsWith(".class"))
                            .forEach(name -> jarOfClass.putIfAbsent(name.substring(0, name.length() - 6), jar));
                }
            }
        }
    }

    /** Every class of one of the jars. */
    Collection<ClassFile> classesOf(Path jar) throws IOException {
        List<ClassFile> classes = new ArrayList<>();
        for (Map.Entry<String, Path> entry : jarOfClass.entrySet()) {
            if (entry.getValue().equals(jar)) {
                classes.add(find(entry.getKey()).orElseThrow());
            }
        }
        return classes;
    }

    Optional<ClassFile> find(String name) throws IOException {
        Optional<ClassFile> known = parsed.get(name);
        if (known == null) {
            known = parse(name);
            parsed.put(name, known);
        }
        return known;
    }

    private Optional<ClassFile> parse(String name) throws IOException {
        Path jar = jarOfClass.get(name);
        if (jar != null) {
            try (JarFile file = new JarFile(jar.toFile());
                    InputStream in = file.getInputStream(file.getJarEntry(name + ".class"))) {
                return Optional.of(new ClassFile(in.readAllBytes()));
            }
        }
        try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
            return in == null ? Optional.empty() : Optional.of(new ClassFile(in.readAllBytes()));
        }
    }
}
