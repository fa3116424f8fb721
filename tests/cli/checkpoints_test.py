# SPDX-License-Identifier: Apache-2.0
"""Runs that are continued from checkpoints are the runs that start at main, and are made only where
a program has nothing that they would share."""

import os
import pathlib
import signal
import subprocess
import unittest

from harness import CliTest, HERE, RADDLE, processes_with

PROGRAMS = HERE.parent / "programs"
# Of runs that are forked: resident ones make no checkpoints (resident_test.py has those that begin
# at one).
FORKED = {"RADDLE_EXECUTOR": "fork"}
OFF, FORCE = {"RADDLE_CHECKPOINTS": "off", **FORKED}, {"RADDLE_CHECKPOINTS": "force", **FORKED}


class CheckpointTest(CliTest):
    def events(self, use, *arguments):
        """All that a campaign says and finds, and its events."""
        name = use["RADDLE_CHECKPOINTS"]
        dump = self.dir / f"events-{name}"
        data = self.campaign("--dump-events", dump, "--out", f"out-{name}", *arguments, env=use)
        data.pop("seconds")
        data.pop("state_file", None)  # lies in the folder of findings
        outputs = {}
        for finding in data["findings"]:
            folder = self.dir / finding.pop("directory")
            for file in sorted(folder.iterdir()):
                if file.name.startswith("std") or file.name == "schedule.raddle":
                    outputs[file.name, finding["id"]] = file.read_bytes()
        return data, outputs, dump.read_bytes()

    def compare(self, *arguments):
        data, outputs, events = self.events(OFF, *arguments)
        forced_data, forced_outputs, forced_events = self.events(FORCE, *arguments)
        self.assertEqual(data, forced_data)
        self.assertEqual(outputs, forced_outputs)
        self.assertTrue(events == forced_events, "the event streams differ")
        return data

    def marks(self, name):
        file = self.dir / name
        return len(file.read_bytes()) if file.exists() else 0

    def forget_marks(self):
        for name in ("starts", "turns"):
            (self.dir / name).unlink(missing_ok=True)


class SameRuns(CheckpointTest):
    def check(self, name, runs, *options):
        source = next(PROGRAMS.glob(f"{name}.c*"))
        program = self.dir / source.stem
        compiler = "cc" if source.suffix == ".c" else "c++"
        subprocess.run([RADDLE, compiler, "-g", "-O1", source, "-o", program], check=True)
        kinds = set()
        for strategy in ("random", "pct", "surw", "dfs", "dpor", "best-first"):
            data = self.compare("--keep-going", "--schedules", runs, "--strategy", strategy,
                                *options, f"./{source.stem}")
            kinds.update(finding["kind"] for finding in data["findings"])
        return kinds

    def test_of_a_failed_assertion(self):
        self.assertIn("assertion", self.check("fail/lost_update", 25))

    def test_of_a_deadlock(self):
        self.assertIn("deadlock", self.check("fail/abba_mutex", 25))

    def test_of_races_and_output(self):
        self.check("fail/line_torn", 15)

    def test_of_timed_and_spurious_wake_ups(self):
        self.check("fail/if_not_while", 15, "--spurious", 2)
        self.check("fail/timedwait_once", 15, "--timers", "any")

    def test_of_signals_that_come_in_some_runs_only(self):
        program = self.place("interrupted")
        for strategy in ("dpor", "best-first", "preemption-bound"):
            data = self.compare("--keep-going", "--strategy", strategy, program)
            self.assertEqual(data["findings"], [])

    def test_of_a_program_without_bugs(self):
        self.assertEqual(self.check("pass/bounded_buffer", 15), set())

    def test_of_all_points(self):
        self.check("pass/torn_pair", 10, "--points", "all")


