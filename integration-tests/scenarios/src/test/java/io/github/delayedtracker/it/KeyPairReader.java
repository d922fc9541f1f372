/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import org.apache.pulsar.client.api.CryptoKeyReader;
import org.apache.pulsar.client.api.EncryptionKeyInfo;

/** The two keys of a pair made for it, whatever key is asked for. */
final class KeyPairReader implements CryptoKeyReader {

    private static final long serialVersionUID = 1L;
    private static final int BITS = 2048;

    private final byte[] publicPem;
    private final byte[] privatePem;

    KeyPairReader() throws NoSuchAlgorithmException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(BITS);
        KeyPair pair = generator.generateKeyPair();
        publicPem = pem("PUBLIC KEY", pair.getPublic().getEncoded());
        privatePem = pem("PRIVATE KEY", pair.getPrivate().getEncoded());
    }

    private static byte[] pem(String what, byte[] encoded) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        return ("-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public EncryptionKeyInfo getPublicKey(String keyName, Map<String, String> metadata) {
        return new EncryptionKeyInfo(publicPem.clone(), metadata);
    }

    @Override
    public EncryptionKeyInfo getPrivateKey(String keyName, Map<String, String> metadata) {
        return new EncryptionKeyInfo(privatePem.clone(), metadata);
    }
}
