# SPDX-License-Identifier: Apache-2.0
"""The end of the process, threads that are left then, and the end of memory: what is found, what is
only a warning, and where raddle must keep quiet."""

import subprocess
import unittest

from harness import HERE, RADDLE, CliTest


class ProcessEnd(CliTest):
    def run_mode(self, mode, *options, code=0):
        return self.campaign("--keep-going", *options, self.place("endings"), mode, code=code)

    def kinds(self, data):
        return sorted(finding["kind"] for finding in data["findings"])

    def test_both_exits_are_explored(self):
        for strategy in ("dpor", "dfs", "best-first"):
            with self.subTest(strategy):
                data = self.run_mode("two_exits", "--strategy", strategy, code=1)
                self.assertTrue(data["complete"], data["guarantee"])
                self.assertEqual({f["message"] for f in data["findings"]},
                                 {"exit code 3, expected 0", "exit code 4, expected 0"})

    def test_threads_that_never_end_are_cut(self):
        data = self.run_mode("endless", "--strategy", "dpor", "--schedules", 3)
        self.assertEqual(data["findings"], [])
        self.assertEqual(data["limited"], 0)
        self.assertFalse(data["complete"])
        self.assertIn("up to a limit only", data["guarantee"])

    def test_threads_that_wait_sleep_or_spin_do_not_keep_the_process(self):
        for mode in ("waits", "sleeps", "spins"):
            with self.subTest(mode):
                data = self.run_mode(mode, "--strategy", "random", "--schedules", 50)
                self.assertEqual(data["findings"], [])
                self.assertEqual(data["limited"], 0)

    def test_a_thread_waits_for_one_that_exits(self):
        # The handler waits for a thread that waits in exit.
        data = self.run_mode("joins_in_handler", "--strategy", "dpor", code=1)
        self.assertEqual(self.kinds(data), ["deadlock"])

    def test_what_is_left_is_a_warning_that_hides_nothing(self):
        data = self.campaign("--strategy", "random", "--schedules", 200, self.place("endings"),
                             "leak_and_bug", code=1)
        self.assertIn("assertion", self.kinds(data))
        data = self.run_mode("leak", "--schedules", 20)
        self.assertEqual(self.kinds(data), ["leaked-thread"])
        data = self.run_mode("leak", "--schedules", 20, "--fail-on", "leaked-thread", code=1)
        self.assertEqual(data["schedules"], 20)

    def test_fail_on_names_warnings(self):
        program = self.place("endings")
        self.raddle("test", "--fail-on", "none", "--schedules", 5, program, "leak", code=0)
        self.raddle("test", "--fail-on", "inconsistent-locks,leaked-thread", "--schedules", 5,
                    program, "leak", code=1)
        for bad in ("crash", "leaked-thread,", "leaked"):
            with self.subTest(bad):
                result = self.raddle("test", "--fail-on", bad, program, "leak", code=2)
                self.assertIn("--fail-on", result.err)
                self.assertIn("leaked-thread", result.err)

    def test_exit_code_and_check_count_beside_a_leak(self):
        data = self.run_mode("leak", "--schedules", 5, "--expect-exit", 3, code=1)
        self.assertEqual(self.kinds(data), ["exit-code"])
        data = self.run_mode("leak", "--schedules", 5, "--check", "false", code=1)
        self.assertEqual(self.kinds(data), ["check"])


class MemoryEnd(CliTest):
    def test_who_was_let_go_does_not_look_back(self):
        # A condition variable and a barrier may be destroyed as soon as everybody was let go.
        for mode in ("broadcast_and_free", "barrier_and_free"):
            for strategy in ("random", "dpor"):
                with self.subTest(mode, strategy=strategy):
                    data = self.campaign("--strategy", strategy, "--schedules", 300,
                                         self.place("endings"), mode, code=0)
                    self.assertEqual(data["findings"], [])

    def test_libraries_that_count_references_unseen(self):
        folder = HERE / "programs" / "plain"
        for command in (["g++", "-std=c++20", "-g", "-O1", "-shared", "-fPIC", "-pthread",
                         folder / "holder.cpp", "-o", self.dir / "libholder.so"],
                        [RADDLE, "c++", "-std=c++20", "-g", "-O1", folder / "uses_holder.cpp",
                         "-o", self.dir / "uses_holder", f"-L{self.dir}", "-lholder",
                         f"-Wl,-rpath,{self.dir}"]):
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        for strategy in ("random", "auto", "dpor"):
            with self.subTest(strategy):
                data = self.campaign("--strategy", strategy, "--schedules", 300, "./uses_holder",
                                     code=0)
                self.assertEqual(data["findings"], [])


if __name__ == "__main__":
    unittest.main()
