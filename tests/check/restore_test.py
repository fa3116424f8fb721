#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Global variables are put back after each run of a unit test: the bodies of restored.h pass if
they are and fail if not, with googletest and with Catch2; what is found can be replayed.

The tool under test is named by the environment variable RADDLE."""

import atexit
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
RADDLE = os.path.abspath(os.environ.get("RADDLE", HERE.parent.parent / "build/bin/raddle"))
TIMEOUT_S = 200

work = pathlib.Path(tempfile.mkdtemp(prefix="raddle-restore-"))
atexit.register(shutil.rmtree, work, ignore_errors=True)


def run(*command, code=0, **changes):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("RADDLE", "GTEST"))}
    env.update(changes)
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=work, env=env, text=True, timeout=TIMEOUT_S,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != code:
        raise AssertionError(f"{words} {changes}\nexit code {done.returncode}, expected {code}:\n"
                             f"{done.stdout[-6000:]}")
    return done.stdout


def compile_program(name, *libraries):
    run(RADDLE, "c++", "-std=c++20", "-g", "-O1", "-Wall", "-Wextra", "-Werror",
        HERE / f"{name}.cpp", "-o", name, work / "librestored.so", f"-Wl,-rpath,{work}",
        *libraries)


def setUpModule():
    run(RADDLE, "c++", "-g", "-shared", "-fPIC", HERE / "restored_library.cpp", "-o",
        "librestored.so")
    compile_program("restored_gtest", "-lgtest", "-lgtest_main")
    compile_program("restored_catch2")


def gtest(test, code=0, **changes):
    return run("./restored_gtest", f"--gtest_filter=Restored.{test}", code=code, **changes)


class Googletest(unittest.TestCase):
    def test_every_run_finds_the_same(self):
        out = gtest("Everything", RADDLE_STRATEGY="random", RADDLE_SCHEDULES="3000")
        self.assertIn("3000 runs", out)
        self.assertNotIn("differs", out)
        # Of an object that was never made, as it were.
        self.assertNotIn("destroyed", out)

    def test_or_does_not_if_told_so(self):
        out = gtest("Everything", code=1, RADDLE_RESTORE="0", RADDLE_STRATEGY="random")
        self.assertEqual(out.count("a static object is destroyed"), 1)

    def test_all_runs_of_a_batch_count(self):
        self.assertIn("5000 runs", gtest("Seldom"))
        gtest("Seldom", code=1, RADDLE_RESTORE="0")

    def test_so_do_pages_that_the_kernel_writes_to(self):
        self.assertIn("2000 runs", gtest("Pages"))
        gtest("Pages", code=1, RADDLE_RESTORE="0")

    def test_a_mistake_in_the_first_use_is_found_and_replayed(self):
        out = gtest("FirstUse", code=1)
        file = re.search(r"schedule file: (.*)", out).group(1)
        again = gtest("FirstUse", code=1, RADDLE_REPLAY=file)
        self.assertEqual(self.steps(again), self.steps(out))
        self.assertNotIn("not reproduced", out)

    @staticmethod
    def steps(out):
        """Without addresses: what runs have left allocated stays, and others lie elsewhere."""
        return re.findall(r"^ *\d+ .*|~~~.*", re.sub(r"0x[0-9a-f]+", "", out), re.M)

    def test_tests_do_not_see_each_other(self):
        out = run("./restored_gtest", "--gtest_filter=*Everything:*Seldom:*Pages",
                  "--gtest_repeat=2")
        self.assertNotIn("FAILED", out)

    def test_all_or_nothing(self):
        out = gtest("Anchored")
        self.assertRegex(out, r"global variables are not put back after each run: "
                              r"`restored::g_filled` \(restored.h:\d+\), which changes, refers to "
                              r"memory from before the test")
        self.assertRegex(out, r"global `restored::g_count` .* differs between runs")

    def test_the_option(self):
        self.assertIn("`restored::g_count`", gtest("Kept"))
        self.assertNotIn("`restored::g_count`", gtest("Kept", RADDLE_RESTORE="1"))
        self.assertIn("RADDLE_RESTORE: `some` is not one of 0, 1",
                      gtest("Kept", code=1, RADDLE_RESTORE="some"))

    def test_variables_that_may_differ_are_not_put_back(self):
        gtest("Everything", code=1, RADDLE_IGNORE_GLOBALS="g_count", RADDLE_STRATEGY="random")


class Catch2(unittest.TestCase):
    def test_every_run_finds_the_same(self):
        out = run("./restored_catch2", "everything", "seldom", "-s")
        out += run("./restored_catch2", "everything,seldom", RADDLE_STRATEGY="random")
        self.assertNotIn("differs", out)
        self.assertNotIn("destroyed", out)

    def test_or_does_not_if_told_so(self):
        run("./restored_catch2", "everything", code=1, RADDLE_RESTORE="0")

    def test_a_mistake_in_the_first_use_is_found_and_replayed(self):
        out = run("./restored_catch2", "first use", code=1)
        file = re.search(r"schedule file: (.*)", out).group(1)
        run("./restored_catch2", "first use", code=1, RADDLE_REPLAY=file)


if __name__ == "__main__":
    unittest.main()
