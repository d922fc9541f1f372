/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import java.util.function.Consumer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A class file made for a test; it is read, never run. Every method takes and gives nothing. */
final class MadeClass {

    static final int INTERFACE = Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT;
    static final int PUBLIC_ABSTRACT = Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT;

    private final ClassWriter writer = new ClassWriter(0);
    private final String name;

    MadeClass(int access, String name, String superName, String... interfaces) {
        this.name = name;
        writer.visit(Opcodes.V17, access, name, null, superName, interfaces);
    }

    static MadeClass publicClass(String name) {
        return new MadeClass(Opcodes.ACC_PUBLIC, name, "java/lang/Object");
    }

    static MadeClass publicInterface(String name, String... interfaces) {
        return new MadeClass(Opcodes.ACC_PUBLIC | INTERFACE, name, "java/lang/Object", interfaces);
    }

    MadeClass permits(String subclass) {
        writer.visitPermittedSubclass(subclass);
        return this;
    }

    /** A field of type int. */
    MadeClass field(int access, String field) {
        writer.visitField(access, field, "I", null, null).visitEnd();
        return this;
    }

    MadeClass method(int access, String method) {
        return method(access, method, code -> { });
    }

    MadeClass method(int access, String method, Consumer<MethodVisitor> body) {
        MethodVisitor code = writer.visitMethod(access, method, "()V", null, null);
        if ((access & Opcodes.ACC_ABSTRACT) == 0) {
            code.visitCode();
            body.accept(code);
            code.visitInsn(Opcodes.RETURN);
            code.visitMaxs(0, 0);
        }
        code.visitEnd();
        return this;
    }

    /** A static method of this code. */
    MadeClass code(Consumer<MethodVisitor> body) {
        return method(Opcodes.ACC_STATIC, "code", body);
    }

    /** Code that makes an instance of the interface from {@link #code}, for the given method of it. */
    MadeClass lambda(String interfaceName, String method) {
        Handle bootstrap = new Handle(Opcodes.H_INVOKESTATIC, "java/lang/invoke/LambdaMetafactory", "metafactory",
                "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;"
                        + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)"
                        + "Ljava/lang/invoke/CallSite;", false);
        Handle target = new Handle(Opcodes.H_INVOKESTATIC, name, "code", "()V", false);
        Type type = Type.getMethodType("()V");
        code(code -> { });
        return method(Opcodes.ACC_STATIC, "lambda", code -> code.visitInvokeDynamicInsn(method, "()L" + interfaceName + ";",
                bootstrap, type, target, type));
    }

    String name() {
        return name;
    }

    byte[] bytes() {
        writer.visitEnd();
        return writer.toByteArray();
    }
}
