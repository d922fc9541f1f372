/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.function.Predicate;

/** Makes the reference page docs/configuration.md from the declarations in {@link Settings}. */
final class ConfigurationPage {

    private static final String HEAD = """
            # Configuration

            <!-- Made from the declarations in io.github.delayedtracker.config.Settings. To make it again after a change there:
                 mvn -B -pl tracker-core test -Dtest=ConfigurationPageTest -Ddelayed.docs.write=true -->

            Keys are lines in `broker.conf`, read once when the broker starts. White space around a value is dropped; an empty
            value means the default. Where `broker.conf` is made from environment variables, write the own keys with the
            prefix, as in `PULSAR_PREFIX_delayedDeliveryIndexBackend`: only that adds keys the file does not have yet.

            ```
            delayedDeliveryTrackerFactoryClassName=io.github.delayedtracker.PluggableDelayedDeliveryTrackerFactory
            delayedDeliveryIndexBackend=timebucket
            ```

            A value that breaks its rule, or a key that starts with `%s` and is not in the first table, stops the
            start of the broker with one line that names key, value, rule and the nearest valid value or key:

            ```
            %s
            ```

            """;

    private static final String COLUMNS = """
            | key | type | default | range | per subscription | dynamic | meaning |
            |---|---|---|---|---|---|---|
            """;

    private static final String SUBSCRIPTIONS = """

            ## Subscription properties

            A key marked "per subscription" may also be a property of a subscription, which then overrides the broker for that
            subscription alone:

            ```
            bin/pulsar-admin topics create-subscription -s reminders -p %s=65536 my-topic
            ```

            Properties are read when the tracker of the subscription is made, which is at its first delayed message after the
            topic was loaded: unload the topic to apply a change. A bad property is ignored with one line in the broker's log,
            is counted in `/metrics` (`pulsar_delayed_index_ignored_properties`), and the broker's value stays.
            """;

    private ConfigurationPage() {
    }

    static String render() {
        StringBuilder page = new StringBuilder(HEAD.formatted(Settings.OWN_PREFIX, exampleLine()));
        page.append("## Own keys\n\n");
        appendTable(page, setting -> !setting.stock());
        page.append("\n## Stock keys\n\nKeys of the broker itself that are honoured, with their stock defaults.\n\n");
        appendTable(page, Setting::stock);
        return page.append(SUBSCRIPTIONS.formatted(Settings.PRECISION_MILLIS.key())).toString();
    }

    private static void appendTable(StringBuilder page, Predicate<Setting<?>> shown) {
        page.append(COLUMNS);
        Settings.all().stream().filter(shown).forEach(setting -> page.append("| ").append(String.join(" | ",
                '`' + setting.key() + '`', setting.values().typeName(), asDefault(setting.defaultText()),
                setting.values().range(), yesOrNo(setting.perSubscription()),
                setting.dynamic() ? "by policy" : "no", setting.meaning()))
                .append(" |\n"));
    }

    private static String exampleLine() {
        try {
            return "unexpectedly valid: " + Settings.PRECISION_MILLIS.parse("12x");
        } catch (InvalidSettingException e) {
            return e.getMessage();
        }
    }

    // Values are code, descriptions are not.
    private static String asDefault(String text) {
        return text.contains(" ") ? text : '`' + text + '`';
    }

    private static String yesOrNo(boolean value) {
        return value ? "yes" : "no";
    }
}
