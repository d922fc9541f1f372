/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * Metrics: every metric is one {@link io.github.delayedtracker.metrics.Metric}, declared beside the code that counts it, from
 * which the broker's page and the tables of docs/statistics.md come. Values in, names and labels out: the texts
 * are made once, the values are not kept.
 */
package io.github.delayedtracker.metrics;
