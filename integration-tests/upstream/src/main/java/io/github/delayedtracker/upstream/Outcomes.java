/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.upstream;

import io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.testng.IConfigurationListener;
import org.testng.IInvokedMethod;
import org.testng.IInvokedMethodListener;
import org.testng.IMethodInstance;
import org.testng.IMethodInterceptor;
import org.testng.ITestContext;
import org.testng.ITestListener;
import org.testng.ITestResult;
import org.testng.SkipException;

/**
 * Writes a line for each test that has ended: outcome, class, method with parameters, milliseconds, failure. A test is passed
 * only if the broker that it leaves behind has the plugin's factory. Tests that are named as not applicable are not run.
 */
final class Outcomes implements ITestListener, IConfigurationListener, IInvokedMethodListener, IMethodInterceptor {

    private static final int LONGEST_FAILURE = 400;

    private final PrintStream lines;
    private final Choice choice;
    private final boolean withPlugin;
    private final MockedBroker mocked;

    /** @param withPlugin whether a test fails that leaves a broker without the plugin behind */
    Outcomes(PrintStream lines, Choice choice, boolean withPlugin, MockedBroker mocked) {
        this.lines = lines;
        this.choice = choice;
        this.withPlugin = withPlugin;
        this.mocked = mocked;
    }

    @Override
    public List<IMethodInstance> intercept(List<IMethodInstance> methods, ITestContext context) {
        Set<String> said = new HashSet<>();
        return methods.stream().filter(choice::has).filter(method -> {
            method.getMethod().setRetryAnalyzerClass(UpstreamRun.Retry.class);
            // With a limit it would run in a thread of its own, and FactorySwap would not see it start a broker.
            method.getMethod().setTimeOut(0);
            boolean left = choice.leavesOut(method);
            if (left && said.add(Choice.title(method))) {
                write("left-out", method.getInstance().getClass(), method.getMethod().getMethodName(), 0, "");
            }
            return !left;
        }).toList();
    }

    @Override
    public void beforeInvocation(IInvokedMethod method, ITestResult result) {
        if (method.isTestMethod()) {
            mocked.complete(result.getInstance());
        }
    }

    @Override
    public void afterInvocation(IInvokedMethod method, ITestResult result) {
        if (!withPlugin || !method.isTestMethod() || !result.isSuccess()) {
            return;
        }
        String foreign = EveryMessage.foreign();
        List<String> others = Brokers.of(result.getInstance()).stream()
                .map(broker -> broker.getBrokerService().getDelayedDeliveryTrackerFactory())
                .filter(factory -> !(factory instanceof PluggableDelayedDeliveryTrackerFactory)).map(String::valueOf).toList();
        if (!others.isEmpty() || !foreign.isEmpty()) {
            result.setStatus(ITestResult.FAILURE);
            result.setThrowable(new IllegalStateException("the test ran with " + others + " " + foreign));
        }
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
        write(result.wasRetried() ? "retried" : result.getThrowable() instanceof SkipException ? "skipped" : "failed", result);
    }

    @Override
    public void onConfigurationFailure(ITestResult result) {
        result.getThrowable().printStackTrace();
        // Not the name of a test: brackets tell.
        write("failed", result.getInstance().getClass(), result.getName() + "()",
                result.getEndMillis() - result.getStartMillis(), result.getThrowable().toString());
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
