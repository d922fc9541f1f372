/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * Configuration: every key is one declaration in {@link io.github.delayedtracker.config.Settings}, from which values are
 * read, bad values are described and the reference page is made. Texts in, values and lines out: nothing here logs.
 */
package io.github.delayedtracker.config;
