/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * The edge to BookKeeper and cursors: snapshot ledgers and stored records behind interfaces, calls tried again and given up,
 * deletion and what is left over. The only package that sees a foreign failure.
 *
 * <p>The interfaces know neither BookKeeper nor the broker. docs/design/storage.md says when a write is durable and who
 * cleans up.
 */
package io.github.delayedtracker.bucket.storage;

