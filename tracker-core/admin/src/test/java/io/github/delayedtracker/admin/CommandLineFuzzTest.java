/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.delayedtracker.fuzz.FuzzTarget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pulsar.admin.cli.extensions.CustomCommand;
import org.apache.pulsar.admin.cli.extensions.ParameterDescriptor;
import org.apache.pulsar.admin.cli.extensions.ParameterType;

/**
 * Any arguments of a command, and any answers of a broker, end in lines that steer no terminal or in a failure that says why. An
 * input is lines: the command's number, then a parameter's number and its value each, an empty one, then answers with a zero byte
 * between them, each a status and below it the body, or where to go on.
 */
class CommandLineFuzzTest extends FuzzTarget {

    private static final URI BROKER = URI.create("http://127.0.0.1:8080");
    /** A broker that sends on to ever new places is not what is tried. */
    private static final int MOST_REQUESTS = 50;
    private static final String FILE = "--ids-file";
    private static final List<String> VALUES = List.of("public/default/orders", "12:3,12:4", "billing", "6h", "1d", "10");
    private static final String ANSWERS = """

            200
            {"topic":"t","nowMillis":77,"subscriptions":[{"subscription":"s","next":"5:1","counts":{"cancelled":1},
            "answers":[{"id":"12:3","answer":"cancelled"}],"count":5,"overdue":1,"nextDueMillis":17,"blocked":"none",
            "dueBy":[{"untilMillis":9,"count":3}],"messages":[{"id":"1:2","dueMillis":7,"moved":true,
            "content":{"publishMillis":1,"key":"k","bytes":7,"properties":{"a":"1"}}}],"timeToLiveSeconds":5,
            "ledgers":[{"ledgerId":7,"bytes":9,"messages":3,"scheduled":2,"lastDueMillis":8,"expiring":1}],
            "snapshots":[{"ledgerId":7,"state":"live","positions":5,"bytes":9,"asleep":1,"segments":2,
            "firstDueMillis":1,"lastDueMillis":2}],"sampled":3,"delayed":2,"elsewhere":0,"missing":["1:1"],
            "onlyInRecord":[4],"onlyInIndex":[]}],"lookedAt":1,"own":1,"young":1,"unknown":0,
            "orphans":[{"ledgerId":7,"topic":"t","subscription":"s","createdMillis":1}]}\000307
            /again\000200
            {"subscriptions":[]}\000404
            {"reason":"no"}""";

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<CustomCommand> commands =
            DelayedCommandFactory.commands(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Override
    protected List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (int command = 0; command < commands.size(); command++) {
            List<ParameterDescriptor> parameters = commands.get(command).parameters();
            for (boolean options : new boolean[] {false, true}) {
                StringBuilder input = new StringBuilder().append((char) ('0' + command)).append('\n');
                for (int i = 0; i < parameters.size(); i++) {
                    boolean isText = parameters.get(i).getType() == ParameterType.STRING;
                    if (parameters.get(i).isMainParameter() || options && isText) {
                        input.append((char) ('0' + i)).append(VALUES.get(i % VALUES.size())).append('\n');
                    }
                }
                seeds.add((input + ANSWERS).getBytes(StandardCharsets.UTF_8));
            }
        }
        return seeds;
    }

    @Override
    protected void read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.indexOf("\n\n");
        String[] lines = (end < 0 ? text : text.substring(0, end)).split("\n");
        String[] answers = end < 0 ? new String[] {""} : text.substring(end + 2).split("\0", MOST_REQUESTS);
        int number = lines.length == 0 || lines[0].isEmpty() ? 0 : Math.floorMod(lines[0].charAt(0) - '0', commands.size());
        DelayedCommand command = (DelayedCommand) commands.get(number);
        Map<String, Object> arguments = arguments(command, lines);
        List<String> sent = new ArrayList<>();
        printed.reset();
        try {
            command.run(new Arguments(arguments), new Servlet(List.of(BROKER), (method, uri, body) -> {
                assertTrue(uri.getHost() != null && uri.getScheme().startsWith("http"), uri::toString);
                assertTrue(method.equals("GET") || method.equals("POST"), method);
                return answer(uri, sent, answers);
            }));
        } catch (CommandFailed failed) {
            assertFalse(failed.getMessage().isBlank());
        }
        if (!arguments.containsKey("--json")) {
            String lined = printed.toString(StandardCharsets.UTF_8);
            assertTrue(lined.chars().noneMatch(each -> Character.isISOControl(each) && each != '\t' && each != '\n'), lined);
        }
    }

    private static Exchange.Response answer(URI uri, List<String> sent, String[] answers) throws IOException {
        if (sent.isEmpty()) {
            assertEquals(BROKER.getAuthority(), uri.getAuthority());
        }
        sent.add(uri.toString());
        if (sent.size() > answers.length) {
            throw new ConnectException("no more answers");
        }
        String[] told = answers[sent.size() - 1].split("\n", 2);
        int status = told[0].matches("[2-5][0-9][0-9]") ? Integer.parseInt(told[0]) : 200;
        String body = told.length > 1 ? told[1] : "";
        return new Exchange.Response(status, body, status == 307 ? body : null);
    }

    private static Map<String, Object> arguments(DelayedCommand command, String[] lines) {
        List<ParameterDescriptor> parameters = command.parameters();
        Map<String, Object> arguments = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int at = lines[i].isEmpty() ? -1 : lines[i].charAt(0) - '0';
            if (at >= 0 && at < parameters.size() && !parameters.get(at).getNames().contains(FILE)) {
                boolean isFlag = parameters.get(at).getType() == ParameterType.BOOLEAN_FLAG;
                arguments.put(parameters.get(at).getNames().get(0), isFlag ? (Object) true : lines[i].substring(1));
            }
        }
        return arguments;
    }
}
