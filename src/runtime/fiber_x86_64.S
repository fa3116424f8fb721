// SPDX-License-Identifier: Apache-2.0
//
// Switching between fibers on x86-64. Target side. Saves what the System V ABI asks a callee to
// preserve: rbx, rbp, r12-r15, the SSE and x87 control words, and the stack pointer. The FS base
// (TLS) is set by the caller's side before the stack changes hands.

        .text

// void raddle_switch_stack(void** save_to, void* load_from)
        .globl  raddle_switch_stack
        .hidden raddle_switch_stack
        .type   raddle_switch_stack, @function
raddle_switch_stack:
        .cfi_startproc
        pushq   %rbp
        pushq   %rbx
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        subq    $8, %rsp
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        movq    %rsp, (%rdi)
        // Loading a control word is slow and nearly always pointless: compare first.
        movl    (%rsp), %eax
        movzwl  4(%rsp), %edx
        movq    %rsi, %rsp
        cmpl    (%rsp), %eax
        jne     1f
        cmpw    4(%rsp), %dx
        jne     1f
2:      addq    $8, %rsp
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %rbx
        popq    %rbp
        ret
1:      ldmxcsr (%rsp)
        fldcw   4(%rsp)
        jmp     2b
        .cfi_endproc
        .size   raddle_switch_stack, .-raddle_switch_stack

// The first code of a fiber: its frame is prepared by create_fiber. r12 holds the function, r13 its
// argument. Marked as the outermost frame so that unwinders stop here.
        .globl  raddle_fiber_entry
        .hidden raddle_fiber_entry
        .type   raddle_fiber_entry, @function
raddle_fiber_entry:
        .cfi_startproc
        .cfi_undefined rip
        movq    %r13, %rdi
        xorl    %ebp, %ebp
        callq   *%r12
        ud2
        .cfi_endproc
        .size   raddle_fiber_entry, .-raddle_fiber_entry

        .section .note.GNU-stack,"",@progbits
