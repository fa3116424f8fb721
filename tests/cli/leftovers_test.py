#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the runs of a unit test leave behind is named: globals, objects, locks, threads. Each case
has a twin that leaves nothing. Globals are named where they are not put back after each run."""

import subprocess
import unittest

import harness
from harness import CliTest, line_of

PROGRAM = "leftovers"


class Leftovers(CliTest):
    def check(self, *words, code=0, RADDLE_RESTORE="0", **changes):
        done = subprocess.run([harness.build(PROGRAM, "-std=c++20"), *words], cwd=self.dir,
                              env=harness.environment(RADDLE_RESTORE=RADDLE_RESTORE, **changes),
                              capture_output=True, text=True,
                              timeout=harness.TIMEOUT_S)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    @staticmethod
    def at(mark):
        return f"leftovers.cpp:{line_of(PROGRAM, mark)}"

    def assert_says_nothing(self, *words, restored=("0", "1")):
        for restore in restored:
            out = self.check(*words, RADDLE_RESTORE=restore)
            for word in ("differs", "destroyed", "locked", "created"):
                self.assertNotIn(word, out)

    def test_a_changed_global_is_named_once(self):
        out = self.check("cache")
        note = f"global `g_cache` ({self.at('cache')}) differs between runs"
        self.assertEqual(out.count(note), 1, out)
        self.assert_says_nothing("cache", "clean")

    def test_a_static_local_is_a_global_too(self):
        self.assertIn(f"`calls()::count` ({self.at('count')}) differs between runs",
                      self.check("count"))

    def test_what_is_put_back_is_not_left_behind(self):
        self.assert_says_nothing("cache", restored="1")
        self.assert_says_nothing("count", restored="1")
        self.assert_says_nothing("late", restored="1")

    def test_the_user_can_exclude_globals(self):
        out = self.check("cache", RADDLE_IGNORE_GLOBALS="other, g_cache")
        self.assertNotIn("differs", out)

    def test_what_is_made_on_first_use_is_no_change(self):
        self.assert_says_nothing("globals")

    def test_a_failure_that_depends_on_earlier_runs_says_so(self):
        out = self.check("late", code=1)
        self.assertRegex(out, r"\[not reproduced: .*; global `g_turns` \(leftovers.cpp:\d+\) "
                              r"differs between runs\]")
        self.assertIn("it depends on what earlier runs have left behind", out)

    def test_objects_that_are_not_destroyed(self):
        out = self.check("objects")
        for what, mark in (("lock", "mutex"), ("lock", "rwlock"), ("lock", "spin"),
                           ("condition variable", "cond"), ("semaphore", "sem"),
                           ("barrier", "barrier")):
            note = f"{what} initialised at {self.at(mark)} is never destroyed"
            self.assertEqual(out.count(note), 1, out)
        self.assert_says_nothing("objects", "clean")

    def test_objects_of_all_runs_need_not_be_destroyed_by_one(self):
        self.assert_says_nothing("once")

    def test_a_lock_that_stays_locked_is_a_finding(self):
        self.assertIn("sync-misuse: T0 ends the test, and `g_lock` is still locked by T1 (at "
                      f"{self.at('lock')})", self.check("locked", code=1))
        self.assert_says_nothing("locked", "clean")

    def test_so_is_one_that_stays_locked_for_reading(self):
        self.assertIn("sync-misuse: T0 ends the test, and `g_shared` is still locked by T0 (at "
                      f"{self.at('read')})", self.check("read", code=1))
        self.assert_says_nothing("read", "clean")

    def test_a_thread_that_never_ends_is_a_leak(self):
        out = self.check("thread", code=1)
        self.assertRegex(out, r"leaked-thread: T1 does not end with the test: .*; it was created "
                              r"at leftovers.cpp:\d+")
        self.assert_says_nothing("thread", "clean")


if __name__ == "__main__":
    unittest.main()
