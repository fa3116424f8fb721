# SPDX-License-Identifier: Apache-2.0
"""What stays after a campaign and how it is shown: the directory of a finding, list, show, colours,
progress."""

import re
import shutil
import subprocess
import unittest

from harness import CliTest, environment, line_of

ESCAPE = "\x1b["


class Kept(CliTest):
    def test_the_directory_of_a_finding_is_complete(self):
        data = self.campaign("--keep-going", "--schedules", 200, self.place("surroundings"), "both",
                             code=1)
        self.assertEqual(len(data["findings"]), 2)
        for number in (1, 2):
            folder = self.dir / f".raddle/findings/{number}"
            names = {path.name for path in folder.iterdir()}
            self.assertLessEqual({"schedule.raddle", "finding.json", "events.bin", "stacks.txt",
                                  "stdout.txt", "stderr.txt"}, names)
            schedule = (folder / "schedule.raddle").read_text()
            self.assertTrue(schedule.startswith("raddle-schedule 1\n"))
            self.assertIn("program ./surroundings both\n", schedule)
            self.assertIn(f"directory {self.dir}\n", schedule)

    def test_findings_are_numbered_on_by_later_campaigns(self):
        for number in (1, 2, 3):
            data = self.campaign(self.place("account"), code=1)
            self.assertEqual(data["findings"][0]["id"], number)
        self.assertEqual(self.findings(), ["1", "2", "3"])

    def test_a_moved_directory_can_be_replayed_and_shown(self):
        self.raddle("test", self.place("account"), code=1)
        shutil.move(self.dir / ".raddle/findings/1", self.dir / "moved")
        self.raddle("replay", "moved", code=1)
        self.assert_words(self.raddle("show", "moved", code=0).out, "account.cpp")

    def test_lines_are_the_users_even_without_optimisation(self):
        data = self.campaign(self.place("crossed", "-O0"), code=1)
        finding = data["findings"][0]
        for holder in ("left", "right"):
            line = line_of("crossed", f"{holder} holds")
            self.assertIn(f"since crossed.cpp:{line}", finding["message"])
        shown = self.raddle("show", 1, code=0).out
        self.assertIn(f"crossed.cpp:{line_of('crossed', 'left counts')}", shown)
        self.assertNotIn("in std::", shown)
        self.assertIn(finding["message"], self.raddle("replay", 1, code=1).out)

    def test_list_findings(self):
        result = self.raddle("list", "findings", code=0)
        self.assertEqual(result.out, "")
        self.raddle("test", self.place("account"), code=1)
        self.raddle("test", self.place("verdicts"), "exit", code=1)
        lines = self.raddle("list", "findings", code=0).out.splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertRegex(lines[0], r"^1\s+assertion.*account\.cpp")
        self.assertRegex(lines[1], r"^2\s+exit-code.*7")
        shutil.move(self.dir / ".raddle", self.dir / "kept")
        self.assertEqual(len(self.raddle("list", "findings", "--out", "kept").out.splitlines()), 2)

    def test_list_names_strategies_and_analyses(self):
        strategies = self.raddle("list", "strategies", code=0).out
        names = [line.split()[0] for line in strategies.splitlines()]
        self.assertLessEqual({"auto", "random", "pct", "pos", "round-robin"}, set(names))
        for name in names:
            with self.subTest(strategy=name):
                self.raddle("test", "--strategy", name, "--schedules", 2, self.place("account"),
                            "fixed", code=0)
        analyses = self.raddle("list", "analyses", code=0).out
        self.assertGreaterEqual(len(analyses.splitlines()), 1)
        self.raddle("list", "priorities", code=0)

    def test_list_of_something_else_is_refused(self):
        result = self.raddle("list", "finding", code=2)
        self.assert_words(result.err, "finding", "did you mean findings?")
        self.assert_words(self.raddle("list", code=2).err, "strategies", "findings")


