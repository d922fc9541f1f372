/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.apache.pulsar.admin.cli.extensions.CommandExecutionContext;
import org.apache.pulsar.client.admin.PulsarAdminBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tool's TLS settings hold for the commands: a server of another name, whose certificate nobody has signed. */
class TlsSettingsTest {

    private static final String PASSWORD = "changeit";

    @TempDir
    private static Path directory;
    private static Path keyStore;
    private static Path certificate;
    private static AdminRig rig;

    @BeforeAll
    static void start() throws Exception {
        keyStore = directory.resolve("server.p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair",
                "-keyalg", "EC", "-dname", "CN=somebody-else", "-validity", "2", "-storetype", "PKCS12", "-keystore",
                keyStore.toString(), "-storepass", PASSWORD, "-alias", "server").inheritIO().start();
        assertEquals(0, keytool.waitFor());
        Certificate own = keys().getCertificate("server");
        certificate = Files.writeString(directory.resolve("server.pem"), "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(own.getEncoded()) + "\n-----END CERTIFICATE-----\n");
        HttpsServer server = HttpsServer.create();
        server.setHttpsConfigurator(new HttpsConfigurator(context()));
        rig = new AdminRig(server);
        rig.answer(200, "{\"subscriptions\":[]}");
    }

    private static KeyStore keys() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keyStore)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static SSLContext context() throws Exception {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys(), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    private static PulsarAdminBuilder client() {
        return AdminRig.client("https://" + rig.authority()).enableTlsHostnameVerification(false);
    }

    private static String run(PulsarAdminBuilder client) throws Exception {
        return AdminRig.run(client, "schedule", Map.of("topic", "orders", "--json", true)).strip();
    }

    private static void assertRefused(PulsarAdminBuilder client) {
        String line = assertThrows(CommandFailed.class, () -> run(client)).getMessage();
        assertTrue(line.startsWith("TLS with https://" + rig.authority() + " failed: "), line);
    }

    @Test
    void aCertificateThatIsTrustedIsTaken() throws Exception {
        assertEquals("{\"subscriptions\":[]}", run(client().tlsTrustCertsFilePath(certificate.toString())));
    }

    @Test
    void aCertificateThatIsNotTrustedIsRefused() {
        assertRefused(client());
    }

    @Test
    void whoTakesAnyCertificateGetsIt() throws Exception {
        assertEquals("{\"subscriptions\":[]}", run(client().allowTlsInsecureConnection(true)));
    }

    @Test
    void theNameIsLookedAtIfAskedFor() {
        assertRefused(client().tlsTrustCertsFilePath(certificate.toString()).enableTlsHostnameVerification(true));
    }

    @Test
    void keyStoresAreTakenToo() throws Exception {
        assertEquals("{\"subscriptions\":[]}", run(client().useKeyStoreTls(true).tlsTrustStoreType("PKCS12")
                .tlsTrustStorePath(keyStore.toString()).tlsTrustStorePassword(PASSWORD)));
    }

    @Test
    void settingsTheToolCannotUseAreToldInOneLine() {
        CommandExecutionContext context = mock(CommandExecutionContext.class);
        when(context.getPulsarAdmin()).thenThrow(new IllegalStateException("no such file"));
        assertEquals("the settings of the tool cannot be used: no such file",
                assertThrows(CommandFailed.class, () -> Servlet.of(context)).getMessage());
    }

    @Test
    void aRequestByTlsDoesNotGoOnInPlain() throws Exception {
        HttpsServer server = HttpsServer.create();
        server.setHttpsConfigurator(new HttpsConfigurator(context()));
        try (AdminRig first = new AdminRig(server); AdminRig plain = new AdminRig()) {
            first.sendOnTo("http://" + plain.authority() + "/");
            String line = assertThrows(CommandFailed.class, () -> run(AdminRig.client("https://" + first.authority())
                    .enableTlsHostnameVerification(false).allowTlsInsecureConnection(true))).getMessage();
            assertTrue(line.contains("an address that is not taken"), line);
            assertEquals(List.of(), plain.seen);
        }
    }
}
