/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.record;

import io.github.delayedtracker.bucket.snapshot.StockKey;
import io.github.delayedtracker.bucket.storage.CatalogueStore;
import io.github.delayedtracker.bucket.storage.Futures;
import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The record of a cursor kept as the stock bucket tracker keeps it: each live snapshot in the stock form is a property of its own
 * under the stock prefix. The plugin's property holds the rest: the doomed ledgers, and live ledgers in the plugin's own form.
 *
 * <p>An update has three parts: first the properties of new snapshots are set, then the rest is written, last the properties of
 * snapshots that are not live any more are removed. If an update fails in between, each part stands or does not; the next update
 * begins with the properties that the broker knows. A crash leaves a snapshot named and doomed at worst. Reading removes its
 * property then, so that no property names a deleted ledger.
 */
public final class StockCatalogue implements CatalogueStore {

    private static final String WHAT = "updating the stock properties";

    private final CatalogueStore own;
    private final CatalogueStore stock;
    private final StockRanges ranges;
    /** Whether an update has failed, so that the properties that the broker knows need not be durable. */
    private volatile boolean unsettled;

    /**
     * A catalogue of a durable cursor.
     *
     * @param own the plugin's properties
     * @param stock the properties of the stock bucket tracker
     * @param ranges hear of the snapshots that are read, and give the names of the properties that are written
     */
    public StockCatalogue(CatalogueStore own, CatalogueStore stock, StockRanges ranges) {
        this.own = own;
        this.stock = stock;
        this.ranges = ranges;
    }

    @Override
    public CompletableFuture<Map<String, String>> readAll() {
        return readAll(rest -> rest);
    }

    @Override
    public CompletableFuture<Map<String, String>> readAllBut(String name) {
        return readAll(rest -> {
            Map<String, String> others = new HashMap<>(rest);
            others.remove(name);
            return others;
        });
    }

    private CompletableFuture<Map<String, String>> readAll(UnaryOperator<Map<String, String>> readable) {
        return Futures.inParts(WHAT, parts -> parts.run(own::readAll, found -> parts.run(stock::readAll, properties -> {
            Map<String, String> rest = readable.apply(found);
            CatalogueRecord record;
            try {
                record = CatalogueRecord.in(rest);
            } catch (StorageException e) {
                // The text goes on as it stands, to whoever decodes it next.
                parts.answer().complete(rest);
                return;
            }
            Map<String, String> all = new HashMap<>(rest);
            all.put(CatalogueKeeper.PROPERTY, joined(record, live(properties)).encode());
            Deque<Supplier<CompletableFuture<Void>>> removals = new ArrayDeque<>();
            properties.keySet().stream().filter(name -> StockProperties.ledgerOf(name, properties.get(name)).stream()
                    .anyMatch(record.doomed()::contains)).forEach(name -> removals.add(() -> removed(name, properties)));
            runAll(removals, parts, all);
        })));
    }

    @Override
    public CompletableFuture<Map<String, String>> readStored() {
        return own.readStored().thenCombine(stock.readStored(), (rest, properties) -> {
            try {
                CatalogueRecord record = CatalogueRecord.in(rest);
                Set<Long> ledgers = new TreeSet<>();
                properties.forEach((name, value) -> StockProperties.ledgerOf(name, value).ifPresent(ledgers::add));
                Map<String, String> all = new HashMap<>(rest);
                all.put(CatalogueKeeper.PROPERTY, joined(record, List.copyOf(ledgers)).encode());
                return all;
            } catch (StorageException e) {
                // The text goes on as it stands, to whoever decodes it next.
                return rest;
            }
        });
    }

    /**
     * The ledgers that the properties name, by their first ledger of the topic. Names and values that stock does not write are
     * left out.
     */
    private List<Long> live(Map<String, String> properties) {
        Map<Long, StockKey> found = new HashMap<>();
        properties.forEach((name, value) -> StockKey.parse(name).ifPresent(key ->
                StockProperties.ledgerOf(name, value).ifPresent(ledgerId -> found.put(ledgerId, key))));
        found.forEach(ranges::put);
        List<Long> ledgers = new ArrayList<>(found.keySet());
        ledgers.sort(Comparator.comparingLong((Long ledgerId) -> found.get(ledgerId).firstLedgerId()).thenComparing(id -> id));
        return ledgers;
    }

