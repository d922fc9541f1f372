/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * .ci/vulnerabilities with a database on this machine, the comparison of .ci/reproducible, and the commands of docs/release.md
 * for who has a download.
 */
class ReleaseScriptsTest {

    private static final String SBOM = """
            {"bomFormat": "CycloneDX", "components": [
              {"purl": "pkg:maven/io.github.delayedtracker/tracker-core@0.1.0?type=jar"},
              {"purl": "pkg:maven/org.example/two@2.0?type=jar"},
              {"purl": "pkg:maven/org.example/one@1.0?type=jar"}]}
            """;

    @TempDir
    private Path folder;
    private final BlockingQueue<String> questions = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private HttpServer database;
    private String address;
    private Path sbom;
    private String output = "";

    @BeforeEach
    void anSbomAndADatabase() throws IOException {
        sbom = Files.writeString(folder.resolve("sbom.json"), SBOM);
        database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        database.createContext("/v1/querybatch", this::answer);
        database.start();
        address = "http://127.0.0.1:" + database.getAddress().getPort() + "/";
    }

    @AfterEach
    void stop() {
        database.stop(0);
    }

    /** With the next answer that is prepared, or as a database that is out of order. */
    private void answer(HttpExchange exchange) throws IOException {
        questions.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String next = answers.poll();
        byte[] body = next == null ? new byte[0] : next.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(next == null ? 500 : 200, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private int run(String interpreter, String script, Path... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(interpreter);
        command.add(DocsPage.projectRoot().resolve(".ci").resolve(script).toString());
        for (Path argument : arguments) {
            command.add(argument.toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
        builder.environment().put("OSV_URL", address);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return abort("no " + interpreter + " on this machine");
        }
        output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    private int vulnerabilities() throws Exception {
        return run("python3", "vulnerabilities", sbom);
    }

    @Test
    void theLibrariesOfTheSbomAreAskedForAndNotOurOwnModules() throws Exception {
        answers.add("{\"results\": [{}, {}]}");
        assertEquals(0, vulnerabilities(), () -> output);
        String question = questions.remove();
        assertTrue(question.contains("\"pkg:maven/org.example/one@1.0\""), question);
        assertTrue(question.contains("\"pkg:maven/org.example/two@2.0\""), question);
        assertFalse(question.contains("delayedtracker"), question);
        assertTrue(output.contains("vulnerabilities: 0 known in 2 libraries"), () -> output);
    }

    @Test
    void aVulnerabilityThatIsKnownIsNamedAlsoFromASecondPage() throws Exception {
        answers.add("{\"results\": [{}, {\"vulns\": [{\"id\": \"GHSA-1\"}], \"next_page_token\": \"more\"}]}");
        answers.add("{\"results\": [{\"vulns\": [{\"id\": \"GHSA-2\"}]}]}");
        assertEquals(1, vulnerabilities(), () -> output);
        assertTrue(output.contains("pkg:maven/org.example/one@1.0: none known\n"), () -> output);
        assertTrue(output.contains("pkg:maven/org.example/two@2.0: GHSA-1, GHSA-2\n"), () -> output);
        questions.remove();
        assertTrue(questions.remove().contains("\"page_token\": \"more\""));
    }

    @Test
    void anAddressThatIsNoneIsWrongInput() throws Exception {
        for (String wrong : new String[] {"http://[::1", "http:///path", "http://host:99999", "ftp://host"}) {
            address = wrong;
            assertEquals(2, vulnerabilities(), () -> output);
            assertEquals("vulnerabilities: OSV_URL is no address: " + wrong, output.strip());
        }
    }

    @Test
    void withoutDataItSaysSoInOneLine() throws Exception {
        for (String answer : new String[] {"", "{\"results\": [{}]}", "<html>", "[]", "{\"results\": [1, 2]}"}) {
            answers.add(answer);
            assertEquals(3, vulnerabilities(), () -> answer + ": " + output);
            assertTrue(output.startsWith("vulnerabilities: not checked: ") && output.lines().count() == 1, () -> output);
        }
        assertEquals(3, vulnerabilities(), () -> "out of order: " + output);
        database.stop(0);
        assertEquals(3, vulnerabilities(), () -> "nobody there: " + output);
        assertTrue(output.startsWith("vulnerabilities: not checked: ") && output.lines().count() == 1, () -> output);
    }

    @Test
    void anSbomThatCannotBeReadIsAnErrorOfItsOwn() throws Exception {
        for (String content : new String[] {"", "{}", "[]", "{\"components\": [{}]}", "{\"components\": []}"}) {
            Files.writeString(sbom, content);
            assertEquals(2, vulnerabilities(), () -> content + ": " + output);
        }
        Files.delete(sbom);
        assertEquals(2, vulnerabilities(), () -> output);
        assertTrue(questions.isEmpty());
    }

    @Test
    void theComparisonNamesTheFileThatDiffers() throws Exception {
        Path first = Files.createDirectories(folder.resolve("first"));
        Path second = Files.createDirectories(folder.resolve("second"));
        Files.writeString(first.resolve("a.json"), "a");
        Files.writeString(second.resolve("a.json"), "a");
        Path compare = Path.of("--compare");
        assertEquals(0, run("bash", "reproducible", compare, first, second), () -> output);
        Files.writeString(first.resolve("b.json"), "b");
        assertEquals(1, run("bash", "reproducible", compare, first, second), () -> output);
        assertEquals("reproducible: only one build made b.json\n", output);
        Files.writeString(second.resolve("b.json"), "c");
        assertEquals(1, run("bash", "reproducible", compare, first, second), () -> output);
        assertEquals("reproducible: the builds differ in b.json\n", output);
        assertEquals(2, run("bash", "reproducible", compare, first, folder.resolve("third")), () -> output);
    }

    /** As written, in a folder that has the script, with the download in another folder. */
    private int asWritten(String begin, Path place) throws Exception {
        String command = DocCommands.of("docs/release.md").stream().filter(line -> line.startsWith(begin)).findFirst()
                .orElseThrow().replace("/path/to/download", folder.resolve("download").toString());
        Process process = new ProcessBuilder("bash", "-c", command).directory(place.toFile()).redirectErrorStream(true).start();
        output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    @Test
    void aDownloadIsCheckedAndComparedByTheCommandsOfThePage() throws Exception {
        Path script = Files.createDirectories(folder.resolve(".ci")).resolve("reproducible");
        Files.copy(DocsPage.projectRoot().resolve(".ci/reproducible"), script, StandardCopyOption.COPY_ATTRIBUTES);
        byte[] file = {1, 2, 3};
        String sum = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(file)) + "  tracker.jar\n";
        for (String place : List.of("target/release", "download")) {
            Path made = Files.createDirectories(folder.resolve(place));
            Files.write(made.resolve("tracker.jar"), file);
            Files.writeString(made.resolve("tracker.jar.sha512"), sum);
        }
        Path download = folder.resolve("download");
        assertEquals(0, asWritten("sha512sum -c", download), () -> output);
        assertEquals(0, asWritten(".ci/reproducible --compare", folder), () -> output);
        Files.write(download.resolve("tracker.jar"), new byte[] {1, 2, 4});
        assertEquals(1, asWritten("sha512sum -c", download), () -> output);
        assertEquals(1, asWritten(".ci/reproducible --compare", folder), () -> output);
    }
}
