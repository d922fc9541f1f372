/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

import io.github.delayedtracker.index.PositionSet;
import java.util.Arrays;

/**
 * A sorted set of 1 to 65,536 numbers of 16 bits in one plain array. Element 0 is the count minus 1. Lengths are multiples
 * of 4, to which the heap would round them anyway. A full array grows by a quarter.
 */
final class CharList {

    private CharList() {
    }

    static char[] of(char value) {
        char[] list = new char[4];
        list[1] = value;
        return list;
    }

    static int count(char[] list) {
        return list[0] + 1;
    }

    /** The list with the value in it: the same array if the value was there or fits in. */
    static char[] insert(char[] list, char value) {
        int count = count(list);
        int at = count + 1;
        if (value <= list[count]) {
            int found = Arrays.binarySearch(list, 1, count + 1, value);
            if (found >= 0) {
                return list;
            }
            at = -found - 1;
        }
        char[] target = list;
        if (count + 1 == list.length) {
            target = new char[capacity(list.length + list.length / 4)];
            System.arraycopy(list, 0, target, 0, at);
        }
        System.arraycopy(list, at, target, at + 1, count + 1 - at);
        target[at] = value;
        target[0] = (char) count;
        return target;
    }

    /** The list without its first {@code values} values; it has more of them. */
    static char[] withoutFirst(char[] list, int values) {
        int left = count(list) - values;
        char[] target = 2 * capacity(left) <= list.length ? new char[capacity(left)] : list;
        System.arraycopy(list, values + 1, target, 1, left);
        target[0] = (char) (left - 1);
        return target;
    }

    /** Consumes values from the first on; answers their number. */
    static int consume(char[] list, long ledgerId, long firstEntryId, HandOut handOut) {
        int count = count(list);
        int consumed = 0;
        while (consumed < count && handOut.consume(ledgerId, firstEntryId | list[consumed + 1])) {
            consumed++;
        }
        return consumed;
    }

    /** Keeps the values whose positions are contained; null if there are none. */
    static char[] retain(char[] list, long ledgerId, long firstEntryId, PositionSet contained) {
        int count = count(list);
        int kept = 0;
        for (int i = 1; i <= count; i++) {
            if (contained.contains(ledgerId, firstEntryId | list[i])) {
                list[++kept] = list[i];
            }
        }
        if (kept == 0) {
            return null;
        }
        list[0] = (char) (kept - 1);
        return trimmed(list);
    }

    static char[] trimmed(char[] list) {
        int capacity = capacity(count(list));
        return capacity < list.length ? Arrays.copyOf(list, capacity) : list;
    }

    /** The number of runs of consecutive values. */
    static int runs(char[] list) {
        int count = count(list);
        int runs = 1;
        for (int i = 2; i <= count; i++) {
            if (list[i] != list[i - 1] + 1) {
                runs++;
            }
        }
        return runs;
    }

    private static int capacity(int values) {
        return (values + 1 + 3) & ~3;
    }
}
