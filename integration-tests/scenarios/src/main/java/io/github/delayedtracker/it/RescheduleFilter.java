/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.bookkeeper.mledger.Entry;
import org.apache.pulsar.broker.service.plugin.EntryFilter;
import org.apache.pulsar.broker.service.plugin.FilterContext;
import org.apache.pulsar.common.api.proto.KeyValue;
import org.apache.pulsar.common.api.proto.MessageMetadata;

/**
 * An entry filter that answers as the message says: the n-th letter of its property {@value #ANSWERS} is the answer to the
 * n-th read of it by a subscription, {@code R} for {@code RESCHEDULE} and {@code X} for {@code REJECT}; anything else, and
 * a read past the end, is accepted.
 *
 * <p>Reaches a broker in an archive of its own, so that it may use nothing else of this module. Thread safe.
 */
public final class RescheduleFilter implements EntryFilter {

    /** The message property. */
    public static final String ANSWERS = "answers";

    private final Map<String, Integer> reads = new ConcurrentHashMap<>();

    @Override
    public FilterResult filterEntry(Entry entry, FilterContext context) {
        String answers = answers(context.getMsgMetadata());
        if (answers.isEmpty()) {
            return FilterResult.ACCEPT;
        }
        String read = context.getSubscription().getTopicName() + '/' + context.getSubscription().getName() + '/'
                + entry.getLedgerId() + '/' + entry.getEntryId();
        int before = reads.merge(read, 1, Integer::sum) - 1;
        return switch (before < answers.length() ? answers.charAt(before) : 'A') {
            case 'R' -> FilterResult.RESCHEDULE;
            case 'X' -> FilterResult.REJECT;
            default -> FilterResult.ACCEPT;
        };
    }

    private static String answers(MessageMetadata metadata) {
        if (metadata == null) {
            return "";
        }
        for (KeyValue property : metadata.getPropertiesList()) {
            if (property.getKey().equals(ANSWERS)) {
                return property.getValue();
            }
        }
        return "";
    }

    @Override
    public void close() {
        reads.clear();
    }
}
