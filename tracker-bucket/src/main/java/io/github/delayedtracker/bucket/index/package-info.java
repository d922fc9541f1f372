/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * The index of one subscription in buckets: positions in memory, sets of the positions that sleep in snapshots, and the choice of
 * tails to seal, segments to load and buckets to merge. Pure: no storage, no clock, no lock.
 */
package io.github.delayedtracker.bucket.index;
