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
 * @param written the last record that was read or written successfully
 * @param wish the record to be written next; equal to {@code written} if there is none
 * @param attempted every ledger named by a record whose write was begun since and did not succeed: that record may be durable
 * @param unsettled whether there is such a record
 * @param gone ledgers that are deleted or somebody else's, and still named
 */
record RecordState(CatalogueRecord written, CatalogueRecord wish, Set<Long> attempted, boolean unsettled, Set<Long> gone) {

    static RecordState read(CatalogueRecord record) {
        return new RecordState(record, record, Set.of(), false, Set.of());
    }

    /** The state while a record is written: until the write succeeds its outcome is unknown. */
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

    /** Every ledger that the durable record may name, less the gone ones. */
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
