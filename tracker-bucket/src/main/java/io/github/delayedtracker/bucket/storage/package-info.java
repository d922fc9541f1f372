/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * Where sealed buckets are kept: snapshot ledgers, and the cursor record that names them.
 *
 * <p>The interfaces know neither BookKeeper nor the broker. Two classes implement them on BookKeeper and on a managed cursor, and
 * one class translates every foreign failure. What is durable when, and who cleans up, stands in docs/design/storage.md.
 */
package io.github.delayedtracker.bucket.storage;
