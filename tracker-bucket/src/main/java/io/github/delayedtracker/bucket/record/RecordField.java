/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import java.util.Arrays;

/**
 * A field of a record that came with a later version of the plugin than the ledgers did. A version that does not know it keeps
 * it as it is and goes on, unless it is required: then that version can do nothing with the record. Immutable.
 */
final class RecordField {

    private final long number;
    private final boolean required;
    private final byte[] bytes;

    /**
     * A field.
     *
     * @param number tells what it means, 0 or more; never used again for anything else
     * @param required whether who does not know it may not touch the record
     * @param bytes what it says; copied
     */
    public RecordField(long number, boolean required, byte[] bytes) {
        if (number < 0 || number > Long.MAX_VALUE >> 1) {
            throw new IllegalArgumentException("the number of a field is from 0 to 2^62 - 1: " + number);
        }
        this.number = number;
        this.required = required;
        this.bytes = bytes.clone();
    }

    /** Which field it is. */
    public long number() {
        return number;
    }

    /** Whether who does not know it may not touch the record. */
    public boolean isRequired() {
        return required;
    }

    /** What it says. A copy. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** How many bytes it says it in. */
    int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RecordField field && number == field.number && required == field.required
                && Arrays.equals(bytes, field.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(number) + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return (required ? "required field " : "field ") + number + " of " + bytes.length + " bytes";
    }
}
