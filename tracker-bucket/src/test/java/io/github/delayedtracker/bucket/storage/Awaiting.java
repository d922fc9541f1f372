/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.util.concurrent.CompletableFuture;

/** How a contract test waits for an answer: virtual time or real. */
@FunctionalInterface
public interface Awaiting {

    /** The answer; a failure as the {@link StorageException} it carries. */
    <T> T get(CompletableFuture<T> answer) throws Exception;
}
