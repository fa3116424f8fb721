// SPDX-License-Identifier: Apache-2.0
//
// Switching between fibers on x86-64. Target side. Saves what the System V ABI asks a callee to
// preserve: rbx, rbp, r12-r15, the SSE and x87 control words, and the stack pointer. The FS base
// (TLS) is set by the caller's side before the stack changes hands.

        .text

// Goes on with the context that lies at rsp, by `ret` or by a jump. eax and edx hold the control
// words in force: loading one is slow and nearly always pointless, so they are compared first.
        .macro  take_up how
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
        .ifc    \how, ret
        ret
        .else
        popq    %rcx
        jmpq    *%rcx
        .endif
1:      ldmxcsr (%rsp)
        fldcw   4(%rsp)
        jmp     2b
        .endm

// Leaves the context below the return address, and where it lies in *save_to; what take_up needs.
        .macro  save
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
        .endm

// void raddle_switch_stack(void** save_to, void* load_from)
        .globl  raddle_switch_stack
        .hidden raddle_switch_stack
        .type   raddle_switch_stack, @function
raddle_switch_stack:
        .cfi_startproc
        save
        take_up ret
        .cfi_endproc
        .size   raddle_switch_stack, .-raddle_switch_stack

// The same for a caller that has not called but jumped here, with its return address on the stack
// and the arguments in place: it is answered by a jump, too (quick_switch.h).
        .globl  raddle_switch_by_jump
        .hidden raddle_switch_by_jump
        .type   raddle_switch_by_jump, @function
raddle_switch_by_jump:
        .cfi_startproc
        save
        take_up jump
        .cfi_endproc
        .size   raddle_switch_by_jump, .-raddle_switch_by_jump

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

// void raddle_leave_stack(void* load_from): as raddle_switch_stack, but nobody comes back. It jumps
// where that one returns: the fiber that goes on has had its call of raddle_switch_stack answered
// by the return that left it.
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
        take_up jump
        .cfi_endproc
        .size   raddle_leave_stack, .-raddle_leave_stack

        .section .note.GNU-stack,"",@progbits
