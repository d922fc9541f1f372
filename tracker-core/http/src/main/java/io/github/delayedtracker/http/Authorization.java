/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import io.github.delayedtracker.command.DelayedCommands.Caller;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.servlet.http.HttpServletRequest;
import org.apache.pulsar.broker.PulsarService;
import org.apache.pulsar.broker.authentication.AuthenticationDataSource;
import org.apache.pulsar.broker.authentication.AuthenticationParameters;
import org.apache.pulsar.broker.web.AuthenticationFilter;
import org.apache.pulsar.common.naming.TopicName;
import org.apache.pulsar.common.policies.data.TopicOperation;

/**
 * Whether a caller may do what a request asks for, as the broker itself decides it. The broker's filter in front of the servlet
 * has found out who the caller is; a caller that it has not seen is refused wherever the broker asks for one.
 */
final class Authorization {

    private static final String ORIGINAL_PRINCIPAL = "X-Original-Principal";

    private final PulsarService pulsar;

    Authorization(PulsarService pulsar) {
        this.pulsar = pulsar;
    }

    /**
     * Who asks.
     *
     * @param role as the broker's filter has found it; null if nobody is asked for one
     * @param originalPrincipal for whom a proxy asks; null if it is none
     * @param data what the caller has shown, for authorization plugins
     */
    record Asking(String role, String originalPrincipal, AuthenticationDataSource data) {
    }

    /**
     * Who has sent the request.
     *
     * @throws Failure 401 if the broker asks for a role and there is none
     */
    Asking asking(HttpServletRequest request) {
        Object role = request.getAttribute(AuthenticationFilter.AuthenticatedRoleAttributeName);
        Object data = request.getAttribute(AuthenticationFilter.AuthenticatedDataAttributeName);
        if (role == null && (pulsar.getConfiguration().isAuthenticationEnabled() || isOn())) {
            throw new Failure(401, "the broker asks for authentication, and has found no role for this request");
        }
        return new Asking(role == null ? null : role.toString(), request.getHeader(ORIGINAL_PRINCIPAL),
                data instanceof AuthenticationDataSource source ? source : new AuthenticationDataSource() { });
    }

    /** The caller for the audit line: behind a proxy whom it asks for, which counts only where the broker has checked that. */
    Caller caller(Asking asking) {
        if (asking.role() == null) {
            return new Caller("");
        }
        boolean proxied = isOn() && asking.originalPrincipal() != null && !asking.originalPrincipal().isBlank();
        return new Caller(Printable.line(proxied ? asking.originalPrincipal() : asking.role()));
    }

    /** Completes if the caller may; fails with a {@link Failure} 403 if not. */
    CompletableFuture<Void> allowed(Asking asking, TopicName topic, TopicOperation operation, Optional<String> subscription) {
        if (!isOn()) {
            return CompletableFuture.completedFuture(null);
        }
        asking.data().setSubscription(subscription.orElse(null));
        return pulsar.getBrokerService().getAuthorizationService()
                .allowTopicOperationAsync(topic, operation, asking.originalPrincipal(), asking.role(), asking.data())
                .thenAccept(allowed -> {
                    if (!allowed) {
                        throw new Failure(403, "the role " + Printable.value(asking.role()) + " may not do this: it needs the"
                                + " operation " + operation + " on " + topic
                                + subscription.map(name -> ", subscription " + Printable.value(name)).orElse(""));
                    }
                });
    }

    /** Completes if the caller is a superuser, behind a proxy both are; fails with a {@link Failure} 403 if not. */
    CompletableFuture<Void> superuser(Asking asking) {
        if (!isOn()) {
            return CompletableFuture.completedFuture(null);
        }
        return pulsar.getBrokerService().getAuthorizationService()
                .isSuperUser(AuthenticationParameters.builder().clientRole(asking.role())
                        .originalPrincipal(asking.originalPrincipal()).clientAuthenticationDataSource(asking.data()).build())
                .thenAccept(isOne -> {
                    if (!isOne) {
                        throw new Failure(403, "the role " + Printable.value(asking.role()) + " may not do this: it is no"
                                + " superuser");
                    }
                });
    }

    /**
     * Completes if the caller may do it to each of the subscriptions. One after the other, since the data of a caller holds one
     * subscription at a time, and is read late.
     */
    CompletableFuture<Void> allowedForEach(Asking asking, TopicName topic, TopicOperation operation,
            Collection<String> subscriptions) {
        CompletableFuture<Void> all = CompletableFuture.completedFuture(null);
        if (isOn()) {
            for (String subscription : subscriptions) {
                all = all.thenCompose(before -> allowed(asking, topic, operation, Optional.of(subscription)));
            }
        }
        return all;
    }

    private boolean isOn() {
        return pulsar.getConfiguration().isAuthorizationEnabled();
    }
}
