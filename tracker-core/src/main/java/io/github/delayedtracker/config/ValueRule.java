/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.config;

import java.math.BigInteger;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rule of a setting: the texts it takes, their meaning, and the message for any other text. Stateless.
 *
 * @param <T> type of the value
 */
sealed interface ValueRule<T> {

    /** The type as the reference page names it. */
    String typeName();

    /** The texts taken, in words that follow "must be". */
    String range();

    /**
     * The value of a text.
     *
     * @param text without white space around it, not empty
     * @param backendsFound names of the backends on the class path
     * @throws InvalidSettingException if the rule does not hold
     */
    T parse(String key, String text, Collection<String> backendsFound);

    /**
     * A whole number within bounds.
     *
     * @param unit the unit counted, in the plural
     */
    record WholeNumber(String typeName, String unit, long min, long max) implements ValueRule<Long> {

        private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,40}");

        @Override
        public String range() {
            return "a whole number of " + unit + ", " + min + " or more";
        }

        @Override
        public Long parse(String key, String text, Collection<String> backendsFound) {
            return checked(key, text, range(), min, meant -> within(meant, min, max));
        }

        /**
         * The number a text stands for.
         *
         * @param otherwise the number meant by a text that does not start with one
         * @param nearest gives the valid number most like another
         */
        private static long checked(String key, String text, String range, long otherwise,
                UnaryOperator<BigInteger> nearest) {
            // Digit groups may be set apart by '_' in the text meant, not in the text taken.
            Matcher number = NUMBER.matcher(text.replace("_", ""));
            BigInteger meant = number.lookingAt() ? new BigInteger(number.group()) : BigInteger.valueOf(otherwise);
            BigInteger valid = nearest.apply(meant);
            if (NUMBER.matcher(text).matches() && valid.equals(meant)) {
                return meant.longValueExact();
            }
            throw InvalidSettingException.badValue(key, text, range, Optional.of(valid.toString()));
        }

        private static BigInteger within(BigInteger meant, long min, long max) {
            return meant.max(BigInteger.valueOf(min)).min(BigInteger.valueOf(max));
        }
    }

    /** A whole number within bounds, or 0 for off. A bad number above 0 was meant for on. */
    record NumberOrOff(String typeName, long min, long max) implements ValueRule<Long> {

        @Override
        public String range() {
            return "0 (off) or a whole number from " + min + " to " + max;
        }

        @Override
        public Long parse(String key, String text, Collection<String> backendsFound) {
            return WholeNumber.checked(key, text, range(), 0,
                    meant -> meant.signum() <= 0 ? BigInteger.ZERO : WholeNumber.within(meant, min, max));
        }
    }

    /** Exactly {@code true} or {@code false}, in any case. */
    record TrueOrFalse() implements ValueRule<Boolean> {

        private static final List<String> YES = List.of("true", "yes", "on", "1", "enabled");
        private static final List<String> YES_OR_NO =
                List.of("true", "yes", "on", "1", "enabled", "false", "no", "off", "0", "disabled");

        @Override
        public String typeName() {
            return "boolean";
        }

        @Override
        public String range() {
            return "true or false";
        }

        @Override
        public Boolean parse(String key, String text, Collection<String> backendsFound) {
            return switch (text.toLowerCase(Locale.ROOT)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw InvalidSettingException.badValue(key, text, range(),
                        Nearest.to(text, YES_OR_NO).map(word -> String.valueOf(YES.contains(word))));
            };
        }
    }

    /** One of some words, in this spelling. */
    record OneOf(List<String> words) implements ValueRule<String> {

        @Override
        public String typeName() {
            return "string";
        }

        @Override
        public String range() {
            return "one of " + String.join(", ", words);
        }

        @Override
        public String parse(String key, String text, Collection<String> backendsFound) {
            if (words.contains(text)) {
                return text;
            }
            throw InvalidSettingException.badValue(key, text, range(), Nearest.to(text, words));
        }
    }

    /** The name of a backend on the class path. */
    record BackendName() implements ValueRule<String> {

        @Override
        public String typeName() {
            return "string";
        }

        @Override
        public String range() {
            return "one of the backends found on the class path";
        }

        @Override
        public String parse(String key, String text, Collection<String> backendsFound) {
            if (backendsFound.contains(text)) {
                return text;
            }
            Collection<String> sorted = new TreeSet<>(backendsFound);
            String list = sorted.isEmpty() ? "none" : String.join(", ", sorted);
            throw InvalidSettingException.badValue(key, text, range() + ": " + list, Nearest.to(text, sorted));
        }
    }
}
