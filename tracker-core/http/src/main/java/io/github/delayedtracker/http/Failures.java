/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import io.github.delayedtracker.command.RefusedException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.pulsar.broker.service.BrokerServiceException.ServiceUnitNotReadyException;
import org.apache.pulsar.broker.service.BrokerServiceException.TopicFencedException;
import org.apache.pulsar.broker.service.BrokerServiceException.TopicNotFoundException;
import org.apache.pulsar.common.naming.TopicName;

/** What went wrong, as an HTTP status with a reason. What is not foreseen is 500, and the caller has to log it. */
final class Failures {

    private Failures() {
    }

    /** The failure as users see it. */
    static Failure of(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        if (cause instanceof Failure failure) {
            return failure;
        }
        if (cause instanceof RefusedException refused) {
            return new Failure(status(refused.reason()), refused.getMessage());
        }
        if (cause instanceof TimeoutException) {
            return new Failure(503, "there was no answer in time; what was asked for may be done or not; asking again is safe,"
                    + " but for a move by a distance");
        }
        if (cause instanceof ServiceUnitNotReadyException || cause instanceof TopicFencedException) {
            return new Failure(503, "the topic is on its way to another broker, or being closed; try again");
        }
        if (cause instanceof TopicNotFoundException) {
            return new Failure(404, "there is no such topic");
        }
        return new Failure(500, "it failed unexpectedly; the broker's log says why");
    }

    /**
     * Why a topic was not loaded: a failure of the broker or its storage is 503, as it goes by; the broker has logged it.
     *
     * @return the failure itself if it is another one
     */
    static Throwable ofLoad(TopicName topic, Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        return isOfTheBroker(cause) && (cause instanceof TimeoutException || of(cause).status() == 500)
                ? new Failure(503, "the broker cannot load " + topic + " now; its log says why. Nothing was done") : cause;
    }

    /**
     * Whether this is why a broker does not answer that is asked where a topic is, or for the topic: what it, its storage and its
     * metadata store are known to fail with is declared. A defect is not.
     */
    static boolean isOfTheBroker(Throwable cause) {
        return cause instanceof Exception && !(cause instanceof RuntimeException);
    }

    /** What a future has wrapped. */
    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Conflict is what the user has to change; unavailable is what goes by. */
    private static int status(RefusedException.Reason reason) {
        return switch (reason) {
            case NO_SUCH_TOPIC, NO_SUCH_SUBSCRIPTION -> 404;
            case NO_SCHEDULE, NO_CONSUMER, NOT_CONFIRMED -> 409;
            case NO_JOURNAL, UNREAD -> 503;
            case BAD_REQUEST -> 400;
            case TOO_MANY -> 429;
        };
    }
}
