/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** A headless Chromium of Debian's packages {@code chromium} and {@code chromium-driver}. */
final class Browser implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Relative luminance of the first background behind an element, and the contrast of its text to it, by WCAG 2. */
    private static final String LUMINANCES = """
            const luminance = colour => {
              const [r, g, b] = colour.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255)
                .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            };
            const element = document.querySelector(arguments[0]);
            let behind = element;
            while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') {
              behind = behind.parentElement;
            }
            const back = luminance(getComputedStyle(behind).backgroundColor);
            const text = luminance(getComputedStyle(element).color);
            """;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** A browser of that size; empty where none is installed. */
    static Optional<Browser> start(int width, int height) {
        Optional<Path> driverProgram = onPath("chromedriver");
        Optional<Path> program = onPath("chromium");
        if (driverProgram.isEmpty() || program.isEmpty()) {
            return Optional.empty();
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program.get().toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--no-proxy-server");
        ChromeDriverService service = new ChromeDriverService.Builder().usingDriverExecutable(driverProgram.get().toFile())
                .usingAnyFreePort().build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().window().setSize(new Dimension(width, height));
        driver.manage().timeouts().scriptTimeout(PATIENCE);
        return Optional.of(new Browser(driver));
    }

    private static Optional<Path> onPath(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable).findFirst();
    }

    void open(String url) {
        driver.get(url);
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    String text(String selector) {
        return driver.findElement(By.cssSelector(selector)).getText();
    }

    /** Presses keys, wherever the focus is. */
    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    Object run(String script, Object... arguments) {
        return ((JavascriptExecutor) driver).executeScript(script, arguments);
    }

    double contrast(String selector) {
        return ((Number) run(LUMINANCES + "return (Math.max(back, text) + 0.05) / (Math.min(back, text) + 0.05);", selector))
                .doubleValue();
    }

    double luminanceBehind(String selector) {
        return ((Number) run(LUMINANCES + "return back;", selector)).doubleValue();
    }

    /** Shows pages as to people who have asked for {@code light} or {@code dark}. */
    void scheme(String scheme) {
        driver.executeCdpCommand("Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Pretends to be a screen of that size. */
    void screen(int width, int height) {
        driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", true));
    }

    byte[] picture() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** What the browser complains about. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream().map(LogEntry::toString).toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
