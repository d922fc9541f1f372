/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import static io.github.delayedtracker.linkage.MadeClass.PUBLIC_ABSTRACT;
import static io.github.delayedtracker.linkage.MadeClass.publicClass;
import static io.github.delayedtracker.linkage.MadeClass.publicInterface;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.delayedtracker.linkage.Finding.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.Label;
import org.objectweb.asm.Opcodes;

/** The checker names each kind of refusal; without this a check that finds nothing would prove nothing. */
class LinkerTest {

    private static final String BASE = "org/apache/pulsar/Base";
    private static final String API = "org/apache/pulsar/Api";
    private static final String SUB_API = "org/apache/pulsar/SubApi";
    private static final String GONE = "org/apache/pulsar/Gone";
    private static final String USER = "ours/User";
    private static final String OBJECT = "java/lang/Object";

    @TempDir
    private Path folder;

    private Linker linker;

    private static MadeClass base(int access) {
        return new MadeClass(access, BASE, OBJECT);
    }

    /** A public class of ours that extends the base. */
    private static MadeClass subclass(String... interfaces) {
        return new MadeClass(Opcodes.ACC_PUBLIC, USER, BASE, interfaces);
    }

    /** A public class of ours whose code is one instruction on a method. */
    private static MadeClass calling(int opcode, String owner, String method) {
        return publicClass(USER).code(code -> code.visitMethodInsn(opcode, owner, method, "()V", false));
    }

