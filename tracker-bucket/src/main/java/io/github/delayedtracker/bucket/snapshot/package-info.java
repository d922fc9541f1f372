/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * The bytes of a snapshot in two forms. The plugin's own has a head with the owner, the positions and the table of segments. The
 * form of the stock bucket tracker (PIP-195) has protobuf messages, bitmaps in the portable form of Roaring and names of cursor
 * properties. Pure: no storage, no clock, no lock, and none of the stock classes, which differ from one broker line to the next.
 */
package io.github.delayedtracker.bucket.snapshot;
