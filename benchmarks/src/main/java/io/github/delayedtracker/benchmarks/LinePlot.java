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

/** A plot as SVG of lines over time on linear axes from 0. */
final class LinePlot {

    private static final List<String> COLOURS = List.of("#06c", "#c60", "#c00", "#939", "#000");
    private static final int LEFT = 60;
    private static final int TOP = 50;
    private static final int WIDTH = 640;
    private static final int HEIGHT = 300;
    private static final int MARKS = 5;
    /** The legend has room for so many names at least. */
    private static final int LEAST_PLACES = 4;

    private final String title;
    private final String xLabel;
    private final double mostX;
    private final double mostY;
    private final List<String> lines = new ArrayList<>();
    private final List<String> legend = new ArrayList<>();

    LinePlot(String title, String xLabel, double mostX, double mostY) {
        this.title = title;
        this.xLabel = xLabel;
        this.mostX = mostX;
        this.mostY = mostY;
    }

    /** Adds a line. Points above the axis are drawn at its end. */
    void line(String name, double[] xs, double[] ys) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < xs.length; i++) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", LEFT + WIDTH * xs[i] / mostX,
                    TOP + HEIGHT * (1 - Math.min(1, ys[i] / mostY))));
        }
        String colour = COLOURS.get(lines.size() % COLOURS.size());
        lines.add(String.format(Locale.ROOT, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>%n",
                colour, points.toString().strip()));
        legend.add(String.format(Locale.ROOT, "fill=\"%s\">%s</text>%n", colour, name));
    }

    String svg() {
        StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                + "font-size=\"12\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n"
                + "<text x=\"10\" y=\"18\" font-size=\"14\">%s</text>%n"
                + "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                LEFT + WIDTH + 30, TOP + HEIGHT + 50, title, LEFT + WIDTH / 2, TOP + HEIGHT + 40, xLabel));
        for (int i = 0; i <= MARKS; i++) {
            double x = LEFT + (double) WIDTH * i / MARKS;
            double y = TOP + HEIGHT - (double) HEIGHT * i / MARKS;
            svg.append(String.format(Locale.ROOT, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                    + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>"
                    + "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.1f</text>%n", LEFT, y, LEFT + WIDTH, y, LEFT - 6,
                    y + 4, mostY * i / MARKS, x, TOP + HEIGHT + 20, mostX * i / MARKS));
        }
        for (int i = 0; i < legend.size(); i++) {
            int x = LEFT + i * WIDTH / Math.max(LEAST_PLACES, legend.size());
            svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"38\" ", x)).append(legend.get(i));
        }
        lines.forEach(svg::append);
        return svg.append("</svg>\n").toString();
    }
}
