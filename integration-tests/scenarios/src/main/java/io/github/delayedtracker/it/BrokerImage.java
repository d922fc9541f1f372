/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.it;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerClientException;
import com.github.dockerjava.api.exception.InternalServerErrorException;
import com.github.dockerjava.api.exception.NotFoundException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;

/** The image of the container tests: the published one where it can be had, else one built here from the same distribution. */
final class BrokerImage {

    private static final long BUILD_MINUTES = 10;

    private static String name;

    private BrokerImage() {
    }

    /** Its name; pulls or builds it first where it is missing. */
    static synchronized String name() throws Exception {
        if (name == null) {
            name = made();
        }
        return name;
    }

    private static String made() throws Exception {
        String version = System.getProperty("it.distribution.version");
        String published = "apachepulsar/pulsar:" + version;
        if (isPresent(published) || canPull(published)) {
            return published;
        }
        String built = "delayedtracker/bare-pulsar:" + version;
        Path script = Harness.module().resolveSibling("docker").resolve("build-image.sh");
        Process build = new ProcessBuilder("bash", script.toString(), System.getProperty("it.distribution"), built)
                .inheritIO().start();
        if (!build.waitFor(BUILD_MINUTES, TimeUnit.MINUTES) || build.exitValue() != 0) {
            build.destroyForcibly();
            throw new IllegalStateException("image " + built + " could not be built by " + script);
        }
        return built;
    }

    private static DockerClient engine() {
        return DockerClientFactory.instance().client();
    }

    private static boolean isPresent(String image) {
        try {
            engine().inspectImageCmd(image).exec();
            return true;
        } catch (NotFoundException e) {
            return false;
        }
    }

    private static boolean canPull(String image) throws InterruptedException {
        try {
            return engine().pullImageCmd(image).start().awaitCompletion(5, TimeUnit.MINUTES);
        } catch (NotFoundException | DockerClientException | InternalServerErrorException e) {
            System.out.println("IMAGE " + image + " cannot be pulled: " + e.getMessage());
            return false;
        }
    }
}
