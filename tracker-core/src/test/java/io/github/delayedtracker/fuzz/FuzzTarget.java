/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A reader of bytes from outside that is given any bytes: it takes them, or refuses them with the one failure there is for it.
 * Each build reads the seeds, the seeds with small damage, and the inputs kept in the folder named after the class with
 * {@code Inputs} behind it. {@link FuzzRun} looks for more; what it finds goes into that folder.
 */
public abstract class FuzzTarget {

    /** The most places in which one seed is damaged, so that a long one takes no longer. */
    private static final int MOST_PLACES = 300;
    private static final int[] DAMAGE = {0x01, 0x80, 0xff};
    private static final int MOST_SHOWN_BYTES = 200;

    /** Inputs to begin with: one of each kind that the reader takes. */
    protected abstract List<byte[]> seeds() throws Exception;

    /** Reads any bytes. What it throws is a defect. */
    protected abstract void read(byte[] bytes) throws Exception;

    @Test
    public final void everySeedIsReadWholeAndWithEachSmallDamage() throws Exception {
        List<byte[]> seeds = seeds();
        assertFalse(seeds.isEmpty());
        for (byte[] seed : seeds) {
            readOrTell(seed, "a seed");
            int step = 1 + seed.length / MOST_PLACES;
            for (int at = 0; at < seed.length; at += step) {
                readOrTell(Arrays.copyOf(seed, at), "a seed, cut off");
                for (int change : DAMAGE) {
                    byte[] damaged = seed.clone();
                    damaged[at] ^= (byte) change;
                    readOrTell(damaged, "a seed, byte " + at + " changed");
                }
            }
        }
    }

    @Test
    public final void everyKeptInputIsTakenOrRefused() throws IOException, URISyntaxException {
        URL folder = getClass().getResource(inputsOf(getClass()));
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(Path.of(folder.toURI()))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                readOrTell(Files.readAllBytes(file), file.toString());
            }
        }
    }

    private void readOrTell(byte[] bytes, String what) {
        try {
            read(bytes);
        } catch (Throwable thrown) {
            throw new AssertionError(what + " of " + bytes.length + " bytes: "
                    + HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, MOST_SHOWN_BYTES)), thrown);
        }
    }

    /** The name of the folder of a target's inputs, which is beside its class among the resources. */
    static String inputsOf(Class<?> target) {
        return target.getSimpleName() + "Inputs";
    }
}
