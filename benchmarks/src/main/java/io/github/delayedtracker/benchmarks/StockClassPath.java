/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The class path of a stock tracker, and the class loader that keeps its classes apart from ours.
 *
 * <p>The system property {@code delayed.classpath.4.0} or {@code delayed.classpath.4.2} names a directory of jars or a file that
 * holds one class path. Without it the directory {@code stock/4.0} or {@code stock/4.2} beside the benchmark jar is taken, which
 * the build of this module fills.
 */
final class StockClassPath {

    private StockClassPath() {
    }

    /** The place where the class path of a broker line is looked for, whether it is there or not. */
    static Path location(String line) {
        String configured = System.getProperty("delayed.classpath." + line);
        return configured != null ? Path.of(configured) : ownDirectory().resolve("stock").resolve(line);
    }

    /** A loader of the given broker line whose only parent is the platform, or nothing if there is no class path. */
    static Optional<ClassLoader> loader(String line) {
        Path location = location(line);
        if (!Files.exists(location)) {
            return Optional.empty();
        }
        try {
            List<URL> urls = new ArrayList<>();
            for (Path jar : Files.isDirectory(location) ? listed(location) : named(location)) {
                urls.add(jar.toUri().toURL());
            }
            return Optional.of(new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()));
        } catch (IOException e) {
            throw new UncheckedIOException("class path of broker line " + line + " at " + location, e);
        }
    }

    private static List<Path> listed(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> entry.toString().endsWith(".jar")).sorted().toList();
        }
    }

    private static List<Path> named(Path file) throws IOException {
        return Stream.of(Files.readString(file).strip().split(File.pathSeparator)).map(Path::of).toList();
    }

    /** The build directory: that of the benchmark jar, or the parent of the classes directory. */
    private static Path ownDirectory() {
        try {
            Path source = Path.of(StockClassPath.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return source.toAbsolutePath().getParent();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("code source of the benchmarks is no path", e);
        }
    }
}
