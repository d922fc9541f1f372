/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.simulator;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.openjdk.jol.vm.VM;
import org.openjdk.jol.vm.VirtualMachine;

/**
 * Bytes of all objects that some roots lead to. Threads, classes and their loaders are not entered: they lead to whatever
 * else the JVM does at the moment. Neither is a {@link Reference}, so that a collection changes nothing. The same objects
 * give the same sum, however busy the machine is.
 */
final class ObjectBytes {

    private final VirtualMachine vm = VM.current();
    private final Map<Class<?>, List<Field>> fields = new HashMap<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();

    private ObjectBytes() {
    }

    /** The sum; linear in the objects. Nothing may change them meanwhile. */
    static long of(Object... roots) {
        ObjectBytes walk = new ObjectBytes();
        for (Object root : roots) {
            walk.meet(root);
        }
        long bytes = 0;
        while (!walk.open.isEmpty()) {
            Object next = walk.open.pop();
            bytes += walk.vm.sizeOf(next);
            walk.enter(next);
        }
        return bytes;
    }

    private void meet(Object object) {
        if (object != null && !isBorder(object) && seen.add(object)) {
            open.push(object);
        }
    }

    private static boolean isBorder(Object object) {
        return object instanceof Thread || object instanceof ThreadGroup || object instanceof Class
                || object instanceof ClassLoader || object instanceof Module || object instanceof Reference;
    }

    private void enter(Object object) {
        if (object instanceof Object[] elements) {
            for (Object element : elements) {
                meet(element);
            }
        } else if (!object.getClass().isArray()) {
            for (Field field : fields.computeIfAbsent(object.getClass(), ObjectBytes::referencesOf)) {
                meet(vm.getObject(object, vm.fieldOffset(field)));
            }
        }
    }

    private static List<Field> referencesOf(Class<?> type) {
        List<Field> references = new ArrayList<>();
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!field.getType().isPrimitive() && !Modifier.isStatic(field.getModifiers())) {
                    references.add(field);
                }
            }
        }
        return references;
    }
}
