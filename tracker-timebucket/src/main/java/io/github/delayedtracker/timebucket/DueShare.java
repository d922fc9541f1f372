/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * The share of the due positions of an unsealed part that is made a segment at once, so that no hand-out seals more: the
 * earliest ones, up to a time. The positions of one time stay together, since their order is by position.
 */
final class DueShare {

    private final Scratch scratch;
    private int count;

    /** Nothing is due yet. The scratch has room for all positions that may be, and nothing else. */
    DueShare(Scratch scratch) {
        this.scratch = scratch;
    }

    /** Counts one that is due. */
    void add(long dueMillis) {
        scratch.ascending[count++] = dueMillis;
    }

    /** The time by which as many of them are due, and before which fewer are; the end of time if there are no more. */
    long untilMillis(int positions) {
        return count <= positions ? Long.MAX_VALUE : nth(positions - 1);
    }

    /** Hoare's selection: the time that comes at an index in ascending order. Expected linear. */
    private long nth(int index) {
        long[] times = scratch.ascending;
        int low = 0;
        int high = count - 1;
        while (low < high) {
            long pivot = times[low + high >>> 1];
            int left = low;
            int right = high;
            while (left <= right) {
                while (times[left] < pivot) {
                    left++;
                }
                while (times[right] > pivot) {
                    right--;
                }
                if (left <= right) {
                    long swapped = times[left];
                    times[left++] = times[right];
                    times[right--] = swapped;
                }
            }
            if (index <= right) {
                high = right;
            } else if (index >= left) {
                low = left;
            } else {
                return times[index];
            }
        }
        return times[low];
    }
}
