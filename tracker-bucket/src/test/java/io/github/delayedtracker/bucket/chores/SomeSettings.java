/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

import io.github.delayedtracker.config.SnapshotSettings;
import io.github.delayedtracker.timebucket.CutRule;

/** Makes settings of the buckets for tests and measurements; what they do not name is as usual. */
public final class SomeSettings {

    /** What a broker has whose configuration says nothing. */
    public static final BucketSettings DEFAULT = sealing(SnapshotSettings.DEFAULT.sealPositions());

    private int sealPositions;
    private int ageSealPositions;
    private long sealAgeMillis;
    private long prefetchMillis;
    private int slice;
    private long unreadableMillis;
    private long pauseMillis;
    private long clearMillis;
    private long holdMillis;
    private CutRule segments;

    /** Begins with those of a broker whose configuration says nothing. */
    public SomeSettings() {
        this(DEFAULT);
    }

    /** Begins with others. */
    public SomeSettings(BucketSettings others) {
        sealPositions = others.sealPositions();
        ageSealPositions = others.ageSealPositions();
        sealAgeMillis = others.sealAgeMillis();
        prefetchMillis = others.prefetchMillis();
        slice = others.slice();
        unreadableMillis = others.unreadableMillis();
        pauseMillis = others.pauseMillis();
        clearMillis = others.clearMillis();
        holdMillis = others.holdMillis();
        segments = others.segments();
    }

    /** What a broker has where seals of another size are configured, and nothing else. */
    public static BucketSettings sealing(long positions) {
        SnapshotSettings usual = SnapshotSettings.DEFAULT;
        return BucketSettings.of(positions, usual.loadAheadMillis(),
                CutRule.usual((int) usual.segmentPositions(), usual.segmentMillis()));
    }

    /** Sets the size of a seal, by age too. */
    public SomeSettings seal(int positions) {
        sealPositions = positions;
        ageSealPositions = positions;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings ageSeal(int positions) {
        ageSealPositions = positions;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings sealAgeMillis(long millis) {
        sealAgeMillis = millis;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings prefetchMillis(long millis) {
        prefetchMillis = millis;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings slice(int positions) {
        slice = positions;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings unreadableMillis(long millis) {
        unreadableMillis = millis;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings pauseMillis(long millis) {
        pauseMillis = millis;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings clearMillis(long millis) {
        clearMillis = millis;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings holdMillis(long millis) {
        holdMillis = millis;
        return this;
    }

    /** See {@link BucketSettings}. */
    public SomeSettings segments(CutRule rule) {
        segments = rule;
        return this;
    }

    /** The settings. */
    public BucketSettings make() {
        return new BucketSettings(sealPositions, ageSealPositions, sealAgeMillis, prefetchMillis, slice, unreadableMillis,
                pauseMillis, clearMillis, holdMillis, segments);
    }
}
