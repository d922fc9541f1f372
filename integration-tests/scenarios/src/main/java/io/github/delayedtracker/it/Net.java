/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** The loopback address, ports that nobody uses, and whether a broker answers on one. */
public final class Net {

    public static final String LOOPBACK = "127.0.0.1";

    private static final int UNAUTHORIZED = 401;
    private static final int CONNECT_MILLIS = 500;
    private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private Net() {
    }

    /** That many different ports, free at the time of asking. */
    static int[] freePorts(int count) throws IOException {
        ServerSocket[] held = new ServerSocket[count];
        int[] ports = new int[count];
        try {
            for (int i = 0; i < count; i++) {
                held[i] = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ports[i] = held[i].getLocalPort();
            }
        } finally {
            for (ServerSocket socket : held) {
                if (socket != null) {
                    socket.close();
                }
            }
        }
        return ports;
    }

    /** Name of the network interface that has the loopback address. */
    public static String loopbackInterface() throws IOException {
        return NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getName();
    }

    /** Whether somebody takes connections at a port of the loopback address. */
    static boolean takesConnections(int port) {
        return takesConnections(LOOPBACK, port);
    }

    /** Whether somebody takes connections there. */
    public static boolean takesConnections(String address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * Whether the broker at this admin address has started and made its default namespace, its last step; of one that asks for
     * authentication, whether it asks.
     */
    public static boolean serves(String adminUrl) throws InterruptedException {
        return answers(adminUrl + "/admin/v2/namespaces/public", "public/default");
    }

    /** Whether a message sent to the broker at this admin address is stored and comes: the broker tries. */
    static boolean stores(String adminUrl) throws InterruptedException {
        return answers(adminUrl + "/admin/v2/brokers/health", "ok");
    }

    static boolean answers(String url, String part) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build();
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == UNAUTHORIZED || response.statusCode() == 200 && response.body().contains(part);
        } catch (IOException notYet) {
            return false;
        }
    }

    /** What an address answers. */
    static String get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30)).build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
