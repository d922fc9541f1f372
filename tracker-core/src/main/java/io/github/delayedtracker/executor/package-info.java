/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * The key-ordered executor: tasks of one key one at a time and in order, keys independent of each other, no thread waiting. Pure
 * JDK code; the time and the threads are passed in, a broker's threads are {@link DaemonThreads}. The reasons and figures are in
 * docs/design/executor.md.
 */
package io.github.delayedtracker.executor;
