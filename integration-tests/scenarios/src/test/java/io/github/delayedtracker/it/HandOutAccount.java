/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.Collection;
import java.util.List;

/**
 * Whose doing it is when messages come twice, from the counters of one tracker and what came: the dispatcher asks the tracker
 * about every entry it has read, which keeps it (tracked) or lets it be sent. So what was offered and has not come was
 * tracked, and a position that was handed out more often than it was tracked is the tracker's doing; one that was read and sent
 * again by the dispatcher after one hand-out is not.
 *
 * @param messages how many there are
 * @param delayed how many of them are delayed
 * @param offers entries that the tracker was asked about
 * @param handedOut positions handed out
 * @param arrivals messages that came, of those the tracker was asked about, each as often as it came
 * @param mostOfOne how often the message came that came most often
 */
record HandOutAccount(int messages, long delayed, long offers, long handedOut, long arrivals, long mostOfOne) {

    private static final String DELAYED = "delayed-";

    /**
     * The account of a scene whose usual subscription has had one tracker, once nothing moves in it any more.
     *
     * @param sent all messages, in their order: the tracker is made at the first delayed one
     */
    static HandOutAccount of(Scene scene, List<Sent> sent) throws Exception {
        return Await.atRest(30_000, "hand-outs", () -> look(scene, sent));
    }

    private static HandOutAccount look(Scene scene, List<Sent> sent) throws Exception {
        Arrivals arrivals = scene.arrivals();
        long beforeTheTracker = sent.stream().takeWhile(message -> !isDelayed(message)).mapToLong(message ->
                arrivals.count(message.id())).sum();
        return new HandOutAccount(sent.size(), sent.stream().filter(HandOutAccount::isDelayed).count(),
                (long) scene.pluginStat("offers_total"), (long) scene.pluginStat("handed_out_total"),
                arrivals.total() - beforeTheTracker,
                sent.stream().mapToInt(message -> arrivals.count(message.id())).max().orElse(0));
    }

    private static boolean isDelayed(Sent message) {
        return message.id().startsWith(DELAYED);
    }

    /** How often an offer ended with the position in the index. */
    long tracked() {
        return offers - arrivals;
    }

    /** Each position was handed out once for each time it was tracked, and tracked again no more often than there is a reason. */
    void mustShowOneHandOutForEachTracking(long reasonsToTrackAgain) {
        if (handedOut > tracked() || tracked() > delayed + reasonsToTrackAgain) {
            throw new AssertionError("the tracker has handed out positions more often than once for each time they were tracked,"
                    + " or tracked them too often, with " + reasonsToTrackAgain + " reasons to: " + this);
        }
    }

    /** Every message of the list came, and none more often than that. */
    void mustHaveComeAtMost(int times, Arrivals arrivals, Collection<Sent> sent) {
        if (!arrivals.allArrived(sent) || mostOfOne > times || arrivals.distinct() != sent.size()) {
            throw new AssertionError("not each of the messages has come, and at most " + times + " times, and no other: "
                    + arrivals + ", " + this);
        }
    }

    @Override
    public String toString() {
        return "of " + delayed + " delayed messages among " + messages + " the tracker was offered entries " + offers
                + " times, has tracked " + tracked() + " and handed out " + handedOut + "; " + arrivals
                + " of what it was asked about came, one of them " + mostOfOne + " times";
    }
}
