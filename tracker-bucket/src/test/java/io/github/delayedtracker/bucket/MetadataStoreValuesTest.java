/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.orphans.SharedValues.Versioned;
import io.github.delayedtracker.bucket.storage.StorageException;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.metadata.api.MetadataStore;
import org.apache.pulsar.metadata.api.MetadataStoreConfig;
import org.apache.pulsar.metadata.api.MetadataStoreFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S11: values in metadata stores that a broker may have, and what each refusal is translated to. */
class MetadataStoreValuesTest {

    private static final long ANSWER_SECONDS = 30;

    private static <T> T get(CompletableFuture<T> answer) throws Exception {
        return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    private static Kind failure(CompletableFuture<?> answer) {
        Throwable cause = assertThrows(ExecutionException.class, () -> get(answer)).getCause();
        return assertInstanceOf(StorageException.class, cause).kind();
    }

    private static MetadataStore open(String url, Path folder) throws Exception {
        return MetadataStoreFactory.create(url.replace("FOLDER", folder.toString()), MetadataStoreConfig.builder().build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory:local", "rocksdb://FOLDER"})
    @DisplayName("a value is made once, and replaced at its version only")
    void aValueIsReplacedAtItsVersionOnly(String url, @TempDir Path folder) throws Exception {
        try (MetadataStore store = open(url, folder)) {
            MetadataStoreValues values = new MetadataStoreValues(() -> store);
            assertEquals(Optional.empty(), get(values.get("v")));
            assertEquals(Kind.CONFLICT, failure(values.put("v", "a", OptionalLong.of(0))), "there is none to replace");
            long first = get(values.put("v", "a", OptionalLong.empty()));
            assertEquals(Optional.of(new Versioned("a", first)), get(values.get("v")));
            assertEquals(Kind.CONFLICT, failure(values.put("v", "b", OptionalLong.empty())), "there is one already");
            long second = get(values.put("v", "b", OptionalLong.of(first)));
            assertNotEquals(first, second);
            assertEquals(Kind.CONFLICT, failure(values.put("v", "c", OptionalLong.of(first))), "it has another version");
            assertEquals(Optional.of(new Versioned("b", second)), get(values.get("v")));
            assertTrue(get(store.exists("/delayedtracker/v")), "it stands where the docs say");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory:local", "rocksdb://FOLDER"})
    void aStoreThatIsNotThereIsUnavailable(String url, @TempDir Path folder) throws Exception {
        MetadataStore store = open(url, folder);
        store.close();
        MetadataStoreValues closed = new MetadataStoreValues(() -> store);
        assertEquals(Kind.UNAVAILABLE, failure(closed.get("v")));
        assertEquals(Kind.UNAVAILABLE, failure(closed.put("v", "a", OptionalLong.empty())));
        MetadataStoreValues none = new MetadataStoreValues(() -> null);
        assertEquals(Kind.UNAVAILABLE, failure(none.get("v")));
        assertEquals(Kind.UNAVAILABLE, failure(none.put("v", "a", OptionalLong.empty())));
    }
}
