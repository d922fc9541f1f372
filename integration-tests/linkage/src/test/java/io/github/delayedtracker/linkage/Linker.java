/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import io.github.delayedtracker.linkage.ClassFile.Reference;
import io.github.delayedtracker.linkage.Finding.Kind;
import io.github.delayedtracker.linkage.Hierarchy.Declared;
import io.github.delayedtracker.linkage.ShapeCheck.Overriding;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Opcodes;

/**
 * Resolves what some classes refer to outside the JDK, as the JVM does when it links them, and names what it would refuse.
 * Every reference is resolved; those that end in the broker are counted.
 */
final class Linker {

    private final ClassPath classPath;
    private final Set<Finding> findings = new TreeSet<>();
    private final Map<String, Hierarchy> hierarchies = new HashMap<>();
    private final ShapeCheck shapes;
    private int references;

    Linker(ClassPath classPath) {
        this.classPath = classPath;
        this.shapes = new ShapeCheck(this, findings);
    }

    /** How many references to the broker were resolved: classes, members, ancestors and overridden methods. */
    int references() {
        return references + shapes.references();
    }

    /** Where calls on the broker's types arrive in the linked classes. */
    Set<Overriding> overrides() {
        return shapes.overrides();
    }

    /** One entry for each method that overrides one of the broker's in the other linking, and none in this. */
    Set<Finding> lostOverrides(Linker other) {
        Set<Finding> lost = new TreeSet<>();
        for (Overriding overriding : other.overrides()) {
            if (!overrides().contains(overriding)) {
                lost.add(new Finding(overriding.owner(), Kind.LOST_OVERRIDE, overriding.member().toString()));
            }
        }
        return lost;
    }

    /** One entry for each reference of classes on the class path that the JVM would refuse. */
    Set<Finding> link(Collection<ClassFile> classes) throws IOException {
        for (ClassFile file : classes) {
            for (String name : file.classReferences) {
                if (!Origin.isJdk(name)) {
                    references += Origin.isBroker(name) ? 1 : 0;
                    checkClass(file, name);
                }
            }
            for (Reference reference : file.references) {
                if (!Origin.isJdk(reference.owner())) {
                    checkMember(file, reference);
                }
            }
            shapes.check(file);
        }
        return findings;
    }

    /** A class with its ancestors, or nothing where the class itself is missing. */
    Optional<Hierarchy> hierarchy(String name) throws IOException {
        Hierarchy known = hierarchies.get(name);
        if (known == null) {
            Optional<ClassFile> file = classPath.find(name);
            if (file.isEmpty()) {
                return Optional.empty();
            }
            known = new Hierarchy(classPath, file.get());
            hierarchies.put(name, known);
        }
        return Optional.of(known);
    }

    private void checkClass(ClassFile from, String name) throws IOException {
        Optional<Hierarchy> hierarchy = hierarchy(name);
        if (hierarchy.isEmpty()) {
            findings.add(new Finding(from.name, Kind.MISSING_CLASS, name));
            return;
        }
        ClassFile target = hierarchy.get().classes().get(0);
        if (from.created.contains(name) && target.is(Opcodes.ACC_ABSTRACT)) {
            findings.add(new Finding(from.name, Kind.ABSTRACT_CLASS, name));
        }
        if (!target.is(Opcodes.ACC_PUBLIC) && !target.packageName().equals(from.packageName())) {
            findings.add(new Finding(from.name, Kind.INACCESSIBLE_CLASS, name));
        }
        for (String missing : hierarchy.get().missing()) {
            if (!Origin.isJdk(missing)) {
                findings.add(new Finding(name, Kind.MISSING_ANCESTOR, missing));
            }
        }
    }

    private void checkMember(ClassFile from, Reference reference) throws IOException {
        Optional<Hierarchy> owner = hierarchy(reference.owner());
        Optional<Declared> declared = owner.flatMap(found -> found.resolve(reference.member(), reference.field()));
        String resolvedIn = declared.isPresent() ? declared.get().owner().name : reference.owner();
        references += Origin.isBroker(reference.owner()) || Origin.isBroker(resolvedIn) ? 1 : 0;
        if (owner.isEmpty()) {
            return;
        }
        if (declared.isEmpty()) {
            findings.add(new Finding(from.name, Kind.MISSING_MEMBER, reference.toString()));
            return;
        }
        if (!isAccessible(from, declared.get())) {
            findings.add(new Finding(from.name, Kind.INACCESSIBLE_MEMBER, reference.toString()));
        }
        if (declared.get().is(Opcodes.ACC_STATIC) != reference.isStatic()) {
            findings.add(new Finding(from.name, Kind.STATIC_CHANGED, reference.toString()));
        }
        if (!reference.field() && owner.get().classes().get(0).isInterface() != reference.ownerIsInterface()) {
            findings.add(new Finding(from.name, Kind.INTERFACE_CHANGED, reference.owner()));
        }
    }

    private boolean isAccessible(ClassFile from, Declared declared) throws IOException {
        boolean samePackage = declared.owner().packageName().equals(from.packageName());
        if (declared.is(Opcodes.ACC_PUBLIC)) {
            return true;
        }
        if (declared.is(Opcodes.ACC_PRIVATE)) {
            return outermost(declared.owner().name).equals(outermost(from.name));
        }
        return samePackage || declared.is(Opcodes.ACC_PROTECTED) && isSubclass(from, declared.owner());
    }

    private boolean isSubclass(ClassFile file, ClassFile ancestor) throws IOException {
        return hierarchy(file.name).orElseThrow().classes().contains(ancestor);
    }

    // Nested classes are nest mates: they reach each other's private members.
    private static String outermost(String name) {
        int dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }
}
