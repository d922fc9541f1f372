/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.acks.AckedPositions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedCursorInfo;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.MessageRange;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.NestedPositionInfo;
import org.apache.pulsar.broker.ServiceConfiguration;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.TopicEventsListener;
import org.apache.pulsar.broker.service.TopicEventsListener.EventStage;
import org.apache.pulsar.broker.service.TopicEventsListener.TopicEvent;
import org.apache.pulsar.common.api.proto.CompressionType;
import org.apache.pulsar.common.compression.CompressionCodecProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.ArgumentCaptor;

/** H1: no record of a cursor grows to what ZooKeeper drops a connection for. */
class CursorRecordLimitsTest {

    /** {@code jute.maxbuffer}, less a tenth for the rest of the record and of the request. */
    private static final int MOST_BYTES = 0xfffff * 9 / 10;

    private static final int TOPIC_LEDGER_ENTRIES = 50_000;
    private static final CursorRecordLimits PLAIN = CursorRecordLimits.of(new ServiceConfiguration());
    private static final String TOPIC = "persistent://public/default/t";

    @ParameterizedTest
    @CsvSource({"1000, 2", "1000, 4", "1000, 100", "1000, 5000", "1000, 50000", "10000000, 2", "10000000, 100",
            "10000000, 5000", "10000000, 50000", "5000000000, 2", "5000000000, 100", "5000000000, 50000"})
    void asManyRangesAsAllowedFitInsideARequestToZooKeeper(long firstLedgerId, int gap) {
        int plain = record(CursorRecordLimits.MOST_PLAIN_RANGES, firstLedgerId, gap).length;
        assertTrue(plain <= MOST_BYTES, plain + " bytes");
        byte[] larger = record(CursorRecordLimits.MOST_COMPRESSED_RANGES, firstLedgerId, gap);
        for (CompressionType codec : EnumSet.complementOf(EnumSet.of(CompressionType.NONE))) {
            ByteBuf compressed = CompressionCodecProvider.getCompressionCodec(codec).encode(Unpooled.wrappedBuffer(larger));
            assertTrue(compressed.readableBytes() <= MOST_BYTES, codec + " " + compressed.readableBytes() + " bytes");
            compressed.release();
        }
    }

    @Test
    void limitsAreLoweredAndNeverRaised() {
        ManagedLedgerConfig topic = new ManagedLedgerConfig().setMaxUnackedRangesToPersist(10_000_000)
                .setMaxUnackedRangesToPersistInMetadataStore(200_000);
        PLAIN.lower(topic);
        assertEquals(30_000, topic.getMaxUnackedRangesToPersist());
        assertEquals(1_000, topic.getMaxUnackedRangesToPersistInMetadataStore());
        topic.setMaxUnackedRangesToPersist(7).setMaxUnackedRangesToPersistInMetadataStore(0);
        PLAIN.lower(topic);
        assertEquals(7, topic.getMaxUnackedRangesToPersist());
        assertEquals(0, topic.getMaxUnackedRangesToPersistInMetadataStore());
    }

    @ParameterizedTest
    @CsvSource(value = {"NONE; 30000", "none; 30000", "; 30000", "LZ4; 60000", "ZSTD; 60000"}, delimiter = ';')
    void aCompressedRecordMayHaveMoreRanges(String codec, int ranges) {
        ServiceConfiguration configuration = new ServiceConfiguration();
        configuration.setManagedCursorInfoCompressionType(codec);
        assertEquals(ranges, CursorRecordLimits.of(configuration).mostRanges());
    }

    @ParameterizedTest
    @CsvSource({"rocksdb:///data, false", "memory:local, false", "zk:127.0.0.1:2181, true", "127.0.0.1:2181, true",
            "etcd:http://127.0.0.1:2379, true", "oxia://127.0.0.1:6648, true"})
    void onlyAStoreOnTheBrokersOwnDiskTakesRecordsOfAnySize(String url, boolean limited) {
        ServiceConfiguration configuration = new ServiceConfiguration();
        configuration.setMetadataStoreUrl(url);
        ManagedLedgerConfig topic = new ManagedLedgerConfig().setMaxUnackedRangesToPersist(200_000);
        CursorRecordLimits.of(configuration).lower(topic);
        assertEquals(limited ? 30_000 : 200_000, topic.getMaxUnackedRangesToPersist());
    }

    @ParameterizedTest
    @CsvSource({"30000, 200000", "30001, 30000"})
    void aTopicIsLimitedOnceItIsLoadedWithTooManyRangesThoughNobodyUsesIt(int ranges, int limit) {
        FakeBroker broker = new FakeBroker();
        broker.limits.setMaxUnackedRangesToPersist(200_000);
        when(broker.topic.getManagedLedger()).thenReturn(broker.ledger);
        when(broker.cursor.getTotalNonContiguousDeletedMessagesRange()).thenReturn(ranges);
        BrokerService service = mock(BrokerService.class);
        when(service.getTopicReference(TOPIC)).thenReturn(Optional.of(broker.topic));
        AtomicReference<BrokerService> made = new AtomicReference<>();
        LoadedTopics.watch(made::get, PLAIN, broker.timer, Runnable::run);
        broker.timer.advanceTo(FakeBroker.NOW + 1_000);
        made.set(service);
        broker.timer.advanceTo(FakeBroker.NOW + 2_000);
        ArgumentCaptor<TopicEventsListener> listener = ArgumentCaptor.forClass(TopicEventsListener.class);
        verify(service).addTopicEventListener(listener.capture());
        listener.getValue().handleEvent(TOPIC, TopicEvent.LOAD, EventStage.BEFORE, null);
        broker.timer.advanceTo(FakeBroker.NOW + 3_000);
        assertEquals(200_000, broker.limits.getMaxUnackedRangesToPersist());
        listener.getValue().handleEvent(TOPIC, TopicEvent.LOAD, EventStage.SUCCESS, null);
        broker.timer.advanceTo(FakeBroker.NOW + 4_000);
        assertEquals(limit, broker.limits.getMaxUnackedRangesToPersist());
    }

