/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.LedgersIterator;
import org.apache.bookkeeper.client.api.ListLedgersResult;

/**
 * Pages through all ledger ids. BookKeeper only lists from the start, so the iterator is kept from page to page and begun anew
 * when a page is asked for that does not follow the last one. Blocks; runs on the executor for that.
 */
final class LedgerListing {

    private ListLedgersResult listing;
    private LedgersIterator ids;
    private long lastId;

    synchronized List<Long> page(BookKeeper client, long afterLedgerId, int limit) throws Exception {
        try {
            if (ids == null || afterLedgerId != lastId) {
                restart(client);
            }
            List<Long> page = new ArrayList<>(Math.min(limit, 1000));
            while (page.size() < limit && ids.hasNext()) {
                long id = ids.next();
                if (id > afterLedgerId) {
                    page.add(id);
                    lastId = id;
                }
            }
            if (page.size() < limit) {
                end();
            }
            return page;
        } catch (IOException e) {
            end();
            throw new StorageException(StorageException.Kind.UNAVAILABLE, "listing the ledgers failed: " + e, e);
        }
    }

    private void restart(BookKeeper client) throws Exception {
        end();
        listing = client.newListLedgersOp().execute().get();
        ids = listing.iterator();
        lastId = -1;
    }

    private void end() throws IOException {
        ListLedgersResult ended = listing;
        listing = null;
        ids = null;
        if (ended != null) {
            try {
                ended.close();
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }
}
