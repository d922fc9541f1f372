/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.List;

/**
 * What came of a run.
 *
 * @param lost sent and never delivered
 * @param duplicated deliveries beyond a message's first
 * @param early first deliveries before deliverAt, less the tick where the broker is not strict
 * @param peakDelayed most messages delayed at one time
 * @param bytesPerMessage reported size of the index at that time, per message
 */
record RunFigures(int sent, int delivered, int lost, int duplicated, int early, long latenessP50Millis,
        long latenessP99Millis, long latenessMaxMillis, long peakDelayed, double bytesPerMessage) {

    static RunFigures of(List<Sent> sent, Arrivals arrivals, long earlyWindowMillis, long peakDelayed, long bytesAtPeak) {
        long[] lateness = sent.stream().filter(message -> arrivals.count(message.id()) > 0)
                .mapToLong(arrivals::latenessMillis).sorted().toArray();
        int early = 0;
        while (early < lateness.length && lateness[early] < -earlyWindowMillis) {
            early++;
        }
        return new RunFigures(sent.size(), lateness.length, sent.size() - lateness.length,
                arrivals.total() - arrivals.distinct(), early, at(lateness, 0.50), at(lateness, 0.99), at(lateness, 1),
                peakDelayed, peakDelayed == 0 ? 0 : (double) bytesAtPeak / peakDelayed);
    }

    private static long at(long[] sorted, double share) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.max(0, Math.ceil(share * sorted.length) - 1)];
    }

    /** Whether every message came once and none early. */
    boolean correct(int expected) {
        return sent == expected && lost == 0 && duplicated == 0 && early == 0;
    }

    /** Two runs side by side. */
    static String table(String name, RunFigures one, String otherName, RunFigures other) {
        StringBuilder table = new StringBuilder(row("", name, otherName));
        table.append(row("sent", one.sent, other.sent));
        table.append(row("delivered", one.delivered, other.delivered));
        table.append(row("lost", one.lost, other.lost));
        table.append(row("duplicated", one.duplicated, other.duplicated));
        table.append(row("early", one.early, other.early));
        table.append(row("lateness p50, ms", one.latenessP50Millis, other.latenessP50Millis));
        table.append(row("lateness p99, ms", one.latenessP99Millis, other.latenessP99Millis));
        table.append(row("lateness max, ms", one.latenessMaxMillis, other.latenessMaxMillis));
        table.append(row("delayed at the peak", one.peakDelayed, other.peakDelayed));
        table.append(row("index bytes per message at the peak", "%.1f".formatted(one.bytesPerMessage),
                "%.1f".formatted(other.bytesPerMessage)));
        return table.toString();
    }

    private static String row(String name, Object one, Object other) {
        return "%-38s %16s %16s%n".formatted(name, one, other);
    }
}
