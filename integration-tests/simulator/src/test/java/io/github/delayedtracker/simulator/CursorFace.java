/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.bookkeeper.mledger.AsyncCallbacks.DeleteCallback;
import org.apache.bookkeeper.mledger.AsyncCallbacks.MarkDeleteCallback;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.Position;

/**
 * What trackers see of the model cursor in one load of the topic: the broker's type. What a tracker of an earlier load
 * acknowledges or writes is refused; what no tracker calls is not there.
 */
final class CursorFace {

    private CursorFace() {
    }

    /** Tells of each call first, by its name. */
    static ManagedCursor of(ModelCursor cursor, int load, Consumer<String> called) {
        return (ManagedCursor) Proxy.newProxyInstance(CursorFace.class.getClassLoader(), new Class<?>[] {ManagedCursor.class},
                (proxy, method, arguments) -> {
                    called.accept(method.getName());
                    return answer(cursor, load, method.getName(), arguments);
                });
    }

    private static Object answer(ModelCursor cursor, int load, String call, Object... arguments) {
        return switch (call) {
            case "getReadPosition" -> cursor.readPosition();
            case "getMarkDeletedPosition" -> cursor.markDeletePosition();
            case "getPersistentMarkDeletedPosition" -> cursor.writtenByTracker();
            case "isMessageDeleted" -> cursor.isDeletedAt((Position) arguments[0]);
            case "getManagedLedger" -> cursor.ledger();
            case "getCursorProperties" -> Map.of();
            case "getProperties" -> cursor.records().map(CursorRecords::numbers).orElse(Map.of());
            case "putProperty" -> cursor.putNumber(load, (String) arguments[0], (Long) arguments[1]);
            case "isDurable" -> true;
            case "setThrottleMarkDelete" -> cursor.records().map(each -> each.limitRate((double) arguments[0])).orElse(null);
            case "getNumberOfEntriesInBacklog" -> (long) cursor.unackedFrom(0);
            case "getNumberOfEntries" -> (long) cursor.unackedFrom(cursor.readEntry());
            case "getName" -> "sub";
            case "asyncDelete" -> cursor.delete(load, (Iterable<?>) arguments[0], (DeleteCallback) arguments[1]);
            case "asyncMarkDelete" -> cursor.markDelete(load, (Position) arguments[0], (MarkDeleteCallback) arguments[2]);
            case "getTotalNonContiguousDeletedMessagesRange" -> cursor.hasHoles() ? 1 : 0;
            default -> throw new UnsupportedOperationException("the model has no ManagedCursor." + call);
        };
    }
}
