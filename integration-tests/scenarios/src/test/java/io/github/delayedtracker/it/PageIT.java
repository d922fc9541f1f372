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
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.SubscriptionType;
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
    /** Messages that stay where they are in the list while it is worked with. */
    private static final String LATER = "persistent://public/default/page-later";
    /** Messages that are due, and that nobody takes. */
    private static final String STUCK = "persistent://public/default/page-stuck";
    private static final int FEW = 40;
    private static final Pattern PAGE = Pattern.compile("Open this page.*: (http://\\S+)/#(\\S+)");
    private static final Pattern BROKER = Pattern.compile("Broker: (\\S+), (http://[^;]+);");
    private static final int PHONE_WIDTH = 390;
    private static final double READABLE_CONTRAST = 4.5;
    private static final long PATIENCE_MILLIS = 60_000;

    private static Process job;
    private static String page;
    private static String token;
    private static CommandClient commands;
    private static PulsarClient client;

    @BeforeAll
    static void startTheJob() throws Exception {
        List<String> command = new ArrayList<>(List.of(Harness.ownJavaHome().resolve("bin/java").toString(), "-Xmx512m"));
        command.addAll(Harness.openOptions());
        command.addAll(List.of("-Dit.module=" + Harness.module(), "-Dit.opens=" + System.getProperty("it.opens"),
                "-Ddelayed.messages=" + MESSAGES, "-Ddelayed.ui=true", "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                StandaloneRun.class.getName()));
        Path output = Harness.target().resolve("page-job.log");
        job = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        ProcessBroker.endWithThisJvm(job);
        Await.until(2 * PATIENCE_MILLIS, () -> "the job prints an address, and has printed\n" + read(output), () ->
                PAGE.matcher(read(output)).find() || !job.isAlive());
        Matcher broker = BROKER.matcher(read(output));
        Matcher address = PAGE.matcher(read(output));
        assertTrue(broker.find() && address.find(), () -> "the job has printed\n" + read(output));
        commands = new CommandClient(broker.group(2));
        page = address.group(1);
        token = address.group(2);
        client = PulsarClient.builder().serviceUrl(broker.group(1)).build();
        scheduled(LATER, 1000, 3_600_000);
        scheduled(STUCK, 1, 3_000);
        Await.until(PATIENCE_MILLIS, () -> "all are scheduled", () -> scheduled(TOPIC).size() > MESSAGES / 2
                && scheduled(LATER).size() == FEW);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A topic with a consumer that takes as many messages as its queue has room for, and delayed messages. */
    private static void scheduled(String topic, int queue, long delayMillis) throws Exception {
        client.newConsumer(Schema.STRING).topic(topic).subscriptionName("run").subscriptionType(SubscriptionType.Shared)
                .receiverQueueSize(queue).subscribe();
        try (Producer<String> producer = client.newProducer(Schema.STRING).topic(topic).create()) {
            for (int i = 0; i < FEW; i++) {
                producer.newMessage().value("m" + i).deliverAfter(delayMillis + i, TimeUnit.MILLISECONDS).send();
            }
        }
    }

    @AfterAll
    static void endTheJob() throws Exception {
        if (client != null) {
            client.close();
        }
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

    /** The page with one topic chosen, once it is shown. */
    private static Browser browserWith(String topic) throws Exception {
        Browser browser = browser();
        try {
            browser.open(page + "/#" + token);
            String option = "run of " + topic;
            Await.until(PATIENCE_MILLIS, () -> "the page knows " + topic + ": " + browser.text("body") + browser.complaints(),
                    () -> Boolean.TRUE.equals(browser.run("const select = document.querySelector('#subscription');"
                            + "select.value = arguments[0]; if (select.value !== arguments[0]) return false;"
                            + "select.dispatchEvent(new Event('change')); return true;", option)));
            Await.until(PATIENCE_MILLIS, () -> "the page shows " + topic + ": " + browser.text("body") + browser.complaints(),
                    () -> !browser.all("#words li").isEmpty() && !browser.all("#pace polyline").isEmpty());
            return browser;
        } catch (Exception | Error e) {
            browser.close();
            throw e;
        }
    }

    private static Browser browserWithRows() throws Exception {
        Browser browser = browserWith(LATER);
        Await.until(PATIENCE_MILLIS, () -> "the page lists messages: " + browser.text("#rows"),
                () -> browser.all("#rows tr").size() > FEW / 2);
        return browser;
    }

    /** The ids of all that is scheduled, as the broker has them. */
    private static NavigableSet<String> scheduled(String topic) throws IOException, InterruptedException {
        NavigableSet<String> ids = new TreeSet<>();
        CommandClient.Reply reply = commands.get(topic, "list?subscription=run&limit=10000");
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
        try (Browser browser = browserWith(TOPIC)) {
            assertTrue(Integer.parseInt(browser.text("#scheduled")) > MESSAGES / 2, () -> browser.text("#scheduled"));
            Await.until(PATIENCE_MILLIS, () -> "the state in words: " + browser.text("#words"), () ->
                    browser.text("#words").contains("messages wait for their time; the next is due in")
                            && browser.text("#words").contains("Backend timebucket, due times kept to 512 ms."));
            // All are due within the ten minutes that it looks ahead, and so few that they are counted one by one.
            Await.until(PATIENCE_MILLIS, () -> "the bars are all of " + browser.text("#scheduled") + ": " + bars(browser),
                    () -> bars(browser).equals("0 " + browser.text("#scheduled")) && browser.all("#due rect.bar").size() > 10);
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

    @Test
    void itSaysWhatIsDueAndWhyItIsNotTaken() throws Exception {
        try (Browser browser = browserWith(STUCK)) {
            Await.until(PATIENCE_MILLIS, () -> "all but one are due: " + browser.text("body"), () ->
                    Integer.parseInt(browser.text("#overdue")) == FEW - 1 && bars(browser).equals(FEW - 1 + " 0")
                            && browser.text("#words").contains(": no consumer is connected that asks for messages.")
                            && !browser.text("#behind").equals("0 ms"));
        }
    }

    /** How many messages the bars have that are overdue, and to come. */
    private static String bars(Browser browser) {
        return (String) browser.run("const label = document.querySelector('#due').getAttribute('aria-label');"
                + "const found = label.match(/^(\\d+) .*; (\\d+) /); return found ? found[1] + ' ' + found[2] : label;");
    }

    private static double bytes(Browser browser, String selector) {
        String[] text = browser.text(selector).split(" ");
        return Double.parseDouble(text[0]) * (text[1].equals("B") ? 1 : 1024);
    }

    @Test
    void aClickAndASecondClickCancelOneMessage() throws Exception {
        try (Browser browser = browserWithRows()) {
            WebElement row = browser.all("#rows tr").get(FEW / 4);
            String id = (String) browser.run("return arguments[0].dataset.id", row);
            WebElement button = row.findElement(By.tagName("button"));
            button.click();
            assertEquals("Sure? Cancel message " + id, button.getAttribute("aria-label"));
            assertTrue(scheduled(LATER).contains(id), "one click has cancelled it");
            Await.until(PATIENCE_MILLIS, () -> "the answer is shown: " + browser.text("#answer"), () -> {
                if (browser.text("#answer").isEmpty()) {
                    button.click();
                }
                return browser.text("#answer").equals(id + ": cancelled");
            });
            assertFalse(scheduled(LATER).contains(id));
        }
    }

    @Test
    void twoClicksAtOnceCancelNothing() throws Exception {
        try (Browser browser = browserWithRows()) {
            NavigableSet<String> before = scheduled(LATER);
            browser.run("const button = document.querySelectorAll('#rows button')[5]; button.click(); button.click();");
            Await.until(PATIENCE_MILLIS, () -> "the button rests again", () ->
                    browser.run("return document.querySelectorAll('#rows button.sure').length").equals(0L));
            assertEquals(before, scheduled(LATER));
            assertEquals("", browser.text("#answer"));
        }
    }

    @Test
    void theKeyboardIsEnough() throws Exception {
        try (Browser browser = browserWithRows()) {
            browser.run("document.body.focus()");
            int tabs = 0;
            while (tabs++ < 10 && !browser.run("return document.activeElement.tagName").equals("BUTTON")) {
                browser.press(Keys.TAB);
            }
            assertEquals("BUTTON", browser.run("return document.activeElement.tagName"));
            assertFalse(browser.run("return getComputedStyle(document.activeElement).outlineStyle").equals("none"),
                    "the focus is not seen");
            String id = (String) browser.run("return document.activeElement.closest('tr').dataset.id");
            browser.press(Keys.ENTER);
            Await.until(PATIENCE_MILLIS, () -> "the answer is shown: " + browser.text("#answer"), () -> {
                if (id.equals(browser.run("const row = document.activeElement.closest('tr'); return row && row.dataset.id"))) {
                    browser.press(Keys.ENTER);
                }
                return browser.text("#answer").equals(id + ": cancelled");
            });
            assertEquals("BUTTON", browser.run("return document.activeElement.tagName"), "the focus is lost");
        }
    }

    @Test
    void itCanBeReadInTheDarkAndOnAPhone() throws Exception {
        try (Browser browser = browserWithRows()) {
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
    void theButtonsToCancelAreSeenOnAPhone() throws Exception {
        try (Browser browser = browserWithRows()) {
            browser.screen(PHONE_WIDTH, 844);
            Await.until(PATIENCE_MILLIS, () -> "times are short: " + browser.text("#rows"), () ->
                    !browser.text("#rows td:nth-child(2)").contains("/"));
            assertSeen(browser, "");
            String button = "document.querySelector('#rows button').textContent = 'Sure? Cancel';";
            assertSeen(browser, button);
            // Another day, and another year, whatever the time of this test is.
            for (long days : List.of(2L, 400L)) {
                assertSeen(browser, button + "for (const row of document.querySelectorAll('#rows tr')) row.cells[1].textContent ="
                        + "dueText(Date.now() + " + days + " * 86400000, Date.now());");
            }
        }
    }

    /** All buttons are within the screen and the box that scrolls, right after a change of the page. */
    private static void assertSeen(Browser browser, String change) {
        String outside = (String) browser.run(change + "const box = document.querySelector('.scroll').getBoundingClientRect();"
                + "return [...document.querySelectorAll('#rows tr')].filter(row => {"
                + "const place = row.querySelector('button').getBoundingClientRect();"
                + "return place.width === 0 || place.left < box.left || place.right > Math.min(box.right, innerWidth) + 0.5;"
                + "}).map(row => row.innerText).join('\\n');");
        assertEquals("", outside, "rows whose button is not seen");
    }

    @Test
    void foreignPagesCanNeitherLookNorCancel() throws Exception {
        String own = URI.create(page).getAuthority();
        String id = scheduled(LATER).last();
        String cancel = "/api/cancel?subscription=run&topic=" + LATER + "&id=" + id;
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
        String elsewhere = raw("GET", "/api/state?until=1&topic=persistent://a/b/../../../x&subscription=run", known);
        assertTrue(elsewhere.startsWith("HTTP/1.1 400") && elsewhere.contains("no subscription with a schedule"), elsewhere);
        assertTrue(raw("POST", "/", known).startsWith("HTTP/1.1 405"));
        assertTrue(raw("GET", "/../page.html", known).startsWith("HTTP/1.1 404"));
        assertTrue(scheduled(LATER).contains(id));
    }

    @Test
    void aBrokerHasNothingOfThePage() throws Exception {
        List<Path> all = new ArrayList<>(List.of(Harness.pluginJar()));
        for (Path folder : List.of(Harness.servletFolder(), Harness.commandFolder())) {
            try (Stream<Path> files = Files.list(folder)) {
                files.filter(file -> file.toString().endsWith(".nar")).forEach(all::add);
            }
        }
        assertEquals(3, all.size(), all::toString);
        for (Path archive : all) {
            try (JarFile jar = new JarFile(archive.toFile())) {
                assertEquals(List.of(), jar.stream().map(entry -> entry.getName()).filter(name ->
                        name.contains("/it/") || name.endsWith(".html")).toList(), archive::toString);
            }
        }
    }
}
