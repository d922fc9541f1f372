/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** What linking needs of a class file: its place in the hierarchy, its members, and what its code refers to. */
final class ClassFile {

    /** A member by name and descriptor. */
    record Member(String name, String descriptor) {
        @Override
        public String toString() {
            return name + descriptor;
        }
    }

    /** A reference to a member of another class; a method unless the descriptor is a field's. */
    record Reference(String owner, Member member, boolean field) {
        @Override
        public String toString() {
            return owner + "." + member;
        }
    }

    final String name;
    final int access;
    final String superName;
    final List<String> interfaces;
    final Map<Member, Integer> methods = new HashMap<>();
    final Map<Member, Integer> fields = new HashMap<>();
    final List<Reference> references = new ArrayList<>();
    final List<String> classReferences = new ArrayList<>();

    ClassFile(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        name = reader.getClassName();
        access = reader.getAccess();
        superName = reader.getSuperName();
        interfaces = List.of(reader.getInterfaces());
        reader.accept(new Collector(), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    boolean isFinal() {
        return (access & Opcodes.ACC_FINAL) != 0;
    }

    boolean isAbstract() {
        return (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) != 0;
    }

    private void referTo(Type type) {
        if (type.getSort() == Type.METHOD) {
            referTo(type.getReturnType());
            for (Type argument : type.getArgumentTypes()) {
                referTo(argument);
            }
        } else if (type.getSort() == Type.ARRAY) {
            referTo(type.getElementType());
        } else if (type.getSort() == Type.OBJECT) {
            classReferences.add(type.getInternalName());
        }
    }

    private void referTo(Handle handle) {
        boolean field = handle.getTag() <= Opcodes.H_PUTSTATIC;
        references.add(new Reference(handle.getOwner(), new Member(handle.getName(), handle.getDesc()), field));
    }

    private final class Collector extends ClassVisitor {

        Collector() {
            super(Opcodes.ASM9);
        }

        @Override
        public FieldVisitor visitField(int flags, String fieldName, String descriptor, String signature, Object value) {
            fields.put(new Member(fieldName, descriptor), flags);
            referTo(Type.getType(descriptor));
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int flags, String methodName, String descriptor, String signature,
                String[] exceptions) {
            methods.put(new Member(methodName, descriptor), flags);
            referTo(Type.getMethodType(descriptor));
            return new CodeCollector();
        }
    }

    private final class CodeCollector extends MethodVisitor {

        CodeCollector() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String member, String descriptor) {
            references.add(new Reference(owner, new Member(member, descriptor), true));
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String member, String descriptor, boolean isInterface) {
            if (!owner.startsWith("[")) {
                references.add(new Reference(owner, new Member(member, descriptor), false));
            }
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            referTo(Type.getObjectType(type));
        }

        @Override
        public void visitInvokeDynamicInsn(String member, String descriptor, Handle bootstrap, Object... arguments) {
            for (Object argument : arguments) {
                if (argument instanceof Handle handle) {
                    referTo(handle);
                } else if (argument instanceof Type type) {
                    referTo(type);
                }
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            if (value instanceof Type type) {
                referTo(type);
            }
        }
    }
}
