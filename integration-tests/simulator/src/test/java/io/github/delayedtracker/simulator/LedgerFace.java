/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.AsyncCallbacks.ReadEntryCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.EntryImpl;
import org.apache.pulsar.common.api.proto.MessageMetadata;
import org.apache.pulsar.common.protocol.Commands;

/** What the tracker sees of the topic: its ledgers, its entries, its limits. What no tracker asks is refused. */
final class LedgerFace {

    private LedgerFace() {
    }

    static ManagedLedger of(ModelTopic topic, Supplier<ManagedLedgerConfig> limits, Supplier<ManagedCursor> cursor) {
        return (ManagedLedger) Proxy.newProxyInstance(LedgerFace.class.getClassLoader(),
                new Class<?>[] {ManagedLedger.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "getLedgersInfo" -> topic.ledgers();
                    case "getName" -> "public/default/persistent/simulated";
                    case "getNumberOfEntries" -> (long) (topic.size() - topic.trimmedBelow());
                    case "getLastConfirmedEntry" -> topic.size() == 0 ? null : topic.position(topic.size() - 1);
                    case "asyncReadEntry" -> readEntry(topic, (Position) arguments[0], (ReadEntryCallback) arguments[1]);
                    case "getConfig" -> limits.get();
                    case "getCursors" -> List.of(cursor.get());
                    default -> throw new UnsupportedOperationException("the model has no ManagedLedger." + method.getName());
                });
    }

    /** Tells whether the message has a delivery time. */
    private static Object readEntry(ModelTopic topic, Position position, ReadEntryCallback callback) {
        int entry = topic.entryAt(position.getLedgerId(), position.getEntryId());
        if (entry < 0) {
            callback.readEntryFailed(new ManagedLedgerException.NonRecoverableLedgerException("no such entry"), null);
            return null;
        }
        MessageMetadata metadata = new MessageMetadata().setProducerName("p").setSequenceId(1).setPublishTime(1);
        if (topic.deliverAtMillis(entry) > 0) {
            metadata.setDeliverAtTime(topic.deliverAtMillis(entry));
        }
        callback.readEntryComplete(EntryImpl.create(position,
                Commands.serializeMetadataAndPayload(Commands.ChecksumType.None, metadata, Unpooled.EMPTY_BUFFER)), null);
        return null;
    }
}
