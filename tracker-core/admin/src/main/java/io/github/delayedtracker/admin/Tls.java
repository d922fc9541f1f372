/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.apache.pulsar.client.api.AuthenticationDataProvider;
import org.apache.pulsar.client.api.KeyStoreParams;
import org.apache.pulsar.client.impl.conf.ClientConfigurationData;
import org.apache.pulsar.common.util.SecurityUtility;
import org.apache.pulsar.common.util.keystoretls.KeyStoreSSLContext;

/** The tool's TLS settings on a connection: what to trust, what to show, whether the name of the host has to be in it. */
final class Tls {

    private static final String USUAL_FACTORY = "org.apache.pulsar.common.util.DefaultPulsarSslFactory";

    private final ClientConfigurationData configuration;
    private final AuthenticationDataProvider credentials;

    Tls(ClientConfigurationData configuration, AuthenticationDataProvider credentials) {
        this.configuration = configuration;
        this.credentials = credentials;
    }

    void applyTo(HttpsURLConnection connection) throws CommandFailed {
        String factory = configuration.getSslFactoryPlugin();
        if (factory != null && !factory.isBlank() && !factory.equals(USUAL_FACTORY)) {
            throw new CommandFailed("these commands do not use an sslFactoryPlugin: " + factory);
        }
        try {
            SSLContext context = configuration.isUseKeyStoreTls() ? ofKeyStores() : ofPemFiles();
            connection.setSSLSocketFactory(context.getSocketFactory());
        } catch (GeneralSecurityException | IOException e) {
            throw new CommandFailed("the TLS settings cannot be used: " + e.getMessage());
        }
        if (!configuration.isTlsHostnameVerificationEnable()) {
            connection.setHostnameVerifier((host, session) -> true);
        }
    }

    private SSLContext ofPemFiles() throws GeneralSecurityException {
        Certificate[] trusted = given(configuration.getTlsTrustCertsFilePath())
                ? SecurityUtility.loadCertificatesFromPemFile(configuration.getTlsTrustCertsFilePath()) : null;
        Certificate[] shown = null;
        PrivateKey key = null;
        if (credentials.hasDataForTls()) {
            shown = credentials.getTlsCertificates();
            key = credentials.getTlsPrivateKey();
        } else if (given(configuration.getTlsCertificateFilePath()) && given(configuration.getTlsKeyFilePath())) {
            shown = SecurityUtility.loadCertificatesFromPemFile(configuration.getTlsCertificateFilePath());
            key = SecurityUtility.loadPrivateKeyFromPemFile(configuration.getTlsKeyFilePath());
        }
        return SecurityUtility.createSslContext(configuration.isTlsAllowInsecureConnection(), trusted, shown, key);
    }

    private SSLContext ofKeyStores() throws GeneralSecurityException, IOException {
        KeyStoreParams shown = credentials.hasDataForTls() ? credentials.getTlsKeyStoreParams() : null;
        return KeyStoreSSLContext.createClientSslContext(configuration.getSslProvider(),
                shown == null ? configuration.getTlsKeyStoreType() : shown.getKeyStoreType(),
                shown == null ? configuration.getTlsKeyStorePath() : shown.getKeyStorePath(),
                shown == null ? configuration.getTlsKeyStorePassword() : shown.getKeyStorePassword(),
                configuration.isTlsAllowInsecureConnection(), configuration.getTlsTrustStoreType(),
                configuration.getTlsTrustStorePath(), configuration.getTlsTrustStorePassword(),
                configuration.getTlsCiphers(), configuration.getTlsProtocols());
    }

    private static boolean given(String text) {
        return text != null && !text.isBlank();
    }
}
