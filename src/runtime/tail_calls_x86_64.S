// SPDX-License-Identifier: Apache-2.0
//
// Functions that libc must see as called by the program itself, on x86-64. Target side. sigsetjmp
// returns twice into its caller's frame, and dlsym(RTLD_NEXT) starts its search at its caller. So
// our part runs first, leaves no trace on the stack, and jumps to libc's function.

        .text

// int __sigsetjmp(struct __jmp_buf_tag* buffer, int save_mask)
        .globl  __sigsetjmp
        .type   __sigsetjmp, @function
__sigsetjmp:
        .cfi_startproc
        endbr64
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        call    raddle_prepare_setjmp
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        movl    %eax, %esi
        jmp     *raddle_real_sigsetjmp(%rip)
        .cfi_endproc
        .size   __sigsetjmp, .-__sigsetjmp

// void* dlsym(void* handle, const char* name)
        .globl  dlsym
        .type   dlsym, @function
dlsym:
        .cfi_startproc
        endbr64
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        subq    $8, %rsp
        .cfi_adjust_cfa_offset 8
        call    raddle_prepare_dlsym
        addq    $8, %rsp
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        jmp     *raddle_real_dlsym(%rip)
        .cfi_endproc
        .size   dlsym, .-dlsym

        .section .note.GNU-stack,"",@progbits
