# SPDX-License-Identifier: Apache-2.0
"""libuv, a CMake project, built from Debian's source with the wrapper: those of its own tests that
are about threads, signals, child processes, pipes and timers, each as a program of its own under
several schedules. What raddle finds in them is listed here and explained in docs/field-notes.md."""

import unittest

from project import ProjectTest, run, source, wrapper

SCHEDULES = 10
# Nothing may be found in these.
CLEAN = """
    async async_null_cb barrier_1 barrier_2 barrier_3 barrier_serial_thread
    barrier_serial_thread_single condvar_1 condvar_2 condvar_3 condvar_4 condvar_5 semaphore_1
    semaphore_2 semaphore_3 thread_mutex thread_mutex_recursive thread_rwlock thread_rwlock_trylock
    thread_create thread_equal thread_local_storage thread_stack_size thread_stack_size_explicit
    threadpool_queue_work_simple threadpool_queue_work_einval threadpool_multiple_event_loops
    threadpool_cancel_getaddrinfo threadpool_cancel_work threadpool_cancel_fs
    threadpool_cancel_single loop_stop loop_update_time timer timer_again timer_start_twice
    we_get_signal we_get_signals signal_pending_on_close signal_close_loop_alive
    kill spawn_exit_code spawn_stdout spawn_stdin
    pipe_close_stdout_read_stdin tcp_close tcp_try_write udp_send_and_recv
    poll_duplex poll_unidirectional process_title_threadsafe fork_threadpool_queue_work_simple
""".split()
# The kinds that are found in these, and why they are there.
KNOWN = {
    "eintr_handling": {"leaked-thread"},  # the test never joins its thread
}


def build(folder):
    tree = source("libuv1")
    run(["cmake", "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_C_FLAGS=-g -O1"], folder,
        env={"CC": str(wrapper("c"))})
    run(["ninja", "-C", folder, "uv_run_tests_a"], folder)
    return folder / "uv_run_tests_a"


class Libuv(ProjectTest):
    @classmethod
    def setUpClass(cls):
        cls.program = build(cls.build_folder("libuv"))

    def own_test(self, name, code):
        # libuv's runner refuses to work for root unless told otherwise.
        return self.campaign("--schedules", SCHEDULES, "--fail-on", "leaked-thread",
                             self.program, name, name, code=code, cwd=self.program.parent,
                             env={"UV_RUN_AS_ROOT": "1"})

    def test_the_names_exist(self):
        names = run([self.program, "--list"], self.dir, env={"UV_RUN_AS_ROOT": "1"}).split()
        self.assertEqual([name for name in [*CLEAN, *KNOWN] if name not in names], [])

    def test_clean_ones(self):
        for name in CLEAN:
            with self.subTest(name):
                self.assert_clean(self.own_test(name, 0), SCHEDULES)

    def test_ones_with_known_findings(self):
        for name, kinds in KNOWN.items():
            with self.subTest(name):
                self.assert_found(self.own_test(name, 1), *kinds)


if __name__ == "__main__":
    unittest.main()
