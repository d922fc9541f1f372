/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.bucket.storage.faults;

import io.github.delayedtracker.bucket.storage.StorageException;
import java.util.concurrent.CompletableFuture;

/** One call under way: carries out the fault that was decided for it. */
final class Flight<T> {

    private final StorageLife life;
    private final Operation operation;
    private final Fault fault;
    private final Work<T> work;
    private final Lane.Slot slot;
    private final long number;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    /** What the caller cannot cancel. */
    private final CompletableFuture<T> truth = new CompletableFuture<>();
    private boolean released;
    private boolean effectOver;
    private boolean secondDue;
    private boolean hasValue;
    private T value;
    private StorageException failure;

    Flight(StorageLife life, Operation operation, Fault fault, Work<T> work, Lane.Slot slot, long number) {
        this.life = life;
        this.operation = operation;
        this.fault = fault;
        this.work = work;
        this.slot = slot;
        this.number = number;
    }

    CompletableFuture<T> answer() {
        return answer;
    }

    CompletableFuture<T> truth() {
        return truth;
    }

    Operation operation() {
        return operation;
    }

    long number() {
        return number;
    }

    void begin() {
        switch (fault.kind()) {
            case AT_ONCE -> {
                released = true;
                slot.effectReady(this::effect);
                slot.answerReady(this::land);
            }
            case HANG_BEFORE -> life.hang(this);
            case REORDER -> {
                life.holdBack(this);
                life.after(fault.millis(), this::release);
            }
            case DELAY -> life.after(fault.millis(), this::release);
            default -> release();
        }
    }

    /** Lets it go on, once. */
    void release() {
        if (released) {
            return;
        }
        released = true;
        life.after(life.usualMillis(), () -> slot.effectReady(() -> {
            effect();
            afterEffect();
        }));
    }

    private void afterEffect() {
        if (fault.kind() == Fault.Kind.HANG_AFTER && !life.isHealed()) {
            life.hang(this);
        } else {
            answerSoon();
        }
    }

    /** Resumes what hung. */
    void resume() {
        if (released) {
            answerSoon();
        } else {
            release();
        }
    }

    private void answerSoon() {
        long lateMillis = fault.kind() == Fault.Kind.ANSWER_LATE ? fault.millis() : 0;
        life.after(lateMillis + life.usualMillis(), () -> slot.answerReady(this::land));
    }

    private void effect() {
        effectOver = true;
        switch (fault.kind()) {
            case FAIL_BEFORE, CONFLICT, ANSWER_TWICE -> {
                failure = injected();
                work.failed(failure);
                secondDue = fault.kind() == Fault.Kind.ANSWER_TWICE;
            }
            case LOSE, CORRUPT, GARBLE -> {
                work.strike(fault.kind());
                take();
            }
            case FAIL_AFTER -> {
                take();
                if (failure == null) {
                    failure = injected();
                }
            }
            default -> take();
        }
    }

    private StorageException injected() {
        return new StorageException(fault.error(), "injected into " + operation + " as " + fault.kind());
    }

    private void take() {
        try {
            value = effectOver && secondDue ? work.takeLate() : work.take();
            hasValue = true;
        } catch (StorageException e) {
            failure = e;
        }
    }

    private void land() {
        if (failure == null) {
            failure = work.objection();
        }
        if (secondDue) {
            life.after(fault.millis(), this::second);
        } else {
            life.landed(this);
            work.over();
        }
        if (failure != null) {
            work.failed(failure);
            disposeValue();
            truth.completeExceptionally(failure);
            answer.completeExceptionally(failure);
            return;
        }
        work.accepted();
        truth.complete(value);
        if (!answer.complete(value)) {
            disposeValue();
        }
    }

    /** The effect after the failure was answered, and an answer that finds its place taken. */
    private void second() {
        take();
        secondDue = false;
        if (hasValue && !answer.complete(value)) {
            disposeValue();
        }
        life.landed(this);
        work.over();
    }

    private void disposeValue() {
        if (hasValue) {
            hasValue = false;
            work.dispose(value);
        }
    }

    /** The broker died: it never answers; what has not happened yet happens now or never. */
    void crash(boolean takesEffect) {
        boolean effectDue = !effectOver || secondDue;
        if (effectDue && takesEffect && fault.kind() != Fault.Kind.FAIL_BEFORE && fault.kind() != Fault.Kind.CONFLICT) {
            take();
        }
        disposeValue();
        work.over();
    }
}
