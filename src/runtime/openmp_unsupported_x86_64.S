// SPDX-License-Identifier: Apache-2.0
//
// The functions of OpenMP's runtime libraries that raddle cannot run, on x86-64. Target side.
// libgomp's own would work on teams that it knows nothing of, and hang; so each asks first: under
// control the run ends with the function's name, otherwise the library's function goes on with the
// arguments as they are. None of them takes floating-point arguments.

        .macro  unsupported name
        .globl  \name
        .type   \name, @function
\name:
        .cfi_startproc
        endbr64
        leaq    .Lname_\name(%rip), %r11
        jmp     raddle_openmp_ask
        .cfi_endproc
        .size   \name, .-\name
        .pushsection .rodata.str1.1, "aMS", @progbits, 1
.Lname_\name:
        .string "\name"
        .popsection
        .endm

        .text

// %r11: the name of the function.
        .type   raddle_openmp_ask, @function
raddle_openmp_ask:
        .cfi_startproc
        pushq   %rdi
        .cfi_adjust_cfa_offset 8
        pushq   %rsi
        .cfi_adjust_cfa_offset 8
        pushq   %rdx
        .cfi_adjust_cfa_offset 8
        pushq   %rcx
        .cfi_adjust_cfa_offset 8
        pushq   %r8
        .cfi_adjust_cfa_offset 8
        pushq   %r9
        .cfi_adjust_cfa_offset 8
        pushq   %rax
        .cfi_adjust_cfa_offset 8
        movq    %r11, %rdi
        call    raddle_openmp_unsupported
        movq    %rax, %r11
        popq    %rax
        .cfi_adjust_cfa_offset -8
        popq    %r9
        .cfi_adjust_cfa_offset -8
        popq    %r8
        .cfi_adjust_cfa_offset -8
        popq    %rcx
        .cfi_adjust_cfa_offset -8
        popq    %rdx
        .cfi_adjust_cfa_offset -8
        popq    %rsi
        .cfi_adjust_cfa_offset -8
        popq    %rdi
        .cfi_adjust_cfa_offset -8
        jmp     *%r11
        .cfi_endproc
        .size   raddle_openmp_ask, .-raddle_openmp_ask

// libgomp: devices, leagues of teams, doacross loops, reductions over tasks, detached tasks.
        unsupported GOMP_doacross_post
        unsupported GOMP_doacross_ull_post
        unsupported GOMP_doacross_ull_wait
        unsupported GOMP_doacross_wait
        unsupported GOMP_loop_doacross_dynamic_start
        unsupported GOMP_loop_doacross_guided_start
        unsupported GOMP_loop_doacross_runtime_start
        unsupported GOMP_loop_doacross_start
        unsupported GOMP_loop_doacross_static_start
        unsupported GOMP_loop_ull_doacross_dynamic_start
        unsupported GOMP_loop_ull_doacross_guided_start
        unsupported GOMP_loop_ull_doacross_runtime_start
        unsupported GOMP_loop_ull_doacross_start
        unsupported GOMP_loop_ull_doacross_static_start
        unsupported GOMP_parallel_reductions
        unsupported GOMP_target
        unsupported GOMP_target_data
        unsupported GOMP_target_data_ext
        unsupported GOMP_target_end_data
        unsupported GOMP_target_enter_exit_data
        unsupported GOMP_target_ext
        unsupported GOMP_target_update
        unsupported GOMP_target_update_ext
        unsupported GOMP_task_reduction_remap
        unsupported GOMP_taskgroup_reduction_register
        unsupported GOMP_taskgroup_reduction_unregister
        unsupported GOMP_teams
        unsupported GOMP_teams4
        unsupported GOMP_teams_reg
        unsupported GOMP_workshare_task_reduction_unregister
        unsupported omp_fulfill_event

// libgomp for Fortran.
        unsupported omp_get_thread_num_
        unsupported omp_get_num_threads_
        unsupported omp_get_max_threads_
        unsupported omp_set_num_threads_
        unsupported omp_set_num_threads_8_
        unsupported omp_get_num_procs_
        unsupported omp_get_thread_limit_
        unsupported omp_in_parallel_
        unsupported omp_in_final_
        unsupported omp_get_level_
        unsupported omp_get_active_level_
        unsupported omp_get_ancestor_thread_num_
        unsupported omp_get_ancestor_thread_num_8_
        unsupported omp_get_team_size_
        unsupported omp_get_team_size_8_
        unsupported omp_get_max_active_levels_
        unsupported omp_set_max_active_levels_
        unsupported omp_set_max_active_levels_8_
        unsupported omp_get_nested_
        unsupported omp_set_nested_
        unsupported omp_set_nested_8_
        unsupported omp_get_dynamic_
        unsupported omp_set_dynamic_
        unsupported omp_set_dynamic_8_
        unsupported omp_get_schedule_
        unsupported omp_get_schedule_8_
        unsupported omp_set_schedule_
        unsupported omp_set_schedule_8_
        unsupported omp_get_cancellation_
        unsupported omp_get_wtime_
        unsupported omp_get_wtick_
        unsupported omp_init_lock_
        unsupported omp_destroy_lock_
        unsupported omp_set_lock_
        unsupported omp_unset_lock_
        unsupported omp_test_lock_
        unsupported omp_init_nest_lock_
        unsupported omp_destroy_nest_lock_
        unsupported omp_set_nest_lock_
        unsupported omp_unset_nest_lock_
        unsupported omp_test_nest_lock_
        unsupported omp_fulfill_event_

// LLVM's library, where it makes threads.
        unsupported __kmpc_fork_call
        unsupported __kmpc_fork_teams

        .section .note.GNU-stack,"",@progbits
