/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import io.github.delayedtracker.linkage.ClassFile.Lambda;
import io.github.delayedtracker.linkage.ClassFile.Member;
import io.github.delayedtracker.linkage.Finding.Kind;
import io.github.delayedtracker.linkage.Hierarchy.Declared;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * Whether a class, or the class a lambda becomes, fits its ancestors: what it extends may be extended, what it overrides
 * may be overridden, and no abstract method is left open.
 */
final class ShapeCheck {

    /** A call on one of the broker's types runs this method where the instance is of the owner, be it inherited there. */
    record Overriding(String owner, Member member) {
        @Override
        public String toString() {
            return owner + "." + member;
        }
    }

    private static final int NOT_OVERRIDDEN = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;

    private final Linker linker;
    private final Set<Finding> findings;
    private final Set<Overriding> overrides = new LinkedHashSet<>();
    private int references;

    ShapeCheck(Linker linker, Set<Finding> findings) {
        this.linker = linker;
        this.findings = findings;
    }

    int references() {
        return references;
    }

    Set<Overriding> overrides() {
        return overrides;
    }

    void check(ClassFile file) throws IOException {
        Hierarchy hierarchy = linker.hierarchy(file.name).orElseThrow();
        for (String missing : hierarchy.missing()) {
            references += Origin.isBroker(missing) ? 1 : 0;
            findings.add(new Finding(file.name, Kind.MISSING_ANCESTOR, missing));
        }
        if (file.superName != null) {
            checkParent(file, file.superName, false);
        }
        for (String name : file.interfaces) {
            checkParent(file, name, true);
        }
        for (Map.Entry<Member, Integer> method : file.methods.entrySet()) {
            if ((method.getValue() & NOT_OVERRIDDEN) == 0 && !method.getKey().name().startsWith("<")) {
                checkOverrides(file, hierarchy, method.getKey());
            }
        }
        collectOverrides(file, hierarchy);
        if (!file.is(Opcodes.ACC_ABSTRACT) && !file.isInterface()) {
            checkOpenMethods(file, hierarchy);
        }
        for (Lambda lambda : file.lambdas) {
            checkLambda(file, lambda);
        }
    }

    private void checkParent(ClassFile file, String name, boolean wantInterface) throws IOException {
        Optional<Hierarchy> found = linker.hierarchy(name);
        if (found.isEmpty()) {
            return;
        }
        ClassFile parent = found.get().classes().get(0);
        references += Origin.isBroker(name) ? 1 : 0;
        if (parent.isInterface() != wantInterface) {
            findings.add(new Finding(file.name, Kind.INTERFACE_CHANGED, name));
        }
        if (!parent.is(Opcodes.ACC_PUBLIC) && !parent.packageName().equals(file.packageName())) {
            findings.add(new Finding(file.name, Kind.INACCESSIBLE_CLASS, name));
        }
        if (parent.is(Opcodes.ACC_FINAL)) {
            findings.add(new Finding(file.name, Kind.FINAL_CLASS, name));
        }
        if (!parent.permitted.isEmpty() && !parent.permitted.contains(file.name)) {
            findings.add(new Finding(file.name, Kind.SEALED_CLASS, name));
        }
    }

    private void checkOverrides(ClassFile file, Hierarchy hierarchy, Member member) {
        for (ClassFile ancestor : hierarchy.all()) {
            Integer flags = ancestor == file ? null : ancestor.methods.get(member);
            if (flags == null || (flags & NOT_OVERRIDDEN) != 0 || !isVisible(file, new Declared(ancestor, flags))) {
                continue;
            }
            if (Origin.isBroker(ancestor.name)) {
                references++;
            }
            if ((flags & Opcodes.ACC_FINAL) != 0) {
                findings.add(new Finding(file.name, Kind.FINAL_METHOD, ancestor.name + "." + member));
            }
        }
    }

    private void collectOverrides(ClassFile file, Hierarchy hierarchy) {
        for (ClassFile ancestor : hierarchy.all()) {
            for (Map.Entry<Member, Integer> method : ancestor.methods.entrySet()) {
                Member member = method.getKey();
                Declared declared = new Declared(ancestor, method.getValue());
                if (Origin.isBroker(ancestor.name) && !declared.is(NOT_OVERRIDDEN) && !member.name().startsWith("<")
                        && hierarchy.implementation(member).filter(found -> !Origin.isBroker(found.name)
                                && !Origin.isJdk(found.name) && isVisible(found, declared)).isPresent()) {
                    overrides.add(new Overriding(file.name, member));
                }
            }
        }
    }

    private static boolean isVisible(ClassFile file, Declared declared) {
        return declared.is(Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)
                || declared.owner().packageName().equals(file.packageName());
    }

    private void checkOpenMethods(ClassFile file, Hierarchy hierarchy) throws IOException {
        for (ClassFile ancestor : hierarchy.all()) {
            for (Map.Entry<Member, Integer> method : ancestor.methods.entrySet()) {
                boolean isAbstract = (method.getValue() & Opcodes.ACC_ABSTRACT) != 0;
                if (!isAbstract && (!ancestor.isInterface() || (method.getValue() & NOT_OVERRIDDEN) != 0)) {
                    continue;
                }
                List<Declared> selected = hierarchy.selected(method.getKey());
                String target = ancestor.name + "." + method.getKey();
                if (selected.isEmpty() && isAbstract) {
                    findings.add(new Finding(file.name, Kind.OPEN_METHOD, target));
                } else if (selected.size() > 1) {
                    findings.add(new Finding(file.name, Kind.CONFLICTING_DEFAULTS, target));
                }
            }
        }
    }

    private void checkLambda(ClassFile file, Lambda lambda) throws IOException {
        Optional<Hierarchy> found = linker.hierarchy(lambda.interfaceName());
        if (found.isEmpty() || Origin.isJdk(lambda.interfaceName())) {
            return;
        }
        if (!found.get().classes().get(0).isInterface()) {
            findings.add(new Finding(file.name, Kind.INTERFACE_CHANGED, lambda.interfaceName()));
            return;
        }
        boolean exists = false;
        for (ClassFile ancestor : found.get().all()) {
            for (Map.Entry<Member, Integer> method : ancestor.methods.entrySet()) {
                Member member = method.getKey();
                exists |= member.equals(lambda.method());
                boolean given = member.equals(lambda.method())
                        || lambda.bridged() && member.name().equals(lambda.method().name());
                if ((method.getValue() & Opcodes.ACC_ABSTRACT) != 0 && !given && !isImplemented(found.get(), member)) {
                    findings.add(new Finding(file.name, Kind.OPEN_METHOD, ancestor.name + "." + member));
                }
            }
        }
        if (!exists) {
            findings.add(new Finding(file.name, Kind.MISSING_MEMBER, lambda.interfaceName() + "." + lambda.method()));
        }
    }

    // Object comes last among the classes of an interface, but what it has, every instance has.
    private static boolean isImplemented(Hierarchy hierarchy, Member member) throws IOException {
        List<ClassFile> classes = hierarchy.classes();
        return classes.get(classes.size() - 1).methods.containsKey(member) || hierarchy.selected(member).size() == 1;
    }
}
