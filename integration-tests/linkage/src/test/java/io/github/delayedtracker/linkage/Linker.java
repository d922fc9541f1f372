/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;

/**
 * Resolves what some classes refer to outside themselves, as the JVM does when it links them, and names what it would
 * refuse: a missing class or member, a final class extended, a final method overridden, an abstract method left open.
 */
final class Linker {

    private static final String[] FOREIGN = {"org/apache/pulsar/", "org/apache/bookkeeper/", "io/netty/", "org/slf4j/",
        "io/prometheus/"};

    private final ClassPath classPath;
    private final Set<String> findings = new TreeSet<>();
    private int references;

    Linker(ClassPath classPath) {
        this.classPath = classPath;
    }

    /** How many references were resolved. */
    int references() {
        return references;
    }

    /** One line for each reference the JVM would refuse. */
    Set<String> link(Collection<ClassFile> classes) throws IOException {
        for (ClassFile file : classes) {
            for (String name : file.classReferences) {
                if (isForeign(name)) {
                    references++;
                    if (classPath.find(name).isEmpty()) {
                        findings.add(file.name + " refers to missing class " + name);
                    }
                }
            }
            for (ClassFile.Reference reference : file.references) {
                if (isForeign(reference.owner())) {
                    references++;
                    resolve(file, reference);
                }
            }
            checkHierarchy(file);
        }
        return findings;
    }

    private void resolve(ClassFile from, ClassFile.Reference reference) throws IOException {
        if (classPath.find(reference.owner()).isEmpty()) {
            findings.add(from.name + " refers to missing class " + reference.owner());
            return;
        }
        Deque<String> open = new ArrayDeque<>(Set.of(reference.owner()));
        Set<String> seen = new HashSet<>();
        while (!open.isEmpty()) {
            String name = open.pop();
            Optional<ClassFile> owner = seen.add(name) ? classPath.find(name) : Optional.empty();
            if (owner.isPresent()) {
                Map<ClassFile.Member, Integer> members = reference.field() ? owner.get().fields : owner.get().methods;
                Integer flags = members.get(reference.member());
                if (flags != null) {
                    if ((flags & Opcodes.ACC_PRIVATE) != 0) {
                        findings.add(from.name + " refers to private member " + reference);
                    }
                    return;
                }
                addParents(owner.get(), open);
            }
        }
        findings.add(from.name + " refers to missing member " + reference);
    }

    private void checkHierarchy(ClassFile file) throws IOException {
        Deque<String> open = new ArrayDeque<>();
        addParents(file, open);
        Set<String> seen = new HashSet<>();
        Set<ClassFile.Member> implemented = new HashSet<>(file.methods.keySet());
        while (!open.isEmpty()) {
            String name = open.removeFirst();
            if (!seen.add(name)) {
                continue;
            }
            Optional<ClassFile> parent = classPath.find(name);
            if (parent.isEmpty()) {
                findings.add(file.name + " has missing ancestor " + name);
                continue;
            }
            if (isForeign(name)) {
                references++;
                checkParent(file, parent.get(), implemented);
            }
            parent.get().methods.forEach((member, flags) -> {
                if ((flags & Opcodes.ACC_ABSTRACT) == 0) {
                    implemented.add(member);
                }
            });
            addParents(parent.get(), open);
        }
    }

    private void checkParent(ClassFile file, ClassFile parent, Set<ClassFile.Member> implemented) {
        if (parent.isFinal()) {
            findings.add(file.name + " extends final class " + parent.name);
        }
        parent.methods.forEach((member, flags) -> {
            boolean hidden = (flags & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) != 0 || member.name().startsWith("<");
            if (!hidden && (flags & Opcodes.ACC_FINAL) != 0 && file.methods.containsKey(member)) {
                findings.add(file.name + " overrides final method " + parent.name + "." + member);
            }
            if (!file.isAbstract() && (flags & Opcodes.ACC_ABSTRACT) != 0 && !implemented.contains(member)) {
                findings.add(file.name + " leaves abstract method open " + parent.name + "." + member);
            }
        });
    }

    // Classes first: an implementation inherited from a superclass counts before an interface asks for it.
    private static void addParents(ClassFile file, Deque<String> open) {
        if (file.superName != null) {
            open.addFirst(file.superName);
        }
        file.interfaces.forEach(open::addLast);
    }

    private static boolean isForeign(String name) {
        for (String prefix : FOREIGN) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
