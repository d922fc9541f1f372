/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.CreateBuilder;
import org.apache.bookkeeper.client.api.DeleteBuilder;
import org.apache.bookkeeper.client.api.OpenBuilder;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;

/** A BookKeeper client that answers when the test says so and writes down what it was asked. */
final class FakeBookKeeper {

    final List<String> asked = new ArrayList<>();
    final CompletableFuture<WriteHandle> create = new CompletableFuture<>();
    final CompletableFuture<ReadHandle> open = new CompletableFuture<>();
    CompletableFuture<Void> delete = CompletableFuture.completedFuture(null);

    BookKeeper client() {
        return proxy(BookKeeper.class, (method, first) -> switch (method) {
            case "newCreateLedgerOp" -> builder(CreateBuilder.class, "create", create);
            case "newOpenLedgerOp" -> builder(OpenBuilder.class, "open", open);
            case "newDeleteLedgerOp" -> builder(DeleteBuilder.class, "delete", delete);
            default -> {
                asked.add(method + " client");
                yield null;
            }
        });
    }

    WriteHandle writeHandle(long id, CompletableFuture<Void> closed) {
        return handle(WriteHandle.class, id, closed);
    }

    ReadHandle readHandle(long id) {
        return handle(ReadHandle.class, id, CompletableFuture.completedFuture(null));
    }

    private <H> H handle(Class<H> type, long id, CompletableFuture<Void> closed) {
        return proxy(type, (method, first) -> switch (method) {
            case "getId" -> id;
            case "closeAsync" -> {
                asked.add("close handle " + id);
                yield closed;
            }
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private <P> P builder(Class<P> type, String name, CompletableFuture<?> answer) {
        StringBuilder call = new StringBuilder(name);
        Object[] self = new Object[1];
        P made = proxy(type, (method, first) -> switch (method) {
            case "execute" -> {
                asked.add(call.toString());
                yield answer;
            }
            case "withLedgerId", "withRecovery" -> {
                call.append(' ').append(first);
                yield self[0];
            }
            default -> self[0];
        });
        self[0] = made;
        return made;
    }

    private interface Reaction {
        Object to(String method, Object firstArgument);
    }

    private static <P> P proxy(Class<P> type, Reaction reaction) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> reaction.to(method.getName(), arguments == null ? null : arguments[0])));
    }
}
