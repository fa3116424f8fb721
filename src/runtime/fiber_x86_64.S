// SPDX-License-Identifier: Apache-2.0
//
// Switching between fibers on x86-64. Target side. Saves what the System V ABI asks a callee to
// preserve: rbx, rbp, r12-r15, the SSE and x87 control words, and the stack pointer. The FS base
// (TLS) is set by the caller's side before the stack changes hands (switch.h).

        .text

// Goes on with the context that lies at rsp. eax and edx hold the control words in force: loading
// one is slow and nearly always pointless, so they are compared first.
        .macro  take_up
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
        popq    %rcx
        jmpq    *%rcx
1:      ldmxcsr (%rsp)
        fldcw   4(%rsp)
        jmp     2b
        .endm

// rdi: where to leave the stack pointer, rsi: the stack pointer of whoever goes on. Jumped to, not
// called, with the address to go on at later on top of the stack (switch.h).
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
        movl    (%rsp), %eax
        movzwl  4(%rsp), %edx
        movq    %rsi, %rsp
        take_up
        .cfi_endproc
        .size   raddle_switch_stack, .-raddle_switch_stack

// The first code of a fiber: its frame is prepared by create_fiber. r12 holds the function, r13 its
// argument. Marked as the outermost frame so that unwinders stop here. The function returns the
// stack to go on with: the processor foresees returns by counting calls, so whoever goes on finds
// its own only if the fiber has returned from all that it has called.
        .globl  raddle_fiber_entry
        .hidden raddle_fiber_entry
        .type   raddle_fiber_entry, @function
raddle_fiber_entry:
        .cfi_startproc
        .cfi_undefined rip
        movq    %r13, %rdi
        xorl    %ebp, %ebp
        callq   *%r12
        movq    %rax, %rdi
        jmp     raddle_leave_stack
        .cfi_endproc
        .size   raddle_fiber_entry, .-raddle_fiber_entry

// void raddle_leave_stack(void* load_from): as raddle_switch_stack, but nobody comes back.
        .globl  raddle_leave_stack
        .hidden raddle_leave_stack
        .type   raddle_leave_stack, @function
raddle_leave_stack:
        .cfi_startproc
        .cfi_undefined rip
        movq    %rdi, %rsp
        stmxcsr -8(%rsp)
        fnstcw  -4(%rsp)
        movl    -8(%rsp), %eax
        movzwl  -4(%rsp), %edx
        take_up
        .cfi_endproc
        .size   raddle_leave_stack, .-raddle_leave_stack

        .section .note.GNU-stack,"",@progbits
