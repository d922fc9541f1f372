/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator.bugs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles one source text in memory against the class path of the test, one after the other. Thread safe. */
final class SourceCompiler implements AutoCloseable {

    private static final List<String> OPTIONS = List.of("-proc:none", "-nowarn", "-Xlint:none");

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    // Kept for all: opening the jars of the class path takes longer than compiling a class.
    private final JavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);

    /** The class files by class name. */
    synchronized Map<String, byte[]> compile(String className, String sourceText) {
        Map<String, ByteArrayOutputStream> compiled = new HashMap<>();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        boolean done = compiler.getTask(null, collecting(compiled), problems, OPTIONS, null,
                List.of(source(className, sourceText))).call();
        if (!done) {
            StringBuilder text = new StringBuilder("does not compile: " + className);
            for (Diagnostic<?> problem : problems.getDiagnostics()) {
                text.append("\nline ").append(problem.getLineNumber()).append(": ").append(problem.getMessage(Locale.ROOT));
            }
            throw new IllegalStateException(text.toString());
        }
        Map<String, byte[]> classes = new HashMap<>();
        compiled.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    private JavaFileManager collecting(Map<String, ByteArrayOutputStream> compiled) {
        return new ForwardingJavaFileManager<>(files) {
            @Override
            public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
                    FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        ByteArrayOutputStream out = new ByteArrayOutputStream();
                        compiled.put(name, out);
                        return out;
                    }
                };
            }
        };
    }

    private static JavaFileObject source(String className, String text) {
        URI uri = URI.create("memory:///" + className.replace('.', '/') + JavaFileObject.Kind.SOURCE.extension);
        return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }

    @Override
    public void close() {
        try {
            files.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
