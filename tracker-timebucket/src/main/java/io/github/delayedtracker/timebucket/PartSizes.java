/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.timebucket;

/**
 * When a part of the index is full.
 *
 * @param shortTail positions in a tail that may still be searched and shifted from end to end
 * @param segment positions in a full tail and a full segment: sealing them takes well below a millisecond
 * @param open positions in open buckets before they are sealed, at most {@code segment}
 */
record PartSizes(int shortTail, int segment, int open) {

    static final PartSizes USUAL = new PartSizes(128, 1 << 14, 1 << 13);
}
