/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
/**
 * A page on which a running broker's delayed messages can be watched and cancelled. It belongs to the standalone job: a server
 * on the loopback address that asks the broker for its metrics and sends commands to it, as any operator could.
 */
package io.github.delayedtracker.it.page;
