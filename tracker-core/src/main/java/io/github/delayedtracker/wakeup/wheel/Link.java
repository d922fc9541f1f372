/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.wakeup.wheel;

/**
 * A place in a circular doubly linked list: either its head, which is always there, or a task.
 *
 * <p>Every operation is O(1) and allocates nothing. Not thread safe.
 */
abstract class Link {

    private Link previous;
    private Link next;

    /** Makes this link the head of an empty list. */
    final void makeHead() {
        previous = this;
        next = this;
    }

    /** Whether nothing follows this head. */
    final boolean isAlone() {
        return next == this;
    }

    /** Whether the link is in a list, or the head of one. */
    final boolean isLinked() {
        return next != null;
    }

    final Link next() {
        return next;
    }

    /** Puts a link that is in no list at the end of the list of this head. */
    final void append(Link link) {
        Link last = previous;
        link.previous = last;
        link.next = this;
        last.next = link;
        previous = link;
    }

    /**
     * Takes this link out of its list.
     *
     * @return the head of the list if the list is empty now, otherwise null
     */
    final Link unlink() {
        Link before = previous;
        Link after = next;
        before.next = after;
        after.previous = before;
        previous = null;
        next = null;
        return before == after ? before : null;
    }

    /** Moves everything from the list of another head to the end of the list of this one. */
    final void appendAllOf(Link head) {
        if (head.isAlone()) {
            return;
        }
        Link first = head.next;
        Link last = head.previous;
        first.previous = previous;
        previous.next = first;
        last.next = this;
        previous = last;
        head.makeHead();
    }
}