    private static CatalogueRecord joined(CatalogueRecord rest, List<Long> stockLedgers) {
        List<Long> live = new ArrayList<>(rest.live());
        stockLedgers.stream().filter(ledgerId -> !rest.doomed().contains(ledgerId) && !live.contains(ledgerId))
                .forEach(live::add);
        return rest.withLedgers(live, rest.doomed());
    }

    @Override
    public CompletableFuture<Void> put(String name, String value) {
        CatalogueRecord record;
        try {
            record = CatalogueRecord.decode(value);
        } catch (StorageException e) {
            return CompletableFuture.failedFuture(e);
        }
        Map<String, String> wanted = new LinkedHashMap<>();
        List<Long> rest = new ArrayList<>();
        for (long ledgerId : record.live()) {
            ranges.find(ledgerId).ifPresentOrElse(key -> wanted.put(key.name(), Long.toString(ledgerId)),
                    () -> rest.add(ledgerId));
        }
        CatalogueRecord kept = record.withLedgers(rest, record.doomed());
        return Futures.inParts(WHAT, parts -> parts.run(stock::readAll, known -> parts.run(own::readAll, ownKnown -> {
            Deque<Supplier<CompletableFuture<Void>>> updates = new ArrayDeque<>();
            wanted.forEach((property, ledgerId) -> {
                if (!ledgerId.equals(known.get(property))) {
                    updates.add(() -> stock.put(property, ledgerId));
                }
            });
            if (unsettled || !says(ownKnown.get(name), kept)) {
                updates.add(() -> kept.saysNothing() ? own.remove(name) : own.put(name, kept.encode()));
            }
            known.keySet().stream().filter(property -> !wanted.containsKey(property)).filter(property ->
                    isKnown(property, known.get(property))).forEach(property -> updates.add(() -> removed(property, known)));
            unsettled = true;
            Futures.whenDone(parts.answer(), (done, failure) -> unsettled = failure != null);
            runAll(updates, parts, null);
        })));
    }

    private CompletableFuture<Void> removed(String property, Map<String, String> known) {
        CompletableFuture<Void> removal = stock.remove(property);
        Futures.whenDone(removal, (done, failure) -> {
            if (failure == null) {
                StockProperties.ledgerOf(property, known.get(property)).ifPresent(ranges::forget);
            }
        });
        return removal;
    }

    /** Whether a property names a snapshot that the record has been told of. */
    private boolean isKnown(String property, String value) {
        return StockProperties.ledgerOf(property, value).stream().anyMatch(ranges::contains);
    }

    private static boolean says(String text, CatalogueRecord record) {
        try {
            return text == null ? record.saysNothing() : CatalogueRecord.decode(text).saysTheSameAs(record);
        } catch (StorageException e) {
            return false;
        }
    }

    @Override
    public CompletableFuture<Void> remove(String name) {
        return Futures.inParts(WHAT, parts -> parts.run(stock::readAll, known -> {
            Deque<Supplier<CompletableFuture<Void>>> updates = new ArrayDeque<>();
            known.keySet().stream().filter(property -> isKnown(property, known.get(property)))
                    .forEach(property -> updates.add(() -> removed(property, known)));
            updates.add(() -> own.remove(name));
            runAll(updates, parts, null);
        }));
    }

    private static <T> void runAll(Deque<Supplier<CompletableFuture<Void>>> updates, Futures.Parts<T> parts, T value) {
        Supplier<CompletableFuture<Void>> next = updates.poll();
        if (next == null || parts.answer().isDone()) {
            parts.answer().complete(value);
        } else {
            parts.run(next, done -> runAll(updates, parts, value));
        }
    }

    @Override
    public CompletableFuture<Void> close() {
        return CompletableFuture.allOf(own.close(), stock.close());
    }
}
