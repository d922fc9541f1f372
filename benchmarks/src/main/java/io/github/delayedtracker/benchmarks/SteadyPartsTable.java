/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.benchmarks;

import io.github.delayedtracker.benchmarks.SteadyParts.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Two tables of what the bytes of {@code timebucket} are for in a steady state, a column for each case: bytes a message of each
 * {@link Part}, and the share of each group of parts in what lies above the bound. The bound has a part for times and one for
 * positions, and messages that are not sealed count with the whole of it.
 */
final class SteadyPartsTable {

    private static final int PERCENT = 100;

    private final List<Case> cases = new ArrayList<>();

    /** One case: its parts, and the bound in bytes a message, in all and what it has for positions. */
    private record Case(String name, SteadyParts parts, double bound, double positionBound) {

        private double total() {
            return (double) parts.total() / parts.messages();
        }

        /** The bytes a message above the bound: times, ids, what is open. */
        private double timesExcess() {
            return parts.perMessage(Part.TIMES) - (1 - parts.openShare()) * (bound - positionBound);
        }

        private double idsExcess() {
            return parts.perMessage(Part.IDS, Part.IDS_GONE, Part.MARKS, Part.MARKS_GONE)
                    - (1 - parts.openShare()) * positionBound;
        }

        private double openExcess() {
            return parts.perMessage(Part.OPEN) - parts.openShare() * bound;
        }

        private String share(double excess) {
            return String.format(Locale.ROOT, "%.1f %%", PERCENT * excess / (total() - bound));
        }
    }

    /** Adds a case with its bound, in bytes a message, and the part of that which tells the positions. */
    void add(String name, SteadyParts parts, double bound, double positionBound) {
        cases.add(new Case(name, parts, bound, positionBound));
    }

    /** Both tables; nothing where no case was added. */
    String markdown() {
        if (cases.isEmpty()) {
            return "";
        }
        List<String> lines = new ArrayList<>();
        head(lines, "bytes for");
        for (Part part : Part.values()) {
            row(lines, part.label(), each -> bytes(each.parts.perMessage(part)));
        }
        row(lines, "in all", each -> bytes(each.total()));
        row(lines, "bound: times", each -> bytes(each.bound - each.positionBound));
        row(lines, "bound: which positions are held", each -> bytes(each.positionBound));
        row(lines, "not sealed yet, share of the messages", each -> String.format(Locale.ROOT, "%.2f %%",
                PERCENT * each.parts.openShare()));
        lines.add("");
        head(lines, "above the bound");
        row(lines, "ids and bitmaps", each -> each.share(each.idsExcess()));
        row(lines, Part.TIMES.label(), each -> each.share(each.timesExcess()));
        for (Part part : List.of(Part.TIMES_ACKED, Part.TIMES_READ)) {
            row(lines, part.label(), each -> each.share(each.parts.perMessage(part)));
        }
        row(lines, Part.OPEN.label(), each -> each.share(each.openExcess()));
        for (Part part : List.of(Part.UNDER_WAY, Part.OBJECTS)) {
            row(lines, part.label(), each -> each.share(each.parts.perMessage(part)));
        }
        row(lines, "excess, B a message", each -> bytes(each.total() - each.bound));
        return String.join("\n", lines);
    }

    private void head(List<String> lines, String what) {
        row(lines, what, Case::name);
        lines.add("|---|" + "---|".repeat(cases.size()));
    }

    private void row(List<String> lines, String label, Function<Case, String> cell) {
        lines.add("| " + label + " | " + String.join(" | ", cases.stream().map(cell).toList()) + " |");
    }

    private static String bytes(double bytes) {
        return String.format(Locale.ROOT, "%.3f", bytes);
    }
}
