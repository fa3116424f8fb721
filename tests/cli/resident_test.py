#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Resident runs: one process makes run after run. Nothing of a run reaches the next one, whichever
way it ends; every run is the one that a fork would have made, byte for byte; what cannot be undone
ends the process and is told."""

import os
import unittest

from harness import CliTest

ENDS = ("return", "exit", "_exit", "quick_exit", "abort", "crash", "throw", "thread_exit", "code",
        "deadlock")
GOOD = ("return", "exit", "_exit", "quick_exit", "thread_exit")


class Resident(CliTest):
    def runs(self, executor, *words, options=(), code=None):
        """The events of all runs, and what the campaign says."""
        dump = self.dir / f"{executor}.events"
        dump.unlink(missing_ok=True)
        result = self.raddle("test", "--no-memo", "--keep-going", "--dump-events", dump, "--out",
                             executor, *options, *words, code=code,
                             env={"RADDLE_EXECUTOR": executor})
        return dump.read_bytes(), result

    def assert_same(self, *words, options=(), code=None):
        forked, _ = self.runs("fork", *words, options=options, code=code)
        resident, result = self.runs("resident", *words, options=options, code=code)
        self.assertNotIn("forked, because", result.out)
        self.assertGreater(len(forked), 1000)
        self.assertTrue(forked == resident, f"{words} {options}: other events")

    def test_runs_are_those_of_forks_however_they_end(self):
        program = self.place("leftover_state")
        for end in ENDS:
            with self.subTest(end=end):
                self.assert_same(program, end, code=0 if end in GOOD else 1,
                                 options=("--strategy", "random", "--schedules", "60"))

    def test_runs_are_those_of_forks_with_every_kind_of_strategy(self):
        program = self.place("leftover_state")
        for strategy in ("auto", "pct", "surw", "dfs", "dpor", "preemption-bound"):
            with self.subTest(strategy=strategy):
                self.assert_same(program, code=0,
                                 options=("--strategy", strategy, "--schedules", "120"))

    def test_output_is_that_of_the_run(self):
        program = self.place("leftover_state")
        check = 'test "$(cat $RADDLE_STDOUT)" = 0 || test "$(cat $RADDLE_STDOUT)" = 1'
        self.runs("resident", program, code=0, options=("--schedules", "100", "--check", check))

    def test_input_begins_anew(self):
        program = self.place("reads_input")
        (self.dir / "input").write_text("some words\n")
        self.assert_same(program, code=0, options=("--strategy", "random", "--schedules", "60",
                                                   "--stdin", "input"))

    def test_inherited_files_begin_anew(self):
        program = self.place("reads_input")
        (self.dir / "input").write_text("some words\n")
        for executor in ("fork", "resident"):
            file = os.open(self.dir / "input", os.O_RDONLY)
            result = self.raddle("test", "--no-memo", "--strategy", "random", "--schedules", "60",
                                 program, file, code=0, env={"RADDLE_EXECUTOR": executor},
                                 pass_fds=(file,))
            os.close(file)
            self.assertNotIn("forked, because", result.out)

    def test_one_process_makes_many_runs(self):
        program = self.place("own_number")
        for executor, least, most in (("fork", 200, 1000), ("resident", 1, 30), ("auto", 1, 150)):
            self.runs(executor, program, f"{executor}.pids", code=0,
                      options=("--strategy", "random", "--schedules", "200"))
            numbers = (self.dir / f"{executor}.pids").read_text().split()
            self.assertGreaterEqual(len(numbers), 200)
            self.assertLessEqual(least, len(set(numbers)), executor)
            self.assertLessEqual(len(set(numbers)), most, executor)

    def test_what_cannot_be_undone_ends_the_process(self):
        program = self.place("own_number")
        self.runs("resident", program, "pids", "child", code=0,
                  options=("--strategy", "random", "--schedules", "50"))
        numbers = (self.dir / "pids").read_text().split()
        self.assertGreaterEqual(len(set(numbers)), 50)

    def test_why_runs_are_forked_is_told(self):
        program = self.place("own_number")
        result = self.raddle("test", "--no-memo", "--strategy", "random", "--schedules", "100",
                             program, "pids", "limits", code=0, env={"RADDLE_EXECUTOR": "auto"})
        self.assertIn("runs: forked, because users, priorities or the like are changed\n",
                      result.out)

    def test_programs_that_start_slowly_reside_at_their_first_thread(self):
        program = self.place("slow_ready")
        starts = self.dir / "starts"
        for strategy in ("random", "pct", "auto"):
            options = ("--strategy", strategy, "--schedules", "300")
            forked, _ = self.runs("fork", program, code=0, options=options)
            starts.unlink()
            resident, result = self.runs("auto", program, code=0, options=options)
            self.assertNotIn("forked, because", result.out)
            self.assertTrue(forked == resident, f"{strategy}: other events")
            # Some of the first, and those that are compared.
            self.assertLess(len(starts.read_bytes()), 60, strategy)

    def test_findings_are_confirmed_by_forks_and_replay(self):
        program = self.place("crossed")
        _, result = self.runs("resident", program, code=1, options=("--schedules", "500"))
        self.assertNotIn("not reproduced", result.out)
        again = self.raddle("replay", "--out", "resident", "1", env={"RADDLE_EXECUTOR": "fork"})
        self.assertEqual(again.code, 1, str(again))

    def test_a_run_that_differs_is_told_and_ends_it(self):
        program = self.place("other_each_time")
        result = self.raddle("test", "--no-memo", "--strategy", "random", "--schedules", "100",
                             program, env={"RADDLE_EXECUTOR": "resident"})
        self.assertIn("runs: forked, because the ", result.out)
        self.assertIn("differ", result.out)

    def test_hangs_are_ended(self):
        program = self.place("hang_sometimes")
        data = self.campaign("--strategy", "random", "--schedules", "6", "--run-timeout", "300ms",
                             "--keep-going", program, env={"RADDLE_EXECUTOR": "resident"})
        self.assertEqual({finding["kind"] for finding in data["findings"]}, {"hang"})

    def test_nothing_is_left_running(self):
        program = self.place("leftover_state")
        self.raddle("test", "--no-memo", "--schedules", "50", program, "return", self.mark, code=0,
                    env={"RADDLE_EXECUTOR": "auto"})
        self.assert_no_process_left()


if __name__ == "__main__":
    unittest.main()
