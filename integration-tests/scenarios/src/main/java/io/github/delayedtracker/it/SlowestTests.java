/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Prints the ten tests of a build that took longest, from the reports that all its modules have written. Run by the last
 * module: {@code SlowestTests <folder of the project>}.
 */
final class SlowestTests {

    private static final int SHOWN = 10;

    private record Timed(double seconds, String name) {
    }

    private SlowestTests() {
    }

    public static void main(String[] arguments) throws Exception {
        List<String> lines = slowest(Path.of(arguments[0]), SHOWN);
        System.out.println("Slowest tests:");
        lines.forEach(System.out::println);
    }

    /** A line each for the slowest tests reported below a folder, the slowest first. */
    static List<String> slowest(Path project, int most) throws IOException, ParserConfigurationException, SAXException {
        List<Path> reports;
        try (Stream<Path> files = Files.walk(project)) {
            reports = files.filter(SlowestTests::isReport).toList();
        }
        List<Timed> tests = new ArrayList<>();
        for (Path report : reports) {
            read(report, tests);
        }
        return tests.stream().sorted(Comparator.comparingDouble(Timed::seconds).reversed()).limit(most)
                .map(test -> String.format(Locale.ROOT, "%8.1f s  %s", test.seconds(), test.name())).toList();
    }

    private static boolean isReport(Path file) {
        String folder = file.getParent().getFileName().toString();
        String name = file.getFileName().toString();
        return (folder.equals("surefire-reports") || folder.equals("failsafe-reports"))
                && name.startsWith("TEST-") && name.endsWith(".xml");
    }

    private static void read(Path report, List<Timed> into) throws IOException, ParserConfigurationException, SAXException {
        NodeList cases = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(report.toFile())
                .getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element each = (Element) cases.item(i);
            String type = each.getAttribute("classname");
            into.add(new Timed(Double.parseDouble(each.getAttribute("time").replace(",", "")),
                    type.substring(type.lastIndexOf('.') + 1) + '.' + each.getAttribute("name")));
        }
    }
}
