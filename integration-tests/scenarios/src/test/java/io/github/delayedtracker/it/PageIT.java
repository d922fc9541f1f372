/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page of the standalone job, started as a user does, in a real browser. */
class PageIT {

    private static final int MESSAGES = 300;
    private static final String TOPIC = "persistent://public/default/reminders";
    private static final Pattern PAGE = Pattern.compile("Open this page.*: (http://\\S+)/#(\\S+)");
    private static final Pattern ADMIN = Pattern.compile("Broker: \\S+, (http://[^;]+);");
    private static final double READABLE_CONTRAST = 4.5;
    private static final long PATIENCE_MILLIS = 60_000;

    private static Process job;
    private static String page;
    private static String token;
    private static CommandClient commands;

    @BeforeAll
    static void startTheJob() throws Exception {
        List<String> command = new ArrayList<>(List.of(Harness.ownJavaHome().resolve("bin/java").toString(), "-Xmx512m"));
        command.addAll(Harness.openOptions());
        command.addAll(List.of("-Dit.module=" + Harness.module(), "-Dit.opens=" + System.getProperty("it.opens"),
                "-Ddelayed.messages=" + MESSAGES, "-Ddelayed.ui=true", "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                StandaloneRun.class.getName()));
        job = new ProcessBuilder(command).redirectErrorStream(true).start();
        ProcessBroker.endWithThisJvm(job);
        BufferedReader output = job.inputReader(StandardCharsets.UTF_8);
        StringBuilder seen = new StringBuilder();
        String line;
        while (page == null && (line = output.readLine()) != null) {
            seen.append(line).append('\n');
            Matcher admin = ADMIN.matcher(line);
            if (admin.find()) {
                commands = new CommandClient(admin.group(1));
            }
            Matcher address = PAGE.matcher(line);
            if (address.matches()) {
                page = address.group(1);
                token = address.group(2);
            }
        }
        assertTrue(page != null && commands != null, () -> "the job has printed\n" + seen);
        Await.until(PATIENCE_MILLIS, () -> "all are scheduled", () -> scheduled().size() > MESSAGES / 2);
    }

    @AfterAll
    static void endTheJob() throws Exception {
        if (job != null) {
            ProcessBroker.destroy(job);
            job.waitFor();
        }
    }

    private static Browser browser() {
        Optional<Browser> browser = Browser.start(1200, 1000);
        assumeTrue(browser.isPresent(), () -> OnABroker.skipped("PageIT", "Chromium and its driver are not installed"));
        return browser.orElseThrow();
    }

    private static Browser browserWithThePage() throws Exception {
        Browser browser = browser();
        try {
            browser.open(page + "/#" + token);
            Await.until(PATIENCE_MILLIS, () -> "the page lists messages: " + browser.text("body") + browser.complaints(),
                    () -> browser.all("#rows tr").size() >= 20 && !browser.all("#pace polyline").isEmpty());
            return browser;
        } catch (Exception | Error e) {
            browser.close();
            throw e;
        }
    }

    /** The ids of all that is scheduled, as the broker has them. */
    private static NavigableSet<String> scheduled() throws IOException, InterruptedException {
        NavigableSet<String> ids = new TreeSet<>();
        CommandClient.Reply reply = commands.get(TOPIC, "list?subscription=run&limit=10000");
        if (reply.status() == 200) {
            for (JsonNode message : reply.json().path("subscriptions").path(0).path("messages")) {
                ids.add(message.path("id").asText());
            }
        }
        return ids;
    }

    /** Sends a request as it is, and gives the answer's status line and body. */
    private static String raw(String method, String path, Map<String, String> headers) throws IOException {
        URI address = URI.create(page);
        StringBuilder request = new StringBuilder(method).append(' ').append(path).append(" HTTP/1.1\r\nConnection: close\r\n");
        headers.forEach((name, value) -> request.append(name).append(": ").append(value).append("\r\n"));
        try (Socket socket = new Socket(address.getHost(), address.getPort());
                OutputStream out = socket.getOutputStream(); InputStream in = socket.getInputStream()) {
            out.write(request.append("Content-Length: 0\r\n\r\n").toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void itShowsTheScheduleThePaceTheMemoryAndTheStateInWords() throws Exception {
        try (Browser browser = browserWithThePage()) {
            assertTrue(Integer.parseInt(browser.text("#scheduled")) > MESSAGES / 2, () -> browser.text("#scheduled"));
            String words = browser.text("#words");
            assertTrue(words.contains("messages wait for their time; the next is due in")
                    && words.contains("Backend timebucket, due times kept to 512 ms."), words);
            // All are due within the ten minutes that it looks ahead, and so few that they are counted one by one.
            Object barsMiss = browser.run("const shown = Number(document.querySelector('#scheduled').textContent);"
                    + "const label = document.querySelector('#due').getAttribute('aria-label');"
                    + "const [, late, due] = label.match(/^(\\d+) .*; (\\d+) /);"
                    + "return Math.abs(shown - late - due);");
            assertTrue(((Number) barsMiss).intValue() <= 3 && browser.all("#due rect.bar").size() > 10,
                    () -> browser.text("#scheduled") + " scheduled, and the bars miss " + barsMiss);
            assertEquals("", browser.text("#coarse"));
            Await.until(PATIENCE_MILLIS, () -> "the index takes less than the stock heap: " + browser.text("#memory"),
                    () -> bytes(browser, "#bytes") > 0 && bytes(browser, "#stock") >= 24 * MESSAGES / 2
                            && bytes(browser, "#bytes") < bytes(browser, "#stock"));
            assertEquals(page + "/", browser.run("return location.href"), "the token stays in the address");
            assertEquals(List.of(), browser.run("return performance.getEntriesByType('resource').map(r => r.name)"
                    + ".filter(name => !name.startsWith(location.origin + '/') && !name.startsWith('data:'))"));
            assertEquals(List.of(), browser.complaints());
        }
    }

    private static double bytes(Browser browser, String selector) {
        String[] text = browser.text(selector).split(" ");
        return Double.parseDouble(text[0]) * (text[1].equals("B") ? 1 : 1024);
    }

    @Test
    void aClickAndASecondClickCancelOneMessage() throws Exception {
        try (Browser browser = browserWithThePage()) {
            List<WebElement> rows = browser.all("#rows tr");
            WebElement row = rows.get(rows.size() - 1);
            String id = (String) browser.run("return arguments[0].dataset.id", row);
            WebElement button = row.findElement(By.tagName("button"));
            button.click();
            assertEquals("Sure? Cancel", button.getText());
            assertTrue(scheduled().contains(id), "one click has cancelled it");
            button.click();
            Await.until(PATIENCE_MILLIS, () -> "the answer is shown: " + browser.text("#answer"),
                    () -> browser.text("#answer").equals(id + ": cancelled"));
            assertFalse(scheduled().contains(id));
        }
    }

    @Test
    void theKeyboardIsEnough() throws Exception {
        try (Browser browser = browserWithThePage()) {
            browser.run("document.body.focus()");
            WebElement focused = (WebElement) browser.run("return document.activeElement");
            int tabs = 0;
            while (!focused.getTagName().equals("button") && tabs++ < 10) {
                focused.sendKeys(Keys.TAB);
                focused = (WebElement) browser.run("return document.activeElement");
            }
            // The first row may be due before it is cancelled: further down by the keyboard too.
            for (int i = 0; i < 15; i++) {
                focused.sendKeys(Keys.TAB);
                focused = (WebElement) browser.run("return document.activeElement");
            }
            assertEquals("button", focused.getTagName());
            assertFalse(((String) browser.run("return getComputedStyle(document.activeElement).outlineStyle")).equals("none"),
                    "the focus is not seen");
            String id = (String) browser.run("return document.activeElement.closest('tr').dataset.id");
            focused.sendKeys(Keys.ENTER);
            focused.sendKeys(Keys.ENTER);
            Await.until(PATIENCE_MILLIS, () -> "the answer is shown: " + browser.text("#answer"),
                    () -> browser.text("#answer").equals(id + ": cancelled"));
        }
    }

    @Test
    void itCanBeReadInTheDarkAndOnAPhone() throws Exception {
        try (Browser browser = browserWithThePage()) {
            Files.write(Harness.target().resolve("page.png"), browser.picture());
            List<Double> lightness = new ArrayList<>();
            for (String scheme : List.of("light", "dark")) {
                browser.scheme(scheme);
                for (String selector : List.of("h1", "#words li", ".figure", "#rows td", "th", "#rows button", "#clock")) {
                    double contrast = browser.contrast(selector);
                    assertTrue(contrast >= READABLE_CONTRAST, () -> selector + " in " + scheme + ": contrast " + contrast);
                }
                lightness.add(browser.luminanceBehind("body"));
            }
            assertTrue(lightness.get(0) > 0.8 && lightness.get(1) < 0.1, lightness::toString);
            browser.screen(360, 740);
            assertEquals(360L, browser.run("return Math.max(document.documentElement.scrollWidth, innerWidth)"),
                    "the page is wider than a phone");
        }
    }

    @Test
    void foreignPagesCanNeitherLookNorCancel() throws Exception {
        String own = URI.create(page).getAuthority();
        String id = scheduled().last();
        String cancel = "/api/cancel?subscription=run&topic=" + TOPIC + "&id=" + id;
        String look = "/api/subscriptions";
        assertTrue(raw("GET", look, Map.of("Host", own, "X-Page-Token", token)).startsWith("HTTP/1.1 200"));
        for (Map<String, String> foreign : List.of(
                Map.of("Host", "attacker.example", "Origin", page, "X-Page-Token", token),
                Map.of("Host", own, "Origin", "http://attacker.example", "X-Page-Token", token),
                Map.of("Host", own, "Origin", "null", "X-Page-Token", token),
                Map.of("Host", own, "Origin", page), Map.of("Host", own, "Origin", page, "X-Page-Token", "guessed"))) {
            assertTrue(raw("GET", look, foreign).startsWith("HTTP/1.1 403"), foreign::toString);
            assertTrue(raw("POST", cancel, foreign).startsWith("HTTP/1.1 403"), foreign::toString);
        }
        Map<String, String> known = Map.of("Host", own, "Origin", page, "X-Page-Token", token);
        assertTrue(raw("GET", cancel, known).startsWith("HTTP/1.1 405"), "a look has changed something");
        assertTrue(raw("POST", cancel + "%0A1:1", known).startsWith("HTTP/1.1 400"), "two ids in one");
        assertTrue(raw("GET", "/api/state?topic=persistent://a/b/../../../x&subscription=run", known).startsWith("HTTP/1.1 400"));
        assertTrue(raw("GET", "/../page.html", known).startsWith("HTTP/1.1 404"));
        assertTrue(scheduled().contains(id));
    }

    @Test
    void aBrokerHasNothingOfThePage() throws Exception {
        try (JarFile jar = new JarFile(Harness.pluginJar().toFile())) {
            assertEquals(List.of(), jar.stream().map(entry -> entry.getName()).filter(name -> name.contains("/it/")
                    || name.endsWith(".html")).toList());
        }
    }
}
