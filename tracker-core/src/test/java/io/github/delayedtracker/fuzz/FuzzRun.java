/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.fuzz;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program that has Jazzer look for inputs that break the fuzz targets of one module, one target after the other, each in a
 * JVM of its own and for the same time. Prints a line for each. An input that breaks one goes to the target's inputs among the
 * resources, so that the next build fails, and the program ends with 1.
 */
public final class FuzzRun {

    private static final String ENDING = "FuzzTest.class";
    /** The tool reads the files that its user names, and a target's folder is one. */
    private static final String DISABLED = "com.code_intelligence.jazzer.sanitizers.FilePathTraversal";
    private static final Pattern EXECUTED = Pattern.compile("number_of_executed_units: (\\d+)");
    private static final Pattern COVERED = Pattern.compile("cov: (\\d+) ft: (\\d+) corp: (\\d+)");
    private static final int SHOWN_LINES = 40;

    private final Path module;
    private final Class<?> target;
    private final Path work;

    private FuzzRun(Path module, Class<?> target) {
        this.module = module;
        this.target = target;
        work = module.resolve("target/fuzz").resolve(target.getSimpleName());
    }

    /** Takes the folder of the module, the seconds for each target, and part of the name of those that are meant. */
    public static void main(String[] arguments) throws Exception {
        Path module = Path.of(arguments[0]);
        int seconds = Integer.parseInt(arguments[1]);
        String named = arguments.length > 2 ? arguments[2] : "";
        boolean broken = false;
        for (Class<?> target : targets(module.resolve("target/test-classes"), named)) {
            broken |= new FuzzRun(module, target).breaks(seconds);
        }
        System.exit(broken ? 1 : 0);
    }

    private static List<Class<?>> targets(Path classes, String named) throws IOException, ClassNotFoundException {
        List<Class<?>> targets = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(each -> each.toString().endsWith(ENDING)).sorted().toList()) {
                String name = classes.relativize(file).toString().replace(File.separatorChar, '.');
                Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()), false,
                        FuzzRun.class.getClassLoader());
                if (FuzzTarget.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())
                        && name.contains(named)) {
                    targets.add(type);
                }
            }
        }
        return targets;
    }

    private boolean breaks(int seconds) throws Exception {
        Path seeds = Files.createDirectories(work.resolve("seeds"));
        int number = 0;
        for (byte[] seed : FuzzEntry.target(target).seeds()) {
            Files.write(seeds.resolve("seed-" + number++), seed);
        }
        Path kept = Files.createDirectories(module.resolve("src/test/resources")
                .resolve(target.getPackageName().replace('.', '/')).resolve(FuzzTarget.inputsOf(target)));
        Path log = work.resolve("log");
        Process run = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g",
                "-XX:+EnableDynamicAgentLoading", "-cp", System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer", "--target_class=" + FuzzEntry.class.getName(),
                "--target_args=" + target.getName(), "--instrumentation_includes=io.github.delayedtracker.**",
                "--disabled_hooks=" + DISABLED, "--reproducer_path=" + work, "-max_total_time=" + seconds, "-timeout=20",
                "-rss_limit_mb=0", "-print_final_stats=1", "-artifact_prefix=" + kept + File.separator,
                Files.createDirectories(work.resolve("corpus")).toString(), kept.toString(), seeds.toString())
                .redirectErrorStream(true).redirectOutput(log.toFile()).start();
        int code = run.waitFor();
        String printed = Files.readString(log, StandardCharsets.ISO_8859_1);
        System.out.printf("%s: %d s, %s inputs, %s edges, %s features, corpus of %s: %s%n", target.getSimpleName(), seconds,
                last(EXECUTED, 1, printed), last(COVERED, 1, printed), last(COVERED, 2, printed), last(COVERED, 3, printed),
                code == 0 ? "nothing found" : "BROKEN, see " + log);
        if (code != 0) {
            printed.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).skip(1).limit(SHOWN_LINES)
                    .forEach(System.out::println);
        }
        return code != 0;
    }

    private static String last(Pattern pattern, int group, String text) {
        String found = "?";
        for (Matcher matcher = pattern.matcher(text); matcher.find();) {
            found = matcher.group(group);
        }
        return found;
    }
}
