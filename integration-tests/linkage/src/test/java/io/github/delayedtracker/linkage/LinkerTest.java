/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The checker names each kind of refusal; without this a check that finds nothing would prove nothing. */
class LinkerTest {

    private static final String BASE = "org/apache/pulsar/Base";
    private static final String API = "org/apache/pulsar/Api";

    @TempDir
    private Path folder;

    private static byte[] base(int access, int methodAccess) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, access, BASE, null, "java/lang/Object", null);
        MethodVisitor method = writer.visitMethod(methodAccess, "run", "()V", null, null);
        method.visitCode();
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(0, 1);
        method.visitEnd();
        return writer.toByteArray();
    }

    private static byte[] api() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT, API, null,
                "java/lang/Object", null);
        writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, "ask", "()V", null, null).visitEnd();
        return writer.toByteArray();
    }

    /** A class that extends the base, implements the interfaces, has a method run and calls the given method on the base. */
    private static ClassFile user(String called, String... interfaces) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "ours/User", null, BASE, interfaces);
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_PUBLIC, "run", "()V", null, null);
        method.visitCode();
        method.visitVarInsn(Opcodes.ALOAD, 0);
        method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, BASE, called, "()V", false);
        method.visitInsn(Opcodes.RETURN);
        method.visitMaxs(1, 1);
        method.visitEnd();
        return new ClassFile(writer.toByteArray());
    }

    private Set<String> findings(byte[] base, ClassFile user) throws IOException {
        Path jar = folder.resolve("broker.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(BASE + ".class"));
            out.write(base);
            out.putNextEntry(new JarEntry(API + ".class"));
            out.write(api());
        }
        return new Linker(new ClassPath(List.of(jar))).link(List.of(user));
    }

    @Test
    void whatLinksIsNotReported() throws IOException {
        assertEquals(Set.of(), findings(base(Opcodes.ACC_PUBLIC, Opcodes.ACC_PUBLIC), user("run")));
    }

    @Test
    void aMissingMethodIsNamed() throws IOException {
        assertEquals(Set.of("ours/User refers to missing member " + BASE + ".walk()V"),
                findings(base(Opcodes.ACC_PUBLIC, Opcodes.ACC_PUBLIC), user("walk")));
    }

    @Test
    void aMissingInterfaceIsNamed() throws IOException {
        assertEquals(Set.of("ours/User has missing ancestor org/apache/pulsar/Gone"),
                findings(base(Opcodes.ACC_PUBLIC, Opcodes.ACC_PUBLIC), user("run", "org/apache/pulsar/Gone")));
    }

    @Test
    void aFinalClassAndAFinalMethodAreNamed() throws IOException {
        Set<String> found = findings(base(Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL),
                user("run"));
        assertTrue(found.contains("ours/User extends final class " + BASE), found.toString());
        assertTrue(found.contains("ours/User overrides final method " + BASE + ".run()V"), found.toString());
    }

    @Test
    void anAbstractMethodLeftOpenIsNamed() throws IOException {
        assertEquals(Set.of("ours/User leaves abstract method open " + API + ".ask()V"),
                findings(base(Opcodes.ACC_PUBLIC, Opcodes.ACC_PUBLIC), user("run", API)));
    }
}
