/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The declaration of one key. Immutable.
 *
 * @param key name in broker.conf
 * @param values the rule of the texts taken and their meaning
 * @param defaultText the default, as text or in words
 * @param stock whether the broker itself reads this key
 * @param perSubscription whether a subscription property of the same name overrides it
 * @param dynamic whether a policy of a namespace or topic may change the value in force while a topic is loaded
 * @param meaning its effect, as Markdown
 * @param <T> type of the value
 */
record Setting<T>(String key, ValueRule<T> values, String defaultText, boolean stock, boolean perSubscription,
        boolean dynamic, String meaning) {

    /**
     * The value of a text.
     *
     * @throws InvalidSettingException if the text is not valid
     */
    T parse(String text, Collection<String> backendsFound) {
        return values.parse(key, text.strip(), backendsFound);
    }

    /**
     * The value of a text, for a key whose values do not depend on the backends found.
     *
     * @throws InvalidSettingException if the text is not valid
     */
    T parse(String text) {
        return parse(text, List.of());
    }

    /**
     * The value set in some texts; empty if the key is missing or its text is blank.
     *
     * @throws InvalidSettingException if the text is not valid
     */
    Optional<T> find(Map<String, String> textsByKey, Collection<String> backendsFound) {
        String text = textsByKey.get(key);
        return text == null || text.isBlank() ? Optional.empty() : Optional.of(parse(text, backendsFound));
    }

    /**
     * The value set in some texts, or the default, for a key whose values do not depend on the backends found.
     *
     * @throws InvalidSettingException if the text is not valid
     */
    T findOrDefault(Map<String, String> textsByKey) {
        return find(textsByKey, List.of()).orElseGet(() -> parse(defaultText));
    }
}