    private Path jar(String name, List<MadeClass> classes) throws IOException {
        Path jar = folder.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (MadeClass made : classes) {
                out.putNextEntry(new JarEntry(made.name() + ".class"));
                out.write(made.bytes());
            }
        }
        return jar;
    }

    private Set<Finding> link(List<MadeClass> broker, MadeClass... ours) throws IOException {
        Path jar = jar("ours.jar", List.of(ours));
        ClassPath classPath = new ClassPath(List.of(jar, jar("broker.jar", broker)));
        linker = new Linker(classPath);
        return linker.link(classPath.classesOf(jar));
    }

    private static Set<Finding> only(Kind kind, String target) {
        return Set.of(new Finding(USER, kind, target));
    }

    @Test
    void whatLinksIsNotReported() throws IOException {
        MadeClass base = publicClass(BASE).method(Opcodes.ACC_PROTECTED, "run").method(Opcodes.ACC_PROTECTED, "inherited")
                .method(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "make").field(Opcodes.ACC_PUBLIC, "count");
        MadeClass user = subclass(API).method(Opcodes.ACC_PUBLIC, "run").method(Opcodes.ACC_PUBLIC, "ask").code(code -> {
            code.visitTypeInsn(Opcodes.NEW, BASE);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, BASE, "run", "()V", false);
            code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, USER, "inherited", "()V", false);
            code.visitMethodInsn(Opcodes.INVOKESTATIC, BASE, "make", "()V", false);
            code.visitMethodInsn(Opcodes.INVOKEINTERFACE, API, "ask", "()V", true);
            code.visitFieldInsn(Opcodes.GETFIELD, BASE, "count", "I");
        });
        MadeClass lambda = publicClass("ours/Lambda").lambda(API, "ask");
        assertEquals(Set.of(), link(List.of(base, publicInterface(API).method(PUBLIC_ABSTRACT, "ask")), user, lambda));
    }

    @Test
    void aMissingClassIsNamed() throws IOException {
        MadeClass user = publicClass(USER).code(code -> code.visitTypeInsn(Opcodes.CHECKCAST, GONE));
        assertEquals(only(Kind.MISSING_CLASS, GONE), link(List.of(), user));
    }

    @Test
    void aMissingTypeThatIsOnlyCaughtIsNamed() throws IOException {
        MadeClass user = publicClass(USER).code(code -> {
            Label start = new Label();
            Label end = new Label();
            code.visitTryCatchBlock(start, end, end, GONE);
            code.visitLabel(start);
            code.visitInsn(Opcodes.NOP);
            code.visitLabel(end);
        });
        assertEquals(only(Kind.MISSING_CLASS, GONE), link(List.of(), user));
    }

    @Test
    void aMissingAncestorIsNamed() throws IOException {
        assertEquals(only(Kind.MISSING_ANCESTOR, GONE), link(List.of(publicClass(BASE)), subclass(GONE)));
    }

    @Test
    void aMissingAncestorOfAClassOfTheBrokerIsNamed() throws IOException {
        MadeClass base = new MadeClass(Opcodes.ACC_PUBLIC, BASE, GONE).method(Opcodes.ACC_PUBLIC, "run");
        assertEquals(Set.of(new Finding(BASE, Kind.MISSING_ANCESTOR, GONE)),
                link(List.of(base), calling(Opcodes.INVOKEVIRTUAL, BASE, "run")));
    }

    @Test
    void aMissingMethodIsNamed() throws IOException {
        assertEquals(only(Kind.MISSING_MEMBER, BASE + ".walk()V"),
                link(List.of(publicClass(BASE)), calling(Opcodes.INVOKEVIRTUAL, BASE, "walk")));
    }

    @Test
    void aMissingFieldIsNamed() throws IOException {
        MadeClass user = publicClass(USER).code(code -> code.visitFieldInsn(Opcodes.GETFIELD, BASE, "count", "I"));
        assertEquals(only(Kind.MISSING_MEMBER, BASE + ".countI"), link(List.of(publicClass(BASE)), user));
    }

    @Test
    void aMissingInheritedMethodCalledOnAClassOfOursIsNamed() throws IOException {
        MadeClass user = subclass().code(code -> code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, USER, "walk", "()V", false));
        assertEquals(only(Kind.MISSING_MEMBER, USER + ".walk()V"), link(List.of(publicClass(BASE)), user));
    }

    @Test
    void aLambdaForAMissingMethodIsNamed() throws IOException {
        assertEquals(only(Kind.MISSING_MEMBER, API + ".ask()V"),
                link(List.of(publicInterface(API)), publicClass(USER).lambda(API, "ask")));
    }

    @Test
    void aClassThatIsNotPublicIsNamed() throws IOException {
        MadeClass user = publicClass(USER).code(code -> code.visitTypeInsn(Opcodes.CHECKCAST, BASE));
        assertEquals(only(Kind.INACCESSIBLE_CLASS, BASE), link(List.of(base(0)), user));
    }

    @Test
    void aSuperclassThatIsNotPublicIsNamed() throws IOException {
        assertEquals(only(Kind.INACCESSIBLE_CLASS, BASE), link(List.of(base(0)), subclass()));
    }

    @Test
    void aMethodThatIsNotPublicIsNamed() throws IOException {
        for (int access : new int[] {0, Opcodes.ACC_PRIVATE, Opcodes.ACC_PROTECTED}) {
            assertEquals(only(Kind.INACCESSIBLE_MEMBER, BASE + ".run()V"),
                    link(List.of(publicClass(BASE).method(access, "run")), calling(Opcodes.INVOKEVIRTUAL, BASE, "run")));
        }
    }

    @Test
    void anInstanceMethodThatIsStaticIsNamed() throws IOException {
        MadeClass base = publicClass(BASE).method(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "run");
        assertEquals(only(Kind.STATIC_CHANGED, BASE + ".run()V"),
                link(List.of(base), calling(Opcodes.INVOKEVIRTUAL, BASE, "run")));
    }

    @Test
    void aStaticMethodThatIsNotIsNamed() throws IOException {
        assertEquals(only(Kind.STATIC_CHANGED, BASE + ".run()V"),
                link(List.of(publicClass(BASE).method(Opcodes.ACC_PUBLIC, "run")), calling(Opcodes.INVOKESTATIC, BASE, "run")));
    }

    @Test
    void aClassThatBecameAnInterfaceIsNamed() throws IOException {
        assertEquals(only(Kind.INTERFACE_CHANGED, API),
                link(List.of(publicInterface(API).method(PUBLIC_ABSTRACT, "run")), calling(Opcodes.INVOKEVIRTUAL, API, "run")));
    }

    @Test
    void aSuperclassThatBecameAnInterfaceIsNamed() throws IOException {
        assertEquals(only(Kind.INTERFACE_CHANGED, BASE), link(List.of(publicInterface(BASE)), subclass()));
    }

    @Test
    void aLambdaForAnInterfaceThatBecameAClassIsNamed() throws IOException {
        assertEquals(only(Kind.INTERFACE_CHANGED, API), link(List.of(publicClass(API).method(Opcodes.ACC_PUBLIC, "ask")),
                publicClass(USER).lambda(API, "ask")));
    }

    @Test
    void anAbstractClassThatIsCreatedIsNamed() throws IOException {
        MadeClass user = publicClass(USER).code(code -> code.visitTypeInsn(Opcodes.NEW, BASE));
        assertEquals(only(Kind.ABSTRACT_CLASS, BASE), link(List.of(base(PUBLIC_ABSTRACT)), user));
    }

    @Test
    void aFinalSuperclassIsNamed() throws IOException {
        assertEquals(only(Kind.FINAL_CLASS, BASE), link(List.of(base(Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL)), subclass()));
    }

    @Test
    void aSealedSuperclassIsNamed() throws IOException {
        assertEquals(only(Kind.SEALED_CLASS, BASE),
                link(List.of(publicClass(BASE).permits("org/apache/pulsar/Other")), subclass()));
    }

    @Test
    void aFinalMethodThatIsOverriddenIsNamed() throws IOException {
        assertEquals(only(Kind.FINAL_METHOD, BASE + ".run()V"),
                link(List.of(publicClass(BASE).method(Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL, "run")),
                        subclass().method(Opcodes.ACC_PUBLIC, "run")));
    }

    @Test
    void anAbstractMethodLeftOpenIsNamed() throws IOException {
        assertEquals(only(Kind.OPEN_METHOD, API + ".ask()V"),
                link(List.of(publicClass(BASE), publicInterface(API).method(PUBLIC_ABSTRACT, "ask")), subclass(API)));
    }

    @Test
    void anAbstractMethodThatALambdaLeavesOpenIsNamed() throws IOException {
        MadeClass api = publicInterface(API).method(PUBLIC_ABSTRACT, "ask").method(PUBLIC_ABSTRACT, "tell");
        assertEquals(only(Kind.OPEN_METHOD, API + ".tell()V"), link(List.of(api), publicClass(USER).lambda(API, "ask")));
    }

    @Test
    void defaultsOfTwoUnrelatedInterfacesAreNamed() throws IOException {
        MadeClass one = publicInterface(API).method(Opcodes.ACC_PUBLIC, "ask");
        MadeClass two = publicInterface(SUB_API).method(Opcodes.ACC_PUBLIC, "ask");
        assertEquals(Set.of(new Finding(USER, Kind.CONFLICTING_DEFAULTS, API + ".ask()V"),
                        new Finding(USER, Kind.CONFLICTING_DEFAULTS, SUB_API + ".ask()V")),
                link(List.of(publicClass(BASE), one, two), subclass(API, SUB_API)));
    }

    @Test
    void aDefaultOfASubinterfaceFillsTheMethodOfTheOneNamedBeforeIt() throws IOException {
        MadeClass api = publicInterface(API).method(PUBLIC_ABSTRACT, "ask");
        MadeClass subApi = publicInterface(SUB_API, API).method(Opcodes.ACC_PUBLIC, "ask");
        assertEquals(Set.of(), link(List.of(publicClass(BASE), api, subApi), subclass(API, SUB_API)));
    }

    @Test
    void aDefaultOfASubinterfaceDoesNotConflictWithTheOneItOverrides() throws IOException {
        MadeClass api = publicInterface(API).method(Opcodes.ACC_PUBLIC, "ask");
        MadeClass subApi = publicInterface(SUB_API, API).method(Opcodes.ACC_PUBLIC, "ask");
        assertEquals(Set.of(), link(List.of(publicClass(BASE), api, subApi), subclass(API, SUB_API)));
    }

    @Test
    void aDefaultThatASubinterfaceMadeAbstractIsNamed() throws IOException {
        MadeClass api = publicInterface(API).method(Opcodes.ACC_PUBLIC, "ask");
        MadeClass subApi = publicInterface(SUB_API, API).method(PUBLIC_ABSTRACT, "ask");
        assertEquals(only(Kind.OPEN_METHOD, SUB_API + ".ask()V"),
                link(List.of(publicClass(BASE), api, subApi), subclass(API, SUB_API)));
    }

    @Test
    void aMethodThatOverridesOnAnotherLineOnlyIsNamed() throws IOException {
        MadeClass user = subclass().method(Opcodes.ACC_PUBLIC, "run");
        link(List.of(publicClass(BASE).method(Opcodes.ACC_PUBLIC, "run")), user);
        Linker other = linker;
        link(List.of(publicClass(BASE)), user);
        assertEquals(only(Kind.LOST_OVERRIDE, "run()V"), linker.lostOverrides(other));
        assertEquals(Set.of(), other.lostOverrides(linker));
    }

    @Test
    void aMethodTakenFromAnotherClassOfOursThatOverridesOnAnotherLineOnlyIsNamed() throws IOException {
        MadeClass parent = publicClass("ours/Parent").method(Opcodes.ACC_PUBLIC, "ask");
        MadeClass user = new MadeClass(Opcodes.ACC_PUBLIC, USER, "ours/Parent", API);
        link(List.of(publicInterface(API).method(PUBLIC_ABSTRACT, "ask")), parent, user);
        Linker other = linker;
        link(List.of(publicInterface(API)), parent, user);
        assertEquals(only(Kind.LOST_OVERRIDE, "ask()V"), linker.lostOverrides(other));
    }
}
