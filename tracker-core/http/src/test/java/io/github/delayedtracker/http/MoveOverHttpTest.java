/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.delayedtracker.command.Answer;
import io.github.delayedtracker.command.DelayedCommands.Caller;
import io.github.delayedtracker.command.DelayedCommands.DueAt;
import io.github.delayedtracker.command.DelayedCommands.DueShifted;
import io.github.delayedtracker.command.DelayedCommands.Named;
import io.github.delayedtracker.command.DelayedCommands.NewDue;
import io.github.delayedtracker.command.DelayedCommands.Options;
import io.github.delayedtracker.command.DelayedCommands.Result;
import io.github.delayedtracker.command.MessageName;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Other due times over HTTP: what goes to the commands, and the times that are refused. */
class MoveOverHttpTest {

    private static final List<MessageName> IDS = List.of(new MessageName(12, 3, -1, -1));

    private HttpRig rig;

    @BeforeEach
    void start() throws Exception {
        rig = new HttpRig();
        when(rig.commands.move(anyString(), any(), any(), any(), any(), any()))
                .thenReturn(CompletableFuture.completedFuture(
                        List.of(new Result("s", IDS, List.of(Answer.MOVED), Optional.empty()))));
    }

    @AfterEach
    void stop() throws Exception {
        rig.close();
    }

    private HttpResponse<String> post(String action) throws Exception {
        return rig.send(rig.request(HttpRig.PATH + action).header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString("12:3")));
    }

    private void verifyMoved(Optional<String> subscription, NewDue due, boolean wholeBatches) {
        verify(rig.commands).move(HttpRig.TOPIC, subscription, new Named(IDS, wholeBatches), due,
                new Options(false, false), new Caller(""));
    }

    @ParameterizedTest
    @CsvSource({"90s,1700000090000", "6h,1700021600000", "1700000000001,1700000000001", "0,0"})
    void aTimeIsEpochMillisecondsOrFromNow(String due, long dueMillis) throws Exception {
        HttpResponse<String> response = post("reschedule?subscription=s&due=" + due);
        assertEquals(200, response.statusCode());
        assertTrue(response.body().contains("\"answer\":\"moved\""), response::body);
        verifyMoved(Optional.of("s"), new DueAt(dueMillis), false);
    }

    @ParameterizedTest
    @CsvSource({"90s,90000", "-6h,-21600000", "5,5", "-0,0"})
    void aDistanceIsLaterThanPlannedOrEarlier(String by, long byMillis) throws Exception {
        assertEquals(200, post("reschedule?subscription=s&by=" + by).statusCode());
        verifyMoved(Optional.of("s"), new DueShifted(byMillis), false);
    }

    @Test
    void nowIsTheTimeOfTheBroker() throws Exception {
        assertEquals(200, post("deliver-now?wholeBatches=true").statusCode());
        verifyMoved(Optional.empty(), new DueAt(HttpRig.NOW), true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reschedule", "reschedule?due=", "reschedule?due=soon", "reschedule?due=-5", "reschedule?due=5x",
            "reschedule?due=99999999999999999999", "reschedule?due=5s,6s",
            "reschedule?due=5s&by=5s", "reschedule?by=--5s", "reschedule?by=", "reschedule?by=1d2h",
            "deliver-now?by=5s", "deliver-now?due=5s", "cancel?due=5s"})
    void whatIsNoTimeIsRefused(String action) throws Exception {
        HttpResponse<String> response = post(action);
        assertEquals(400, response.statusCode(), response::body);
        verify(rig.commands, never()).move(anyString(), any(), any(), any(), any(), any());
    }

    @Test
    void nothingIsMovedByGet() throws Exception {
        assertEquals(405, rig.send(rig.request(HttpRig.PATH + "deliver-now")).statusCode());
    }
}
