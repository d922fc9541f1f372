/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * The steps that write, read, merge and recover a snapshot. A step runs inside a key of the key-ordered executor, one at a time.
 * It blocks no thread, holds no lock and throws nothing: every failure is a
 * {@link io.github.delayedtracker.bucket.storage.StorageException} in its future, never wrapped in another. Steps are given up by
 * {@link io.github.delayedtracker.bucket.storage.Retries#abandon}, not by cancelling their futures.
 *
 * <p>No handle is open while no step runs: a step opens what it reads and closes it before it answers.
 */
package io.github.delayedtracker.bucket.steps;