class Show(CliTest):
    def setUp(self):
        super().setUp()
        self.raddle("test", self.place("account"), code=1)

    def test_has_columns_and_source_lines_and_no_colours(self):
        text = self.raddle("show", 1, code=0).out
        self.assertNotIn("\x1b", text)
        header = next(line for line in text.splitlines() if "T1" in line)
        columns = [header.index(name) for name in ("T0", "T1", "T2")]
        self.assertEqual(columns, sorted(columns))
        look = f"account.cpp:{line_of('account', 'look')}"
        self.assertIn(look, text)
        # Both threads look before either takes.
        at = [match.start() for match in re.finditer("atomic-load balance = 100", text)]
        self.assertEqual(len(at), 2, text)
        self.assertLess(at[1], text.index("atomic-rmw balance"))
        line = {line.index("atomic-load") for line in text.splitlines() if "atomic-load" in line}
        self.assertEqual(line, set(columns[1:]))
        self.assert_words(text, "preempted", "assertion", "balance >= 0")

    def test_has_colours_on_a_terminal(self):
        code, text = self.terminal("show", "1")
        self.assertEqual(code, 0)
        self.assertIn(ESCAPE, text)
        plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
        self.assertIn("atomic-load balance = 100", plain)

    def test_has_none_with_no_color(self):
        code, text = self.terminal("show", "1", env={"NO_COLOR": "1"})
        self.assertEqual(code, 0)
        self.assertNotIn(ESCAPE, text)

    def test_needs_no_program(self):
        before = self.raddle("show", 1, code=0).out
        self.assertEqual(before, self.raddle("show", ".raddle/findings/1", code=0).out)
        (self.dir / "account").unlink()
        self.assert_words(self.raddle("show", 1, code=0).out, "assertion", "balance >= 0")

    def test_of_damaged_findings_is_an_error(self):
        folder = self.dir / ".raddle/findings/1"
        for name in ("finding.json", "events.bin", "schedule.raddle"):
            with self.subTest(name=name):
                data = (folder / name).read_bytes()
                for bad in (b"", data[:len(data) // 2], b"\xff" * len(data)):
                    (folder / name).write_bytes(bad)
                    result = self.raddle("show", 1, code=2)
                    self.assert_words(result.err, name)
                (folder / name).write_bytes(data)
        self.raddle("show", 1, code=0)

    def test_to_a_closed_pipe_ends_quietly(self):
        process = self.start("show", 1)
        process.stdout.close()
        process.wait(20)
        self.assertNotIn(b"bug", process.stderr.read())


class Progress(CliTest):
    def test_is_plain_lines_without_a_terminal(self):
        process = self.start("test", "--strategy", "random", "--time", "6500ms",
                             self.place("account"), "fixed")
        result = self.finish(process)
        self.assertEqual(result.code, 0, result)
        self.assertNotIn("\r", result.err)
        self.assertNotIn("\x1b", result.err + result.out)
        lines = [line for line in result.err.splitlines() if "runs" in line]
        self.assertTrue(lines, result)
        self.assertLess(len(lines), 10)
        self.assertRegex(lines[0], r"[\d,]+ runs, [\d,]+/s, [\d,]+ behaviours, .* left")

    def test_is_a_rewritten_line_on_a_terminal(self):
        # auto would be through before.
        code, text = self.terminal("test", "--strategy", "random", "--time", "1200ms",
                                   self.place("account"), "fixed")
        self.assertEqual(code, 0)
        self.assertGreaterEqual(text.count("\rraddle: "), 3)
        self.assertRegex(text, r"[\d,]+ runs, [\d,]+/s, [\d,]+ behaviours, .* left")
        # The line is gone when the summary comes.
        last = text[text.rindex("\r" + ESCAPE + "K"):]
        self.assertIn("nothing found", last)

    def test_is_plain_in_ci_even_on_a_terminal(self):
        _, text = self.terminal("test", "--time", "600ms", self.place("account"), "fixed",
                                env={"CI": "true"})
        self.assertNotIn("\rraddle", text)


class Help(CliTest):
    def test_every_command_has_it(self):
        self.assert_words(self.raddle("--help", code=0).out, "test", "replay", "show", "list")
        options = ("strategy schedules time seed keep-going depth points max-steps spurious timers "
                   "expect-exit run-timeout stdin before check json out quiet").split()
        self.assert_words(self.raddle("test", "--help", code=0).out, *(f"--{o}" for o in options))
        for command in ("replay", "show", "list"):
            self.assert_words(self.raddle(command, "--help", code=0).out, "usage", "--out")
        self.assertRegex(self.raddle("--version", code=0).out, r"^raddle \d")

    def test_programs_run_as_usual_without_raddle(self):
        self.place("account")
        done = subprocess.run(["./account", "fixed"], cwd=self.dir, env=environment(), timeout=20)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
