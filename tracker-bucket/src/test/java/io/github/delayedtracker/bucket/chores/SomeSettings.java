/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.chores;

/** Makes settings of the buckets for tests and measurements; what they do not name is as usual. */
public final class SomeSettings {

    private int sealPositions = BucketSettings.DEFAULT.sealPositions();
    private int ageSealPositions = BucketSettings.DEFAULT.ageSealPositions();
    private long sealAgeMillis = BucketSettings.DEFAULT.sealAgeMillis();
    private long prefetchMillis = BucketSettings.DEFAULT.prefetchMillis();
    private int slice = BucketSettings.DEFAULT.slice();
    private long unreadableMillis = BucketSettings.DEFAULT.unreadableMillis();
    private long pauseMillis = BucketSettings.DEFAULT.pauseMillis();
    private long clearMillis = BucketSettings.DEFAULT.clearMillis();
    private long holdMillis = BucketSettings.DEFAULT.holdMillis();

    /** A seal by age is as large as one by size. */
    public static BucketSettings sealing(int positions) {
        return new SomeSettings().seal(positions).make();
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

    /** The settings. */
    public BucketSettings make() {
        return new BucketSettings(sealPositions, ageSealPositions, sealAgeMillis, prefetchMillis, slice, unreadableMillis,
                pauseMillis, clearMillis, holdMillis);
    }
}
