/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.bucket.steps.JobTime;
import io.github.delayedtracker.bucket.steps.JobWorld;
import io.github.delayedtracker.bucket.storage.Retries.JobLimits;
import io.github.delayedtracker.bucket.storage.SnapshotStorage.SnapshotReader;
import io.github.delayedtracker.bucket.storage.StorageException.Kind;
import io.github.delayedtracker.bucket.storage.faults.Fault;
import io.github.delayedtracker.bucket.storage.faults.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetriesTest {

    private final JobTime time = new JobTime(1);
    private final List<Long> calledAt = new ArrayList<>();
    private final List<CompletableFuture<?>> answers = new ArrayList<>();
    private final Retries longest = time.retries(bound -> bound - 1, JobLimits.DEFAULT);

    private Supplier<CompletableFuture<String>> failing(Kind kind) {
        return () -> {
            calledAt.add(time.nowMillis());
            return CompletableFuture.failedFuture(new StorageException(kind, "no"));
        };
    }

    private StorageException failureOf(CompletableFuture<?> answer) {
        return assertThrows(StorageException.class, () -> time.get(answer));
    }

    /** S-09: a failing load was tried again without a pause, for ever. */
    @Test
    void s09_tenAttemptsWithGapsThatDoubleUpToTheLongest() {
        StorageException failure = failureOf(longest.call("reading", failing(Kind.UNAVAILABLE)));
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < calledAt.size(); i++) {
            gaps.add(calledAt.get(i) - calledAt.get(i - 1));
        }
        assertEquals(List.of(100L, 200L, 400L, 800L, 1_600L, 3_200L, 6_400L, 12_800L, 25_600L), gaps);
        assertEquals(Kind.UNAVAILABLE, failure.kind());
        assertTrue(failure.getMessage().contains("10 times"), failure.getMessage());
        assertEquals(60_000, JobLimits.DEFAULT.backOffMillis(11));
        assertEquals(60_000, JobLimits.DEFAULT.backOffMillis(Integer.MAX_VALUE));
    }

    @Test
    void jitterIsDrawnFromTheWholeWait() {
        List<Long> bounds = new ArrayList<>();
        Retries none = time.retries(bound -> {
            bounds.add(bound);
            return 0;
        }, JobLimits.DEFAULT);
        failureOf(none.call("reading", failing(Kind.UNEXPECTED)));
        assertEquals(List.of(101L, 201L, 401L, 801L, 1_601L, 3_201L, 6_401L, 12_801L, 25_601L), bounds);
        assertEquals(0, time.nowMillis());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void onlyWhatMaySucceedLaterIsTriedAgain(Kind kind) {
        StorageException failure = failureOf(longest.call("reading", failing(kind)));
        assertEquals(new StorageException(kind, "").isRetryable() ? 10 : 1, calledAt.size());
        assertEquals(kind, failure.kind());
        assertEquals(0, time.armedCount());
    }

    @Test
    void whatHasNoNameIsUnexpectedAndTriedAgain() {
        int[] calls = {0};
        CompletableFuture<String> answer = longest.call("reading", () -> {
            calls[0]++;
            throw new IllegalStateException("a defect");
        });
        assertEquals(Kind.UNEXPECTED, failureOf(answer).kind());
        assertEquals(10, calls[0]);
    }

    @Test
    void aGoodAnswerEndsTheTrying() throws Exception {
        CompletableFuture<String> answer = longest.call("reading", () -> calledAt.size() < 3 ? failing(Kind.UNAVAILABLE).get()
                : CompletableFuture.completedFuture("good"));
        assertEquals("good", time.get(answer));
        assertEquals(List.of(0L, 100L, 300L), calledAt);
    }

    @Test
    void aHungCallIsGivenUpAfterTheTimeoutByCancellingTheStoragesOwnFuture() {
        List<CompletableFuture<String>> handedOut = new ArrayList<>();
        CompletableFuture<String> answer = longest.call("reading", () -> {
            handedOut.add(new CompletableFuture<>());
            return handedOut.get(handedOut.size() - 1);
        });
        time.runUntil(29_999);
        assertFalse(handedOut.get(0).isDone());
        time.runUntil(30_000);
        assertTrue(handedOut.get(0).isCancelled());
        assertEquals(Kind.UNAVAILABLE, failureOf(answer).kind());
        assertEquals(10, handedOut.size());
        assertTrue(handedOut.stream().allMatch(CompletableFuture::isCancelled));
        assertEquals(0, time.armedCount());
    }

    @Test
    void whatArrivesAfterTheTimeoutIsClearedAway() throws Exception {
        JobWorld world = new JobWorld(3);
        long ledgerId = world.write(JobWorld.columns(3, 10, 0, 100)).ledgerId();
        world.faulty.onCall(Operation.OPEN, "*", 1, Fault.answerLate(100_000));
        SnapshotReader reader = world.get(world.retries.call("opening", () -> world.storage().open(ledgerId)));
        assertTrue(world.time.nowMillis() < 31_000, "the second attempt answers");
        reader.close();
        world.assertNothingHeld("after the late answer");
        assertTrue(world.time.nowMillis() >= 100_000);
    }

    @Test
    void abandoningEndsACallAtOnceWithClosed() {
        CompletableFuture<String> hung = new CompletableFuture<>();
        CompletableFuture<String> answer = longest.call("reading", () -> hung);
        longest.abandon();
        assertEquals(Kind.CLOSED, failureOf(answer).kind());
        assertTrue(hung.isCancelled());
        assertEquals(0, time.nowMillis());
        assertEquals(0, time.armedCount());
    }

    @Test
    void abandoningEndsAWaitForTheNextTryAtOnceWithClosed() {
        CompletableFuture<String> answer = longest.call("reading", failing(Kind.UNAVAILABLE));
        time.runUntil(50);
        longest.abandon();
        assertEquals(Kind.CLOSED, failureOf(answer).kind());
        assertEquals(1, calledAt.size());
        assertEquals(50, time.nowMillis());
        assertEquals(0, time.armedCount());
    }

    /** S-10: what ended after close armed a timer. */
    @Test
    void s10_nothingIsBegunAndNothingArmedOnceAbandoned() {
        longest.abandon();
        assertEquals(Kind.CLOSED, failureOf(longest.call("reading", failing(Kind.UNAVAILABLE))).kind());
        assertEquals(0, calledAt.size());
        assertEquals(0, time.armedCount());
    }

    @Test
    void clearingUpIsDoneEvenWhenAbandonedAndOnce() {
        longest.abandon();
        assertEquals(Kind.UNAVAILABLE, failureOf(longest.lastly("deleting", failing(Kind.UNAVAILABLE))).kind());
        assertEquals(1, calledAt.size());
        CompletableFuture<String> hung = new CompletableFuture<>();
        assertEquals(Kind.UNAVAILABLE, failureOf(longest.lastly("deleting", () -> hung)).kind());
        assertTrue(hung.isCancelled());
    }

    @Test
    void freshOnesGoOnAndEndByThemselves() throws Exception {
        longest.abandon();
        Retries fresh = longest.fresh();
        assertEquals("good", time.get(fresh.call("reading", () -> CompletableFuture.completedFuture("good"))));
        fresh.abandonAfter(500);
        CompletableFuture<String> answer = fresh.call("reading", CompletableFuture::new);
        assertEquals(Kind.CLOSED, failureOf(answer).kind());
        assertEquals(500, time.nowMillis());
    }

    @Test
    void cancellingAnAnswerGivesTheCallUp() {
        CompletableFuture<String> hung = new CompletableFuture<>();
        assertTrue(longest.once("appending", () -> hung).cancel(false));
        assertTrue(hung.isCancelled());
        time.runAll();
        assertEquals(0, time.armedCount());
    }

    /** One call is under way, another waits for its turn. */
    private CompletableFuture<String> waiting(Retries one, CompletableFuture<String> ahead) {
        answers.add(one.fresh().once("reading", () -> ahead));
        return one.once("reading", failing(Kind.UNAVAILABLE));
    }

    private Retries oneCallAtATime() {
        return time.retries(bound -> 0, new SomeLimits().callsUnderWay(1).make());
    }

    @Test
    void theTimeOutOfACallRunsFromItsTurnOn() {
        Retries one = oneCallAtATime();
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(one.once("reading", () -> {
                calledAt.add(time.nowMillis());
                CompletableFuture<String> answer = new CompletableFuture<>();
                time.after(8_000, () -> answer.complete("good"));
                return answer;
            }));
        }
        time.runAll();
        assertEquals(List.of(0L, 8_000L, 16_000L, 24_000L, 32_000L), calledAt);
        assertTrue(all.stream().allMatch(answer -> "good".equals(answer.getNow(null))));
        assertEquals(0, time.armedCount());
    }

    @Test
    void theMoreUrgentCallHasItsTurnFirstWhoeverMakesIt() {
        Retries one = oneCallAtATime();
        CompletableFuture<String> ahead = new CompletableFuture<>();
        answers.add(one.once("reading", () -> ahead));
        List<String> order = new ArrayList<>();
        answers.add(one.wantedWithin(30_000).once("merging", () -> CompletableFuture.completedFuture(order.add("merge"))));
        answers.add(one.fresh().wantedAt(200).once("loading", () -> CompletableFuture.completedFuture(order.add("far"))));
        answers.add(one.fresh().wantedAt(100).once("loading", () -> CompletableFuture.completedFuture(order.add("near"))));
        ahead.complete("good");
        time.runAll();
        assertEquals(List.of("near", "far", "merge"), order);
    }

    @Test
    void abandoningTakesACallOutOfTheQueue() {
        Retries one = oneCallAtATime();
        CompletableFuture<String> ahead = new CompletableFuture<>();
        CompletableFuture<String> answer = waiting(one, ahead);
        one.abandon();
        assertEquals(Kind.CLOSED, failureOf(answer).kind());
        ahead.complete("good");
        time.runAll();
        assertEquals(List.of(), calledAt);
        assertEquals(0, one.samples().get("bucket_calls_waiting"));
        assertEquals(0, one.samples().get("bucket_calls_under_way"));
    }

    @Test
    void abandoningAViewAbandonsTheOthersAndNotTheQueue() throws Exception {
        Retries one = oneCallAtATime();
        one.wantedAt(5).abandon();
        assertEquals(Kind.CLOSED, failureOf(one.once("reading", failing(Kind.UNAVAILABLE))).kind());
        assertEquals("good", time.get(one.fresh().once("reading", () -> CompletableFuture.completedFuture("good"))));
    }

    @Test
    void cancellingAnAnswerTakesTheCallOutOfTheQueue() {
        Retries one = oneCallAtATime();
        CompletableFuture<String> ahead = new CompletableFuture<>();
        assertTrue(waiting(one, ahead).cancel(false));
        assertEquals(0, one.samples().get("bucket_calls_waiting"));
        ahead.complete("good");
        time.runAll();
        assertEquals(List.of(), calledAt);
    }

    @Test
    void aCallThatThrowsEndsItsTurn() throws Exception {
        Retries one = oneCallAtATime();
        assertEquals(Kind.UNEXPECTED, failureOf(one.once("reading", () -> {
            throw new OutOfMemoryError("on purpose");
        })).kind());
        assertEquals("good", time.get(one.once("reading", () -> CompletableFuture.completedFuture("good"))));
        assertEquals(0, one.samples().get("bucket_calls_under_way"));
    }

    @Test
    void theNextCallOfSomethingBegunDoesNotWaitAndIsNotBegunOnceAbandoned() {
        Retries one = oneCallAtATime();
        answers.add(waiting(one, new CompletableFuture<>()));
        CompletableFuture<String> next = one.next("appending", () -> CompletableFuture.completedFuture("good"));
        time.runUntil(0);
        assertEquals("good", next.getNow("waits"));
        one.abandon();
        assertEquals(Kind.CLOSED, failureOf(one.next("appending", failing(Kind.UNAVAILABLE))).kind());
        assertEquals(List.of(), calledAt);
    }

    @Test
    void whatFollowsRunsOnTheWorkerUnlessItRefuses() throws Exception {
        List<Runnable> handedOver = new ArrayList<>();
        Retries retries = new Retries(time, handedOver::add, bound -> 0, JobLimits.DEFAULT, time::nowMillis, time::nowMillis);
        CompletableFuture<String> call = new CompletableFuture<>();
        CompletableFuture<String> answer = retries.once("reading", () -> call);
        call.complete("good");
        assertFalse(answer.isDone(), "the storage's thread does not go on itself");
        handedOver.remove(0).run();
        assertSame("good", answer.get());
        Retries refused = new Retries(time, rest -> {
            throw new RejectedExecutionException("closed");
        }, bound -> 0, JobLimits.DEFAULT, time::nowMillis, time::nowMillis);
        assertSame("good", refused.once("reading", () -> call).get());
    }

    @Test
    void theNextTryRunsOnTheWorkerAndNotOnTheTimersThread() {
        List<Runnable> handedOver = new ArrayList<>();
        Retries retries = new Retries(time, handedOver::add, bound -> 10, JobLimits.DEFAULT, time::nowMillis, time::nowMillis);
        CompletableFuture<String> answer = retries.call("reading", failing(Kind.UNAVAILABLE));
        handedOver.remove(0).run();
        time.runUntil(10);
        assertEquals(1, calledAt.size());
        handedOver.remove(0).run();
        assertEquals(2, calledAt.size());
        assertFalse(answer.isDone());
    }

    @Test
    void limitsThatWouldNeverTryAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new JobLimits(0, 1, 1, 1, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new JobLimits(1, 0, 1, 1, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new JobLimits(1, 2, 1, 1, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new JobLimits(1, 1, 1, 0, 1, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new JobLimits(1, 1, 1, 1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new JobLimits(1, 1, 1, 1, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> new JobLimits(1, 1, 1, 1, 1, 1, 0));
    }

    @Test
    void aLoopOfStepsThatAreOverAtOnceTakesNoStack() throws Exception {
        int[] turns = {0};
        time.get(Futures.whileTrue(() -> turns[0]++ < 1_000_000 ? Futures.MORE : Futures.NO_MORE));
        assertEquals(1_000_001, turns[0]);
    }
}
