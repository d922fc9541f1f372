/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plot as SVG with a line for each name and a dot for each series on it, on a logarithmic axis. */
final class DotPlot {

    private static final List<String> COLOURS = List.of("#888", "#06c", "#c60", "#c00", "#939", "#000");
    private static final int LEFT = 190;
    private static final int WIDTH = 640;
    private static final int TOP = 60;
    private static final int ROW = 18;
    /** The decades of the axis, from 0.0001 to 1000. */
    private static final int FIRST_DECADE = -4;
    private static final int LAST_DECADE = 3;

    private final String title;
    private final List<String> names;
    private final List<String> series = new ArrayList<>();
    private final StringBuilder dots = new StringBuilder();

    DotPlot(String title, List<String> names) {
        this.title = title;
        this.names = names;
    }

    /** Adds a dot; a value below the axis stands at its start. */
    void dot(String inSeries, String name, double value) {
        if (!series.contains(inSeries)) {
            series.add(inSeries);
        }
        dots.append(String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"/>%n", x(value),
                y(names.indexOf(name)), colour(series.indexOf(inSeries))));
    }

    String svg() {
        int height = y(names.size()) + 20;
        StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                + "font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n"
                + "<text x=\"10\" y=\"18\" font-size=\"14\">%s</text>%n", LEFT + WIDTH + 30, height, title));
        for (int i = 0; i < series.size(); i++) {
            svg.append(String.format(Locale.ROOT, "<circle cx=\"%d\" cy=\"36\" r=\"4\" fill=\"%s\"/>"
                    + "<text x=\"%d\" y=\"40\">%s</text>%n", 16 + i * 130, colour(i), 24 + i * 130, series.get(i)));
        }
        for (int decade = FIRST_DECADE; decade <= LAST_DECADE; decade++) {
            double x = x(Math.pow(10, decade));
            svg.append(String.format(Locale.ROOT, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>"
                    + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n", x, TOP - 8, x, height - 22, x,
                    height - 8, decade < 0 ? "0." + "0".repeat(-decade - 1) + "1" : "1" + "0".repeat(decade)));
        }
        for (int i = 0; i < names.size(); i++) {
            svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n", LEFT - 10,
                    y(i) + 4, names.get(i)));
        }
        return svg.append(dots).append("</svg>\n").toString();
    }

    private static double x(double value) {
        double decades = Math.log10(Math.max(value, Math.pow(10, FIRST_DECADE))) - FIRST_DECADE;
        return LEFT + WIDTH * decades / (LAST_DECADE - FIRST_DECADE);
    }

    private static int y(int row) {
        return TOP + ROW * row;
    }

    private static String colour(int index) {
        return COLOURS.get(index % COLOURS.size());
    }
}
