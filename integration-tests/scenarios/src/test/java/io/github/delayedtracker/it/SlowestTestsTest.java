/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlowestTestsTest {

    @TempDir
    private Path project;

    private void report(String module, String folder, String file, String cases) throws Exception {
        Path reports = Files.createDirectories(project.resolve(module).resolve("target").resolve(folder));
        Files.writeString(reports.resolve(file), "<?xml version=\"1.0\"?><testsuite>" + cases + "</testsuite>");
    }

    @Test
    void theSlowestTestsOfAllModulesAreShownTheSlowestFirst() throws Exception {
        report("a", "surefire-reports", "TEST-a.OneTest.xml", "<testcase name=\"fast\" classname=\"a.OneTest\" time=\"0.01\"/>"
                + "<testcase name=\"slow\" classname=\"a.OneTest\" time=\"1,234.5\"/>");
        report("b", "failsafe-reports", "TEST-b.TwoIT.xml", "<testcase name=\"middle\" classname=\"b.TwoIT\" time=\"7\"/>");
        report("b", "failsafe-reports", "failsafe-summary.xml", "<testcase name=\"none\" classname=\"none\" time=\"9999\"/>");
        assertEquals(List.of("  1234.5 s  OneTest.slow", "     7.0 s  TwoIT.middle"), SlowestTests.slowest(project, 2));
    }
}
