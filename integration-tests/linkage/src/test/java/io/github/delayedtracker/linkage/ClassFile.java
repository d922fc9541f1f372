/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/** What linking needs of a class file: its place in the hierarchy, its members, and what its code refers to. */
final class ClassFile {

    /** A member by name and descriptor. */
    record Member(String name, String descriptor) {
        @Override
        public String toString() {
            return name + descriptor;
        }
    }

    /** A reference to a member, with what the code takes for granted about it; the last is not known of a field. */
    record Reference(String owner, Member member, boolean field, boolean isStatic, boolean ownerIsInterface) {
        @Override
        public String toString() {
            return owner + "." + member;
        }
    }

    /** A lambda or method reference: the interface it becomes an instance of and the method it stands for. */
    record Lambda(String interfaceName, Member method, boolean bridged) {
    }

    final String name;
    final int access;
    final String superName;
    final List<String> interfaces;
    final Map<Member, Integer> methods = new HashMap<>();
    final Map<Member, Integer> fields = new HashMap<>();
    final Set<String> permitted = new LinkedHashSet<>();
    final Set<Reference> references = new LinkedHashSet<>();
    final Set<String> classReferences = new LinkedHashSet<>();
    final Set<String> created = new LinkedHashSet<>();
    final Set<Lambda> lambdas = new LinkedHashSet<>();

    ClassFile(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        name = reader.getClassName();
        access = reader.getAccess();
        superName = reader.getSuperName();
        interfaces = List.of(reader.getInterfaces());
        reader.accept(new ReferenceCollector(this), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    boolean is(int flag) {
        return (access & flag) != 0;
    }

    boolean isInterface() {
        return is(Opcodes.ACC_INTERFACE);
    }

    String packageName() {
        return name.substring(0, name.lastIndexOf('/') + 1);
    }
}
