/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import java.util.HashSet;
import java.util.Set;

/**
 * A cursor's record as far as it is known. Immutable.
 *
 * @param written the last one that was read or written successfully
 * @param wish the one that is to be written next; equal to {@code written} if nothing is
 * @param attempted every ledger named by a record whose writing failed since: one of them may be what is durable
 * @param unsettled whether there is such a record
 * @param gone ledgers that are deleted or somebody else's, and still named
 */
record RecordState(CatalogueRecord written, CatalogueRecord wish, Set<Long> attempted, boolean unsettled, Set<Long> gone) {

    static RecordState read(CatalogueRecord record) {
        return new RecordState(record, record, Set.of(), false, Set.of());
    }

    /** About to be written: until that succeeds its outcome is unknown. */
    RecordState writing(CatalogueRecord newest) {
        Set<Long> named = new HashSet<>(attempted);
        named.addAll(namedBy(newest));
        return new RecordState(written, newest, Set.copyOf(named), true, gone);
    }

    RecordState succeeded() {
        return read(wish);
    }

    RecordState withGone(Set<Long> more) {
        Set<Long> sum = new HashSet<>(gone);
        sum.addAll(more);
        return new RecordState(written, wish, attempted, unsettled, Set.copyOf(sum));
    }

    /** Every ledger that what is durable may name, less those that are gone. */
    Set<Long> named() {
        Set<Long> named = new HashSet<>(attempted);
        named.addAll(namedBy(written));
        named.removeAll(gone);
        return named;
    }

    static Set<Long> namedBy(CatalogueRecord record) {
        Set<Long> named = new HashSet<>(record.live());
        named.addAll(record.doomed());
        return named;
    }
}
