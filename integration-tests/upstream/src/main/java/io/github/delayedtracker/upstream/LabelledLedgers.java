/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.bookkeeper.client.AsyncCallback.CreateCallback;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.LedgerHandle;
import org.apache.bookkeeper.client.api.CreateBuilder;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.pulsar.broker.BookKeeperClientFactory;
import org.apache.pulsar.broker.PulsarService;
import org.mockito.AdditionalAnswers;
import org.mockito.Mockito;
import org.mockito.stubbing.Answer;

/**
 * What the published mock of the BookKeeper client leaves out and every real one does: it keeps the custom metadata of a ledger
 * and gives them back, and it makes ledgers through the builder (the mock of 4.0 does so only through the older call). The stock
 * tracker writes such labels and never reads them; the plugin deletes no ledger whose label it has not read. Ledgers outlive a
 * broker that is started again, so there is one of these for a JVM.
 */
final class LabelledLedgers {

    private final Map<Long, Map<String, byte[]>> labels = new ConcurrentHashMap<>();

    /** The same service, except that the storage clients it makes keep labels. */
    PulsarService seenBy(PulsarService pulsar) {
        PulsarService seen = delegate(PulsarService.class, pulsar);
        Mockito.doAnswer(call -> labelling(pulsar.getBookKeeperClientFactory())).when(seen).getBookKeeperClientFactory();
        return seen;
    }

    private BookKeeperClientFactory labelling(BookKeeperClientFactory clients) {
        return Mockito.mock(BookKeeperClientFactory.class, Mockito.withSettings().stubOnly().defaultAnswer(call -> {
            Object made = call.getMethod().invoke(clients, call.getRawArguments());
            return made instanceof CompletableFuture<?> client
                    ? client.thenApply(bookKeeper -> labelling((BookKeeper) bookKeeper)) : made;
        }));
    }

    private BookKeeper labelling(BookKeeper client) {
        BookKeeper labelling = delegate(BookKeeper.class, client);
        Mockito.doAnswer(call -> creation(client)).when(labelling).newCreateLedgerOp();
        Mockito.doAnswer(call -> metadata(call.getArgument(0))).when(labelling).getLedgerMetadata(Mockito.anyLong());
        return labelling;
    }

    /** A builder that remembers what it is given, and makes a ledger by the call that every version of the mock has. */
    private CreateBuilder creation(BookKeeper client) {
        Map<String, Object> given = new HashMap<>();
        Answer<Object> builder = call -> {
            if (call.getMethod().getName().equals("execute")) {
                return create(client, given);
            }
            given.put(call.getMethod().getName(), call.getArgument(0));
            return call.getMock();
        };
        return Mockito.mock(CreateBuilder.class, Mockito.withSettings().stubOnly().defaultAnswer(builder));
    }

    @SuppressWarnings("unchecked")
    private CompletableFuture<WriteHandle> create(BookKeeper client, Map<String, Object> given) {
        Map<String, byte[]> label = (Map<String, byte[]>) given.getOrDefault("withCustomMetadata", Collections.emptyMap());
        DigestType digest = (DigestType) given.getOrDefault("withDigestType", DigestType.CRC32C);
        CompletableFuture<LedgerHandle> made = new CompletableFuture<>();
        CreateCallback callback = (code, handle, context) -> {
            if (code == BKException.Code.OK) {
                made.complete(handle);
            } else {
                made.completeExceptionally(BKException.create(code));
            }
        };
        client.asyncCreateLedger((Integer) given.get("withEnsembleSize"), (Integer) given.get("withWriteQuorumSize"),
                (Integer) given.get("withAckQuorumSize"), BookKeeper.DigestType.fromApiDigestType(digest),
                (byte[]) given.get("withPassword"), callback, null, label);
        return made.thenApply(handle -> {
            labels.put(handle.getId(), label);
            return handle;
        });
    }

    private CompletableFuture<LedgerMetadata> metadata(long ledgerId) {
        Map<String, byte[]> label = labels.get(ledgerId);
        if (label == null) {
            return CompletableFuture.failedFuture(new BKException.BKNoSuchLedgerExistsOnMetadataServerException());
        }
        LedgerMetadata metadata = Mockito.mock(LedgerMetadata.class, Mockito.withSettings().stubOnly());
        Mockito.when(metadata.getCustomMetadata()).thenReturn(label);
        return CompletableFuture.completedFuture(metadata);
    }

    private static <T> T delegate(Class<T> type, T to) {
        return Mockito.mock(type, Mockito.withSettings().stubOnly().defaultAnswer(AdditionalAnswers.delegatesTo(to)));
    }
}
