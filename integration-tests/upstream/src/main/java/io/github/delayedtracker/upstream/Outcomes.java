/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.pulsar.broker.PulsarService;
import org.testng.IConfigurationListener;
import org.testng.IInvokedMethod;
import org.testng.IInvokedMethodListener;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestResult;

/**
 * Writes a line for each test that has ended: outcome, class, method with parameters, milliseconds, failure. A test is passed
 * only if the broker that it leaves behind has the plugin's factory. Tests that are named as not applicable are not run.
 */
final class Outcomes implements ITestListener, IConfigurationListener, IInvokedMethodListener, IMethodInterceptor {

    private static final int LONGEST_FAILURE = 400;

    private final PrintStream lines;
    private final Set<String> leftOut;
    private final Set<String> ownOnly;

    /**
     * @param leftOut tests as {@code Class#method}
     * @param ownOnly classes of which inherited tests are left out
     */
    Outcomes(PrintStream lines, Set<String> leftOut, Set<String> ownOnly) {
        this.lines = lines;
        this.leftOut = leftOut;
        this.ownOnly = ownOnly;
    }

    @Override
    public List<IMethodInstance> intercept(List<IMethodInstance> methods, ITestContext context) {
        Set<String> said = new HashSet<>();
        return methods.stream().filter(method -> {
            Class<?> type = method.getInstance().getClass();
            String name = method.getMethod().getMethodName();
            boolean own = method.getMethod().getConstructorOrMethod().getDeclaringClass() == type;
            if (!own && ownOnly.contains(type.getSimpleName())) {
                return false;
            }
            method.getMethod().setRetryAnalyzerClass(UpstreamRun.Retry.class);
            // With a limit it would run in a thread of its own, and FactorySwap would not see it start a broker.
            method.getMethod().setTimeOut(0);
            boolean left = leftOut.contains(type.getSimpleName() + "#" + name);
            if (left && said.add(type.getSimpleName() + "#" + name)) {
                write("left-out", type, name, 0, "");
            }
            return !left;
        }).toList();
    }

    @Override
    public void afterInvocation(IInvokedMethod method, ITestResult result) {
        if (method.isTestMethod() && result.isSuccess()) {
            Object factory = factoryOf(result.getInstance());
            if (!(factory instanceof PluggableDelayedDeliveryTrackerFactory)) {
                result.setStatus(ITestResult.FAILURE);
                result.setThrowable(new IllegalStateException("the test ran with " + factory));
            }
        }
    }

    /** The one of the broker in the field {@code pulsar} of the base class of upstream's tests. */
    private static Object factoryOf(Object test) {
        for (Class<?> type = test.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals("pulsar") && PulsarService.class.isAssignableFrom(field.getType())) {
                    try {
                        field.setAccessible(true);
                        return ((PulsarService) field.get(test)).getBrokerService().getDelayedDeliveryTrackerFactory();
                    } catch (IllegalAccessException e) {
                        throw new IllegalStateException("the field of the broker cannot be read", e);
                    }
                }
            }
        }
        throw new IllegalStateException(test.getClass() + " has no broker");
    }

    @Override
    public void onTestSuccess(ITestResult result) {
        write("passed", result);
    }

    @Override
    public void onTestFailure(ITestResult result) {
        write("failed", result);
    }

    @Override
    public void onTestSkipped(ITestResult result) {
        write(result.wasRetried() ? "retried" : "failed", result);
    }

    @Override
    public void onConfigurationFailure(ITestResult result) {
        write("failed", result);
    }

    private void write(String outcome, ITestResult result) {
        Object[] parameters = result.getParameters();
        Throwable failure = result.getThrowable();
        if (failure != null) {
            failure.printStackTrace();
        }
        write(outcome, result.getInstance().getClass(),
                result.getName() + (parameters.length == 0 ? "" : Arrays.toString(parameters)),
                result.getEndMillis() - result.getStartMillis(), failure == null ? "" : failure.toString());
    }

    private synchronized void write(String outcome, Class<?> type, String test, long millis, String failure) {
        String said = failure.replaceAll("\\s+", " ");
        lines.println(String.join("\t", outcome, type.getSimpleName(), test, Long.toString(millis),
                said.substring(0, Math.min(said.length(), LONGEST_FAILURE))));
        lines.flush();
    }
}
