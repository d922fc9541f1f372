/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import io.github.delayedtracker.linkage.ClassFile.Member;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;

/**
 * One class with all its ancestors, and which declaration a member name leads to: superclasses first, then interfaces,
 * of which one closer to the class goes before those it extends.
 */
final class Hierarchy {

    /** A member as some class declares it. */
    record Declared(ClassFile owner, int flags) {
        boolean is(int flag) {
            return (flags & flag) != 0;
        }
    }

    private final List<ClassFile> classes = new ArrayList<>();
    private final Map<String, ClassFile> interfaces = new LinkedHashMap<>();
    private final Set<String> missing = new TreeSet<>();
    private final ClassPath classPath;

    Hierarchy(ClassPath classPath, ClassFile start) throws IOException {
        this.classPath = classPath;
        Deque<String> open = new ArrayDeque<>();
        for (Optional<ClassFile> next = Optional.of(start); next.isPresent();) {
            ClassFile file = next.get();
            classes.add(file);
            open.addAll(file.interfaces);
            next = file.superName == null ? Optional.empty() : find(file.superName);
        }
        while (!open.isEmpty()) {
            String name = open.removeFirst();
            Optional<ClassFile> file = interfaces.containsKey(name) ? Optional.empty() : find(name);
            if (file.isPresent()) {
                interfaces.put(name, file.get());
                open.addAll(file.get().interfaces);
            }
        }
    }

    private Optional<ClassFile> find(String name) throws IOException {
        Optional<ClassFile> file = classPath.find(name);
        if (file.isEmpty()) {
            missing.add(name);
        }
        return file;
    }

    /** The class itself, its superclass and so on. */
    List<ClassFile> classes() {
        return classes;
    }

    /** Ancestors that are not on the class path. */
    Set<String> missing() {
        return missing;
    }

    List<ClassFile> all() {
        List<ClassFile> all = new ArrayList<>(classes);
        all.addAll(interfaces.values());
        return all;
    }

    /** Where a symbolic reference to the class itself ends. */
    Optional<Declared> resolve(Member member, boolean field) {
        for (ClassFile file : all()) {
            Integer flags = (field ? file.fields : file.methods).get(member);
            if (flags != null && (field || classes.contains(file) || isInherited(file, member))) {
                return Optional.of(new Declared(file, flags));
            }
        }
        return Optional.empty();
    }

    /** The class, not an interface, whose declaration of an instance method comes first. */
    Optional<ClassFile> implementation(Member member) {
        return classes.stream().filter(file -> isInherited(file, member)).findFirst();
    }

    /** The methods a call on an instance may run: one if all is well, none or several otherwise. */
    List<Declared> selected(Member member) throws IOException {
        Optional<ClassFile> implementation = implementation(member);
        if (implementation.isPresent()) {
            Declared declared = new Declared(implementation.get(), implementation.get().methods.get(member));
            return declared.is(Opcodes.ACC_ABSTRACT) ? List.of() : List.of(declared);
        }
        List<ClassFile> declaring = interfaces.values().stream().filter(file -> isInherited(file, member)).toList();
        List<Declared> found = new ArrayList<>();
        for (ClassFile file : declaring) {
            boolean hidden = false;
            for (ClassFile other : declaring) {
                hidden |= other != file && new Hierarchy(classPath, other).interfaces.containsKey(file.name);
            }
            int flags = file.methods.get(member);
            if (!hidden && (flags & Opcodes.ACC_ABSTRACT) == 0) {
                found.add(new Declared(file, flags));
            }
        }
        return found;
    }

    private static boolean isInherited(ClassFile file, Member member) {
        int flags = file.methods.getOrDefault(member, Opcodes.ACC_PRIVATE);
        return (flags & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0;
    }
}
