/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/**
 * Decides who may ask the page's server. A page of another origin that a browser shows is refused, and so is whoever does not
 * know the token of this start.
 *
 * <p>The Host has to be this server's address, or a name made to point here would do (DNS rebinding). The Origin, where the
 * browser tells it, has to be this server's. The token is in the fragment of the address that the job prints, which no browser
 * sends or passes on.
 */
final class PageGuard {

    private static final int TOKEN_BYTES = 24;

    private final Set<String> hosts;
    private final String token;

    private PageGuard(int port, String token) {
        this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port);
        this.token = token;
    }

    /** The guard of a server on that port, with a new token. */
    static PageGuard of(int port) {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return new PageGuard(port, Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    String token() {
        return token;
    }

    /** A request as far as it matters here; of a header that was not sent there is none. */
    record Request(String method, String path, Optional<String> host, Optional<String> origin, Optional<String> token) {

        private boolean changes() {
            return method.equals("POST");
        }
    }

    /** Why a request is refused; empty if it is not. */
    Optional<String> refusal(Request request) {
        if (request.host().filter(hosts::contains).isEmpty()) {
            return Optional.of("the Host is not this server");
        }
        Optional<String> foreign = request.origin().filter(origin -> !own(origin));
        if (foreign.isPresent() || request.changes() && request.origin().isEmpty()) {
            return Optional.of("the Origin is not this server");
        }
        if (request.path().startsWith(PageServer.API) && request.token().filter(this::same).isEmpty()) {
            return Optional.of("the token is missing or not the one of this start: open the address that the job has printed");
        }
        return Optional.empty();
    }

    private boolean own(String origin) {
        return hosts.stream().anyMatch(host -> origin.equals("http://" + host));
    }

    private boolean same(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
