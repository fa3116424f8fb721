# SPDX-License-Identifier: Apache-2.0
"""`raddle replay --gdb`: the recorded run, below gdb."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import unittest

from harness import RADDLE, CliTest, line_of

REGISTERS = "frame apply level 0 -q info registers rip rsp rbp rbx r12 r13 r14 r15 fs_base"


class GdbTest(CliTest):
    def gdb(self, *commands, reference="1", options=(), code=1, **settings):
        """What gdb and raddle print when gdb carries out the commands and ends."""
        words = ["-nx", "-batch"]
        for command in commands:
            words += ["-ex", command]
        return self.raddle("replay", reference, "--gdb", "--gdb-args", shlex.join(words), *options,
                           code=code, **settings)

    def recorded(self, program, *arguments, flags=()):
        self.campaign(self.place(program, *flags), *arguments, code=1)

    def assert_in_order(self, text, *patterns):
        at = 0
        for pattern in patterns:
            found = re.compile(pattern).search(text, at)
            self.assertTrue(found, f"{pattern!r} is not in\n{text[at:]}\nof\n{text}")
            at = found.end()


class Runs(GdbTest):
    def test_stops_at_the_start_and_at_the_failure(self):
        self.recorded("account")
        result = self.gdb("bt", "continue", "bt")
        main = next(i for i, line in enumerate(
            (self.dir / "account.cpp").read_text().splitlines(), 1) if "int main" in line)
        failure = line_of("account", "assertion")
        self.assert_in_order(
            result.out, "raddle: the run begins",
            rf"main \(.*\) at account.cpp:({main}|{main + 1})\b",
            "#0 .*main", "the run ends after step .* in T0: assertion: Assertion `balance >= 0'",
            rf"main \(.*\) at account.cpp:{failure}", rf"#\d+ .*main \(.*account.cpp:{failure}")
        self.assert_in_order(result.out, "it happened again: assertion", f"account.cpp:{failure}")

    def test_breakpoints_in_threads_show_their_stacks(self):
        self.recorded("account")
        result = self.gdb(f"break account.cpp:{line_of('account', 'look')}", "continue", "bt",
                          "print balance", "raddle where", "delete", "continue")
        self.assert_in_order(result.out, "Breakpoint 1, withdraw", "#0 .*withdraw",
                             r"\$1 = 100", r"step \d+: T[12] running", "the run ends")
        self.assert_words(result.out, "it happened again")

    def test_makes_the_recorded_steps(self):
        """Breakpoints and commands change nothing: the events are the same byte for byte."""
        for program, arguments in (("account", ()), ("surroundings", ("plain",)),
                                   ("verdicts", ("abba",))):
            with self.subTest(program=program):
                self.raddle("test", "--out", f"{program}-out", self.place(program), *arguments,
                            code=1)
                expected, actual = self.dir / f"{program}-1", self.dir / f"{program}-2"
                self.raddle("replay", "--out", f"{program}-out", "1", "--dump-events", expected,
                            code=1)
                result = self.gdb("break pthread_create", "continue", "raddle threads", "continue",
                                  "raddle step 3", "raddle thread T0", "delete",
                                  *["continue"] * 4,
                                  options=("--out", f"{program}-out", "--dump-events", actual))
                self.assertNotIn("not all the recorded ones", result.err)
                self.assertGreater(len(expected.read_bytes()), 100)
                self.assertTrue(expected.read_bytes() == actual.read_bytes(), result)

    def test_the_program_cannot_tell(self):
        """Same addresses, environment and descriptors, whatever the run was recorded with."""
        for executor in ("fork", "exec"):
            settings = {"env": {"RADDLE_EXECUTOR": executor, "LINES": "7"}}
            self.raddle("test", self.place("addresses"), "one", "two words", code=1, **settings)
            plain = self.raddle("replay", "1", code=1, **settings)
            self.assert_words(plain.out, "3 arguments", "terminal 0")
            below = self.gdb("continue", "continue", **settings)
            self.assertIn(plain.out, below.out)

    def test_a_crash_is_shown_where_it_happened(self):
        self.recorded("verdicts", "null")
        line = line_of("verdicts", "null")
        result = self.gdb("continue", "print missing", "continue")
        self.assert_in_order(result.out, "the run ends after step .* in T1: crash: SIGSEGV",
                             rf"store_null \(.*\) at verdicts.cpp:{line}", r"\$1 = .*0x0",
                             "happened again: crash")

    def test_a_race_is_shown_where_it_happens(self):
        self.recorded("surroundings", "plain")
        kind = self.raddle("replay", "1", "--quiet", code=1).out
        self.assert_words(kind, "data-race")
        result = self.gdb("continue", "continue", "continue", "continue")
        self.assert_in_order(result.out, "raddle: a data race, in T[0-9]", "surroundings.cpp:",
                             "exited", "it happened again: data-race")

    def test_without_optimisation_and_without_debug_information(self):
        for flags in (("-O0",), ("-g0", "-s")):
            with self.subTest(flags=flags):
                self.recorded("crossed", flags=flags)
                result = self.gdb("raddle where", "continue", "raddle threads")
                self.assert_in_order(result.out, "the run begins", "step 0: T0 main running",
                                     "deadlock", "T0 main: waits for T1 to end",
                                     "it happened again: deadlock")

    def test_runs_again_from_gdb(self):
        self.recorded("account")
        result = self.gdb("continue", "start", "print balance", "continue")
        self.assert_in_order(result.out, "the run ends", r"main \(", r"\$1 = 100", "the run ends",
                             "it happened again")

    def test_what_was_printed_can_be_seen(self):
        self.recorded("account")
        result = self.gdb("continue", "echo <", "raddle output", "echo >")
        self.assertRegex(result.out, r"<account: .*Assertion `balance >= 0' failed.\n>")

    def test_leaving_early_is_no_verdict(self):
        self.recorded("account")
        result = self.gdb("raddle where", code=0)
        self.assert_words(result.out, "gdb was left before the run came to its end")
        self.assertNotIn("happened again", result.out)

    def test_an_uninstrumented_program_is_preloaded(self):
        program = self.place("verdicts", compiler=["g++"])
        self.raddle("test", program, "abba", code=1)
        result = self.gdb("continue", "raddle threads")
        self.assert_in_order(result.out, "the run ends", "deadlock", "waits in lock of `first`",
                             rf"verdicts.cpp:{line_of('verdicts', 'backwards-wants')}")


    def test_no_debug_information_of_the_runtime_is_needed(self):
        runtime = self.dir / "runtime"
        runtime.mkdir()
        for name in ("libraddle_rt.so", "raddle_gdb.py"):
            shutil.copy(pathlib.Path(RADDLE).parent.parent / "lib" / name, runtime)
        subprocess.run(["strip", runtime / "libraddle_rt.so"], check=True)
        env = {"RADDLE_RUNTIME_DIR": str(runtime)}
        program = self.place("verdicts", compiler=["g++"])
        self.raddle("test", program, "abba", code=1, env=env)
        result = self.gdb("continue", "info sharedlibrary", "raddle threads", "raddle step",
                          env=env)
        self.assert_in_order(result.out, "the run ends", "runtime/libraddle_rt.so",
                             rf"run_two at verdicts.cpp:{line_of('verdicts', 'join')}",
                             "waits in lock of `second`", rf"forwards at verdicts.cpp:"
                             f"{line_of('verdicts', 'forwards-wants')}")


class Threads(GdbTest):
    def setUp(self):
        super().setUp()
        self.recorded("verdicts", "abba")

    def test_of_a_deadlock_are_all_shown_with_what_they_wait_for(self):
        result = self.gdb("continue", "raddle threads")
        at = {mark: f"verdicts.cpp:{line_of('verdicts', mark)}"
              for mark in ("join", "forwards-wants", "backwards-wants")}
        self.assert_in_order(
            result.out, "the run ends after step .*: deadlock", r"step \d+",
            "T0 main: waits for T1 to end", f"run_two at {at['join']}", "main at verdicts.cpp",
            "T1 forward: waits in lock of `second`, held by T2; holds `first`",
            f"forwards at {at['forwards-wants']}",
            "T2: waits in lock of `first`, held by T1; holds `second`",
            f"backwards at {at['backwards-wants']}")
        self.assertEqual(result.out.count("* T"), 1)

    def test_before_they_begin_and_after_they_have_ended(self):
        result = self.gdb("break forwards", "continue", "raddle threads", "delete", "continue")
        self.assert_in_order(result.out, "Breakpoint 1, forwards", r"\* T1.*: running",
                             "forwards at verdicts.cpp:")
        self.assertRegex(result.out, "  T0 main: (waits|could run)")
        self.raddle("test", "--out", "other", self.place("account"), code=1)
        result = self.gdb("continue", "raddle threads", "raddle thread T1",
                          options=("--out", "other"))
        self.assert_in_order(result.out, r"\* T0 main: running", "T1: has ended", "T2: has ended")
        self.assert_words(result.err, "T1 has ended, it has no stack")

    def test_have_whole_stacks_and_locals(self):
        result = self.gdb("continue", "raddle thread T0", "raddle bt 2", "raddle apply T0 bt",
                          "raddle apply T1 frame", "raddle apply T0 info locals")
        self.assert_in_order(
            result.out, "T0 main: waits", r"#\d+ .* run_two \(", r"#\d+ .* main \(",
            "T2: waits", r"#\d+ .* backwards \(", r"#0 .*", r"run_two \(", r"main \(",
            r"forwards \(", "threads = ")
        self.assertNotIn("Backtrace stopped", result.out)

    def test_looking_at_them_changes_no_register(self):
        look = ("echo @@", REGISTERS, "frame", "echo @@")
        result = self.gdb("continue", *look, "raddle threads", "raddle thread T0",
                          "raddle apply T0 bt", *look, "raddle apply T0 no-such-command", *look,
                          "continue")
        states = result.out.split("@@")[1::2]
        self.assertEqual(len(states), 3, result)
        self.assertEqual(states[0], states[1])
        self.assertEqual(states[0], states[2])
        self.assert_words(result.out, "it happened again: deadlock")

    def test_steps_are_counted(self):
        result = self.gdb("raddle step", "raddle step 2", "raddle until 6", "raddle where",
                          "raddle until 3", "continue")
        self.assert_in_order(result.out, "step 0: T0 main is before create", "step .*: T",
                             "step 6: T", "step 6: T", "the run ends")
        self.assert_words(result.err, "6 steps have been made already")

    def test_unknown_ones_are_refused(self):
        result = self.gdb("raddle thread T9", "raddle thread x", "raddle apply 0",
                          "raddle apply 0 continue", "kill",
                          "raddle threads", code=0)
        self.assert_words(result.err, "there is no thread T9", "there is no thread x",
                          "Usage: raddle apply", "raddle's schedule", "the program is not running")


class Refused(GdbTest):
    def setUp(self):
        super().setUp()
        self.recorded("account")

    def test_without_gdb(self):
        empty = self.dir / "empty"
        empty.mkdir()
        result = self.gdb("continue", code=2, env={"PATH": str(empty)})
        self.assert_words(result.err, "--gdb needs gdb", "not on PATH")

    def test_with_a_gdb_that_does_not_know_python(self):
        folder = self.dir / "bin"
        folder.mkdir()
        (folder / "gdb").write_text("#!/bin/sh\nexit 0\n")
        (folder / "gdb").chmod(0o755)
        result = self.gdb(code=2, env={"PATH": f"{folder}:{os.environ['PATH']}"})
        self.assert_words(result.err, "without starting the program", "Python")

    def test_arguments_for_gdb_without_gdb(self):
        result = self.raddle("replay", "1", "--gdb-args", "-batch", code=2)
        self.assert_words(result.err, "--gdb-args", "--gdb only")

    def test_the_command_below_gdb_is_not_for_users(self):
        self.assert_words(self.raddle("start-below-gdb", code=2).err, "raddle replay --gdb")
        self.raddle("start-below-gdb", "0", "1", code=2)

    def test_a_program_that_does_not_fit(self):
        text = (self.dir / ".raddle/findings/1/schedule.raddle").read_text()
        (self.dir / "edited").write_text(re.sub(r"@(\d+) atomic-rmw", r"@\1 unlock", text, count=1))
        result = self.gdb("continue", reference="edited", code=4)
        self.assert_words(result.out, "divergence")
        self.assert_words(result.err, "no longer follows the schedule")


if __name__ == "__main__":
    unittest.main()