class Saved(CheckpointTest):
    """What is not carried out again."""

    def setUp(self):
        super().setUp()
        self.program = self.place("getting_ready")

    def starts(self, *arguments, env=FORCE):
        """How often the program got ready in 20 runs; the first one is always repeated."""
        self.forget_marks()
        self.raddle("test", "--schedules", 20, *arguments, code=0, env=env)
        return self.marks("starts")

    def test_is_the_start_for_every_strategy(self):
        self.assertEqual(self.starts(self.program, "plain", env=OFF), 21)
        strategies = "random pct pos urw surw round-robin dfs dpor auto"
        for strategy in strategies.split():
            starts = self.starts("--strategy", strategy, self.program, "plain")
            self.assertEqual(starts, 2, strategy)

    def test_are_choices_that_searches_have_in_common(self):
        for strategy in ("dfs", "random-walk"):
            self.starts("--strategy", strategy, self.program, "plain", env=OFF)
            self.assertEqual(self.marks("turns"), 21 * 6)
            self.starts("--strategy", strategy, self.program, "plain")
            self.assertLess(self.marks("turns"), 21 * 5)
        for strategy in ("dfs", "dpor", "random-walk", "preemption-bound"):
            self.compare("--strategy", strategy, "--schedules", 150, self.program, "plain")

    def test_is_nothing_where_little_time_is_lost(self):
        self.assertEqual(self.starts(self.program, "plain", env=FORKED), 21)

    def test_input_is_read_on_from_where_it_was(self):
        (self.dir / "in").write_text("1\n2\n" + "3\n" * 5000)
        self.assertEqual(self.starts("--stdin", "in", self.program, "input"), 2)

    def test_output_from_before_is_there(self):
        data = self.compare("--keep-going", "--schedules", 10, self.program, "output")
        self.assertEqual([f["kind"] for f in data["findings"]], ["exit-code"])
        self.forget_marks()
        check = "grep -q '^getting ready$' $RADDLE_STDOUT && grep -q 'more, ' $RADDLE_STDOUT"
        self.raddle("test", "--schedules", 10, "--expect-exit", 0, "--strategy", "round-robin",
                    "--check", check, self.program, "output", env=FORCE)
        self.assertEqual(self.findings(), [])

    def test_is_nothing_for_policies_that_were_not_told_of_many_steps(self):
        self.assertEqual(self.starts("--strategy", "random", self.program, "steps"), 2)
        self.assertEqual(self.starts("--strategy", "urw", self.program, "steps"), 21)
        self.compare("--strategy", "urw", "--schedules", 5, self.program, "steps")

    def test_is_nothing_after_a_before_command(self):
        self.assertEqual(self.starts("--before", "true", self.program, "plain"), 21)

    def test_is_nothing_where_processes_would_share_something(self):
        for mode in ("pipe", "file", "pid", "memory", "child", "command"):
            self.assertEqual(self.starts(self.program, mode), 21, mode)
            self.compare("--schedules", 5, "--strategy", "dfs", self.program, mode)


class Processes(CheckpointTest):
    def children(self, parent):
        """None if it has ended meanwhile, as runs do."""
        try:
            text = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return []
        return [int(word) for word in text.split()]

    def campaign_under_way(self, *options):
        program = self.place("getting_ready")
        process = self.start("test", "--quiet", "--strategy", "random", *options, program, "plain",
                             self.mark, env=FORCE)
        self.wait_until(lambda: self.marks("turns") > 60, "some runs", 60)
        return process

    def test_end_with_raddle(self):
        self.raddle("test", "--strategy", "dfs", "--schedules", 50, self.place("getting_ready"),
                    "plain", self.mark, code=0, env=FORCE)
        self.assertEqual(processes_with(self.mark), [])

    def test_end_when_raddle_is_killed(self):
        process = self.campaign_under_way("--time", "60s")
        process.kill()
        process.communicate()
        self.assert_no_process_left()

    def test_are_done_without_when_they_are_killed(self):
        process = self.campaign_under_way("--schedules", 800)
        killed = 0
        while killed < 3 and process.poll() is None:
            # The server's only child that lasts is the checkpoint; the run is that one's.
            before = self.marks("turns")
            for server in self.children(process.pid):
                for checkpoint in self.children(server):
                    if self.children(checkpoint):
                        os.kill(checkpoint, signal.SIGKILL)
                        killed += 1
            self.wait_until(lambda: self.marks("turns") > before + 60 or process.poll() is not None,
                            "runs after it", 60)
        result = self.finish(process)
        self.assertEqual(result.code, 0, str(result))
        self.assertGreater(killed, 0)


class Setting(CliTest):
    def test_that_is_none_is_refused(self):
        result = self.raddle("test", self.place("getting_ready"), "plain", code=2,
                             env={"RADDLE_CHECKPOINTS": "maybe"})
        self.assert_words(result.err, "RADDLE_CHECKPOINTS", "maybe", "auto, off or force")


if __name__ == "__main__":
    unittest.main()