    @Test
    void bitmapsAreWrittenWhereTheyKeepMore() {
        ManagedLedgerConfig topic = new ManagedLedgerConfig().setMaxUnackedRangesToPersist(100);
        AckedPositions scattered = acknowledged(0x5555_5555_5555_5555L);
        PLAIN.chooseForm(topic, scattered, false);
        assertFalse(topic.isPersistIndividualAckAsLongArray(), "another cursor of the topic might lose more");
        PLAIN.chooseForm(topic, scattered, true);
        assertTrue(topic.isPersistIndividualAckAsLongArray());
        PLAIN.chooseForm(topic, scattered, false);
        assertFalse(topic.isPersistIndividualAckAsLongArray());
        PLAIN.chooseForm(topic, acknowledged(-1L), true);
        assertFalse(topic.isPersistIndividualAckAsLongArray(), "a few long ranges");
    }

    @Test
    void bitmapsThatTheBrokerIsSetToStay() {
        CursorRecordLimits bitmaps = new CursorRecordLimits(30_000, true);
        ManagedLedgerConfig topic = new ManagedLedgerConfig().setMaxUnackedRangesToPersist(100);
        topic.setPersistIndividualAckAsLongArray(true);
        bitmaps.chooseForm(topic, acknowledged(-1L), true);
        assertTrue(topic.isPersistIndividualAckAsLongArray());
    }

    @Test
    void aTrackerLimitsTheRecordWhenItIsMadeAtEachSweepAndWhenItIsClosed() {
        FakeBroker broker = new FakeBroker();
        SubscriptionTracker tracker = broker.tracker(false);
        for (Runnable moment : List.<Runnable>of(tracker::start, tracker::sweep, tracker::close)) {
            ManagedLedgerConfig ofANewPolicy = new ManagedLedgerConfig().setMaxUnackedRangesToPersist(200_000);
            when(broker.ledger.getConfig()).thenReturn(ofANewPolicy);
            moment.run();
            assertEquals(30_000, ofANewPolicy.getMaxUnackedRangesToPersist());
        }
        assertEquals(0, tracker.failures.count());
    }

    @Test
    void aCursorWithoutLimitsDisturbsNothing() {
        FakeBroker broker = new FakeBroker();
        when(broker.ledger.getConfig()).thenThrow(new IllegalStateException("no answer"));
        SubscriptionTracker tracker = broker.tracker(false);
        tracker.start();
        assertTrue(tracker.addMessage(1, 1, FakeBroker.NOW + 60_000));
        tracker.close();
        assertEquals(2, tracker.failures.count());
    }

    /** Two ledgers of 4,096 entries whose acknowledgements are this pattern. */
    private static AckedPositions acknowledged(long pattern) {
        long[] words = new long[64];
        Arrays.fill(words, pattern);
        return new AckedPositions(Map.of(1L, words, 2L, words), true);
    }

    private static byte[] record(int ranges, long firstLedgerId, int gap) {
        Random random = new Random(1);
        ManagedCursorInfo.Builder record = ManagedCursorInfo.newBuilder().setCursorsLedgerId(-1)
                .setMarkDeleteLedgerId(firstLedgerId).setMarkDeleteEntryId(5);
        long ledgerId = firstLedgerId;
        long entryId = 0;
        for (int i = 0; i < ranges; i++) {
            entryId += 1 + random.nextInt(2 * gap - 1);
            if (entryId >= TOPIC_LEDGER_ENTRIES) {
                ledgerId += 1 + random.nextInt(50);
                entryId = random.nextInt(10);
            }
            record.addIndividualDeletedMessages(MessageRange.newBuilder().setLowerEndpoint(position(ledgerId, entryId - 1))
                    .setUpperEndpoint(position(ledgerId, entryId + random.nextInt(Math.max(1, gap / 2)))));
        }
        return record.build().toByteArray();
    }

    private static NestedPositionInfo position(long ledgerId, long entryId) {
        return NestedPositionInfo.newBuilder().setLedgerId(ledgerId).setEntryId(entryId).build();
    }

    @ParameterizedTest
    @CsvSource({"4.0.7, LZ4, false", "4.2.4, LZ4, true", "4.2.4, NONE, false", "5.0.0-M1, LZ4, true", "5.0.0-M1, NONE, false",
            "5.0.1, LZ4, false"})
    void someBrokersCannotReadACompressedRecordWithAProperty(String brokerVersion, String compression, boolean loses) {
        ServiceConfiguration configuration = new ServiceConfiguration();
        configuration.setManagedCursorInfoCompressionType(compression);
        assertEquals(loses, CursorRecordLimits.loseProperties(configuration, brokerVersion));
        assertEquals(loses, CursorRecordLimits.reasonForNoJournal(configuration, brokerVersion)
                .filter(reason -> reason.endsWith("managedCursorInfoCompressionType=NONE ends that")).isPresent());
    }

    @Test
    void aCursorThatKeepsSingleRangesHasNoJournal() {
        ServiceConfiguration configuration = new ServiceConfiguration();
        assertEquals(Optional.empty(), CursorRecordLimits.reasonForNoJournal(configuration, "4.0.7"));
        configuration.setManagedLedgerUnackedRangesOpenCacheSetEnabled(false);
        assertTrue(CursorRecordLimits.reasonForNoJournal(configuration, "4.0.7").orElseThrow()
                .endsWith("managedLedgerUnackedRangesOpenCacheSetEnabled=true ends that"));
    }
}
