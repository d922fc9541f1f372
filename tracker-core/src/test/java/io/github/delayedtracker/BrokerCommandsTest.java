/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands;
import io.github.delayedtracker.command.DelayedCommands.Caller;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import io.github.delayedtracker.command.RefusedException;
import io.github.delayedtracker.command.RefusedException.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.pulsar.broker.service.BrokerService;
import org.apache.pulsar.broker.service.persistent.AbstractPersistentDispatcherMultipleConsumers;
import org.apache.pulsar.broker.service.persistent.PersistentSubscription;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands reach the subscriptions of a topic that is loaded here, and each has an answer of its own. */
class BrokerCommandsTest extends JournaledTracker {

    private static final String TOPIC = "persistent://public/default/t";
    private static final Named ONE = new Named(List.of(MessageName.parse("1:1")), false);
    private static final Caller ALICE = new Caller("alice");

    private final BrokerService service = mock(BrokerService.class);
    private final Map<String, PersistentSubscription> subscriptions = new HashMap<>();
    private final DelayedCommands commands = new BrokerCommands(() -> service, broker.services,
            new OrphanCommand(after -> Optional.empty()));

    @BeforeEach
    void aTopicThatIsLoaded() {
        when(service.getTopicReference(anyString())).thenReturn(Optional.empty());
        when(service.getTopicReference(TOPIC)).thenReturn(Optional.of(broker.topic));
        doReturn(subscriptions).when(broker.topic).getSubscriptions();
        when(broker.topic.getSubscription(anyString())).thenAnswer(call -> subscriptions.get(call.<String>getArgument(0)));
        when(broker.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, 99));
        when(broker.subscription.getName()).thenReturn("sub");
        subscription("sub", broker.dispatcher);
        broker.services.registry().add(tracker);
    }

    private void subscription(String name, AbstractPersistentDispatcherMultipleConsumers dispatcher) {
        PersistentSubscription made = mock(PersistentSubscription.class);
        when(made.getDispatcher()).thenReturn(dispatcher);
        subscriptions.put(name, made);
    }

    private Reason refusal(CompletableFuture<?> command) {
        ExecutionException refused = assertThrows(ExecutionException.class, command::get);
        return assertInstanceOf(RefusedException.class, refused.getCause()).reason();
    }

    @Test
    void aSubscriptionThatRefusesDoesNotHideThatAnotherHasCancelled() throws Exception {
        FakeBroker other = new FakeBroker();
        when(other.subscription.getName()).thenReturn("without-a-journal");
        when(other.ledger.getName()).thenReturn("public/default/persistent/t");
        subscription("without-a-journal", other.dispatcher);
        broker.services.registry().add(other.tracker(true));
        assertTrue(tracker.addMessage(1, 1, FakeBroker.NOW + 10_000));
        CompletableFuture<List<Result>> command = commands.cancel(TOPIC, Optional.empty(), ONE, MEANT, ALICE);
        afterSeconds(1);
        List<Result> results = new ArrayList<>(command.get());
        results.sort(Comparator.comparing(Result::subscription));
        assertEquals(List.of(new Result("sub", ONE.ids(), List.of(Answer.CANCELLED), Optional.empty()),
                new Result("without-a-journal", ONE.ids(), List.of(Answer.REFUSED), Optional.empty())), results);
    }

    @Test
    void aCommandThatNobodyTakesIsRefused() {
        consumer = null;
        assertEquals(Reason.NO_CONSUMER, refusal(commands.cancel(TOPIC, Optional.empty(), ONE, MEANT, ALICE)));
        assertEquals(Reason.NO_SUCH_TOPIC, refusal(commands.cancel(TOPIC + "2", Optional.empty(), ONE, MEANT, ALICE)));
        assertEquals(Reason.NO_SUCH_SUBSCRIPTION, refusal(commands.cancel(TOPIC, Optional.of("none"), ONE, MEANT, ALICE)));
        assertEquals(Reason.BAD_REQUEST, refusal(commands.cancel(TOPIC, Optional.empty(),
                new Named(List.of(), false), MEANT, ALICE)));
        assertEquals(Reason.BAD_REQUEST, refusal(commands.look(TOPIC, Optional.empty(), List.of(2L, 1L))));
        subscriptions.clear();
        assertEquals(Reason.NO_SCHEDULE, refusal(commands.look(TOPIC, Optional.empty(), List.of())));
    }

    @Test
    void aCallByIdsHasABoundedNumberOfAnswersOverAllSubscriptions() throws Exception {
        FakeBroker[] others = new FakeBroker[10];
        for (int i = 0; i < others.length; i++) {
            others[i] = new FakeBroker();
            when(others[i].subscription.getName()).thenReturn("sub" + i);
            when(others[i].ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, 99));
            subscription("sub" + i, others[i].dispatcher);
            broker.services.registry().add(others[i].tracker(true));
        }
        Named many = new Named(LongStream.range(0, 10_000).mapToObj(i -> MessageName.parse("2:" + i)).toList(), false);
        assertEquals(Reason.BAD_REQUEST, refusal(commands.cancel(TOPIC, Optional.empty(), many, MEANT, ALICE)));
        subscriptions.remove("sub0");
        CompletableFuture<List<Result>> taken = commands.cancel(TOPIC, Optional.empty(), many, new Options(true, true), ALICE);
        assertEquals(10, taken.get(60, TimeUnit.SECONDS).size());
    }

    /** Its clock goes on by a second with each subscription. */
    @Test
    void aCallBeginsWithNoSubscriptionAfterTenSeconds() throws Exception {
        for (int i = 0; i < 20; i++) {
            FakeBroker other = new FakeBroker();
            when(other.subscription.getName()).thenReturn("sub" + i);
            when(other.ledger.getLastConfirmedEntry()).thenReturn(PositionFactory.create(1, 99));
            subscription("sub" + i, other.dispatcher);
            broker.services.registry().add(other.tracker(true));
        }
        Named beyond = new Named(List.of(MessageName.parse("2:1")), false);
        AtomicLong seconds = new AtomicLong();
        TrackerServices known = broker.services;
        DelayedCommands slow = new BrokerCommands(() -> service, new TrackerServices(broker.timer,
                () -> FakeBroker.NOW + 1_000 * seconds.getAndIncrement(), known.registry(), Runnable::run, broker.configuration,
                known.purges(), known.acks(), known.limits(), known.journals(), known.delays(), known.lateness(),
                known.warnings()), new OrphanCommand(after -> Optional.empty()));
        List<Result> results = slow.cancel(TOPIC, Optional.empty(), beyond, new Options(true, true), ALICE)
                .get(60, TimeUnit.SECONDS);
        assertEquals(21, results.size());
        assertEquals(10, results.stream().filter(result -> !result.answers().equals(List.of(Answer.REFUSED))).count(),
                results::toString);
    }

    @Test
    void aLookCountsWhatIsDueByEachTime() throws Exception {
        assertTrue(tracker.addMessage(1, 1, FakeBroker.NOW + 10_000));
        var looked = commands.look(TOPIC, Optional.of("sub"), List.of(FakeBroker.NOW, FakeBroker.NOW + 1_000_000)).get().get(0);
        assertEquals(1, looked.count());
        assertEquals(FakeBroker.NOW + 10_000, looked.nextDueMillis().orElseThrow());
        assertEquals(List.of(0L, 1L), looked.dueBy().stream().map(DelayedCommands.DueBy::count).toList());
        assertEquals("none", looked.blocked());
        assertEquals(0, looked.overdue());
    }

    @Test
    void aLookTellsHowManyAreDueThoughNobodyAsksForThem() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertTrue(tracker.addMessage(1, i, FakeBroker.NOW + 10_000));
        }
        assertTrue(tracker.addMessage(1, 200, FakeBroker.NOW + 1_000_000));
        afterSeconds(11);
        var looked = commands.look(TOPIC, Optional.of("sub"), List.of()).get().get(0);
        assertEquals(200, looked.overdue());
        assertEquals(201, looked.count());
    }
}
