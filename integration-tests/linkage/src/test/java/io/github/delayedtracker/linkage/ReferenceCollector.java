/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 * Unless required by applicable law or agreed to in writing, software distributed under the License is
 * distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 */
package io.github.delayedtracker.linkage;

import io.github.delayedtracker.linkage.ClassFile.Lambda;
import io.github.delayedtracker.linkage.ClassFile.Member;
import io.github.delayedtracker.linkage.ClassFile.Reference;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Fills a class file with its members and with everything its declarations and code refer to; annotations do not link. */
final class ReferenceCollector extends ClassVisitor {

    private final ClassFile file;

    ReferenceCollector(ClassFile file) {
        super(Opcodes.ASM9);
        this.file = file;
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
            file.classReferences.add(type.getInternalName());
        }
    }

    private void referTo(Handle handle) {
        int tag = handle.getTag();
        if (tag == Opcodes.H_NEWINVOKESPECIAL) {
            file.created.add(handle.getOwner());
        }
        boolean isStatic = tag == Opcodes.H_GETSTATIC || tag == Opcodes.H_PUTSTATIC || tag == Opcodes.H_INVOKESTATIC;
        referTo(handle.getOwner(), handle.getName(), handle.getDesc(), tag <= Opcodes.H_PUTSTATIC, isStatic,
                handle.isInterface());
    }

    private void referTo(String owner, String member, String descriptor, boolean field, boolean isStatic,
            boolean ownerIsInterface) {
        referTo(Type.getObjectType(owner));
        referTo(Type.getType(descriptor));
        if (!owner.startsWith("[")) {
            file.references.add(new Reference(owner, new Member(member, descriptor), field, isStatic, ownerIsInterface));
        }
    }

    private void referToConstant(Object constant) {
        if (constant instanceof Type type) {
            referTo(type);
        } else if (constant instanceof Handle handle) {
            referTo(handle);
        } else if (constant instanceof ConstantDynamic dynamic) {
            referTo(Type.getType(dynamic.getDescriptor()));
            referTo(dynamic.getBootstrapMethod());
            for (int i = 0; i < dynamic.getBootstrapMethodArgumentCount(); i++) {
                referToConstant(dynamic.getBootstrapMethodArgument(i));
            }
        }
    }

    @Override
    public void visitPermittedSubclass(String subclass) {
        file.permitted.add(subclass);
    }

    @Override
    public FieldVisitor visitField(int flags, String name, String descriptor, String signature, Object value) {
        file.fields.put(new Member(name, descriptor), flags);
        referTo(Type.getType(descriptor));
        return null;
    }

    @Override
    public MethodVisitor visitMethod(int flags, String name, String descriptor, String signature, String[] exceptions) {
        file.methods.put(new Member(name, descriptor), flags);
        referTo(Type.getMethodType(descriptor));
        if (exceptions != null) {
            for (String exception : exceptions) {
                referTo(Type.getObjectType(exception));
            }
        }
        return new Code();
    }

    private final class Code extends MethodVisitor {

        Code() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            referTo(owner, name, descriptor, true, opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC, false);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            referTo(owner, name, descriptor, false, opcode == Opcodes.INVOKESTATIC, isInterface);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.NEW) {
                file.created.add(type);
            }
            referTo(Type.getObjectType(type));
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            referTo(Type.getType(descriptor));
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
            if (type != null) {
                referTo(Type.getObjectType(type));
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            referToConstant(value);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            referTo(Type.getMethodType(descriptor));
            referTo(bootstrap);
            for (Object argument : arguments) {
                referToConstant(argument);
            }
            if (bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
                Member method = new Member(name, ((Type) arguments[0]).getDescriptor());
                file.lambdas.add(new Lambda(Type.getReturnType(descriptor).getInternalName(), method,
                        bootstrap.getName().equals("altMetafactory")));
            }
        }
    }
}
