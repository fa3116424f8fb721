# SPDX-License-Identifier: Apache-2.0
"""A detector is one file and one row: two_writers.cc and its row in registry.cc make a tool and a
library of unit tests that know it, and nothing else of raddle is compiled again.

The tool is named by the environment variable RADDLE; SECOND is where those with the other registry
are (bin/raddle, lib/libraddle_check.so)."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
RADDLE = pathlib.Path(os.environ["RADDLE"]).resolve()
SECOND = pathlib.Path(os.environ["SECOND"]).resolve()
TOOL = SECOND / "bin/raddle"


def run(*command, code, cwd, **env):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("RADDLE")}
    done = subprocess.run([str(word) for word in command], cwd=cwd, env={**clean, **env}, text=True,
                          timeout=60, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != code:
        raise AssertionError(f"{command}: exit code {done.returncode}, expected {code}:\n"
                             f"{done.stdout}")
    return done.stdout


class ByRow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # What lies beside the tool is the same but for the library with the registry.
        for file in (RADDLE.parent.parent / "lib").iterdir():
            here = SECOND / "lib" / file.name
            if not here.exists():
                here.symlink_to(file)
        cls.dir = pathlib.Path(tempfile.mkdtemp(prefix="raddle-second-"))
        run(TOOL, "c++", "-std=c++20", "-g", "-O1", f"-I{HERE.parent.parent / 'include'}",
            HERE / "flag.cpp", "-o", "flag", code=0, cwd=cls.dir)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    def setUp(self):
        shutil.rmtree(self.dir / ".raddle", ignore_errors=True)

    def test_it_is_listed(self):
        self.assertIn("two-writers    atomic stores of two threads to one place",
                      run(TOOL, "list", "analyses", code=0, cwd=self.dir))
        self.assertNotIn("two-writers", run(RADDLE, "list", "analyses", code=0, cwd=self.dir))

    def test_it_is_told_of_once_and_replays(self):
        for strategy in ("auto", "random", "dpor", "dfs"):
            with self.subTest(strategy):
                shutil.rmtree(self.dir / ".raddle", ignore_errors=True)
                out = run(TOOL, "test", "--strategy", strategy, "--json", "result", "./flag",
                          code=0, cwd=self.dir)
                self.assertIn("written-twice: two threads store to `", out)
                self.assertIn("; the run ended well", out)
                findings = json.loads((self.dir / "result").read_text())["findings"]
                self.assertEqual([each["kind"] for each in findings], ["written-twice"])
                again = run(TOOL, "replay", "1", code=1, cwd=self.dir)
                self.assertIn("it happened again: written-twice: two threads store", again)
                self.assertIn("flag.cpp", run(TOOL, "show", "1", code=0, cwd=self.dir))

    def test_the_user_decides_what_counts(self):
        run(TOOL, "test", "--fail-on", "written-twice", "./flag", code=1, cwd=self.dir)
        self.assertIn("written-twice", run(TOOL, "test", "--fail-on", "x", "./flag", code=2,
                                           cwd=self.dir))
        run(RADDLE, "test", "--fail-on", "written-twice", "./flag", code=2, cwd=self.dir)
        (self.dir / "suppressed").write_text("race:flag\n")
        out = run(TOOL, "test", "--suppressions", "suppressed", "./flag", code=0, cwd=self.dir)
        self.assertNotIn("written-twice:", out)

    def test_a_warning_is_not_explained(self):
        run(TOOL, "test", "./flag", code=0, cwd=self.dir)
        self.assertIn("is a warning", run(TOOL, "explain", "1", code=2, cwd=self.dir))

    def test_it_works_in_unit_tests(self):
        out = run("./flag", "check", code=0, cwd=self.dir)
        self.assertIn("written-twice: two threads store to `", out)
        out = run("./flag", "check", code=1, cwd=self.dir, RADDLE_FAIL_ON="written-twice")
        self.assertIn("two threads store to `", out)
        schedule = next((self.dir / ".raddle/findings").glob("*/schedule.raddle"))
        out = run("./flag", "check", code=1, cwd=self.dir, RADDLE_FAIL_ON="written-twice",
                  RADDLE_REPLAY=str(schedule))
        self.assertIn("two threads store to `", out)


if __name__ == "__main__":
    unittest.main()
