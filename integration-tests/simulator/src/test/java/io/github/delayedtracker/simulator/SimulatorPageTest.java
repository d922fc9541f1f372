/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/design/simulator.md works as it stands there, and is short. */
class SimulatorPageTest {

    private static final int LINES_OF_AN_EXAMPLE = 10;
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    @Test
    void theExampleOfThePageRunsAndBreaksNothing(@TempDir Path folder) throws IOException, ReflectiveOperationException {
        String page = Files.readString(Path.of("..", "..", "docs", "design", "simulator.md"));
        Matcher block = JAVA_BLOCK.matcher(page);
        assertTrue(block.find(), "the page has an example");
        String example = block.group(1);
        assertTrue(example.lines().count() <= LINES_OF_AN_EXAMPLE, "the example has at most ten lines");
        Path source = Files.writeString(folder.resolve("Example.java"), "import io.github.delayedtracker.simulator.*;\n"
                + "import java.util.Optional;\npublic class Example {\n"
                + "    public static Optional<Violation> run() {\n" + example + "        return broken;\n    }\n}\n");
        compile(source, folder);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            Object broken = loader.loadClass("Example").getMethod("run").invoke(null);
            assertEquals(Optional.empty(), broken);
        }
    }

    private static void compile(Path source, Path folder) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(messages, files, null, List.of("-proc:none", "-d", folder.toString(),
                    "-classpath", System.getProperty("java.class.path")), null, files.getJavaFileObjects(source)).call();
            assertTrue(compiled, messages::toString);
        }
    }
}
