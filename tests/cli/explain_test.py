# SPDX-License-Identifier: Apache-2.0
"""`raddle explain`: what it says of findings, by number, directory and file, and when it cannot.
What it says of many programs is held to a table by tests/detectors/run.py --detector order."""

import json
import re
import shutil
import unittest

from harness import CliTest, line_of


class Explained(CliTest):
    def setUp(self):
        super().setUp()
        self.campaign(self.place("account"), code=1)
        self.schedule = self.dir / ".raddle/findings/1/schedule.raddle"

    def explanation(self, *arguments, code=0):
        return json.loads(self.raddle("explain", "--json", "-", *arguments, code=code).out)

    def test_names_the_cause_with_lines_and_variables(self):
        result = self.raddle("explain", 1, code=0)
        look = line_of("account", "look")
        self.assert_words(result.out, "assertion", "1. atomicity", "balance",
                          f"account.cpp:{look}", f"account.cpp:{look + 1}", "__atomic_fetch_sub")
        self.assertNotIn("2. ", result.out)
        self.assertEqual(result.err, "")

    def test_by_number_directory_and_file(self):
        first = self.raddle("explain", 1, code=0).out
        for reference in (".raddle/findings/1", self.schedule):
            self.assertEqual(self.raddle("explain", reference, code=0).out, first)
        shutil.copy(self.schedule, self.dir / "copy")
        shutil.rmtree(self.dir / ".raddle")
        self.assertEqual(self.raddle("explain", "copy", code=0).out, first)

    def test_json_says_the_same(self):
        data = self.explanation(1)
        self.assertEqual((data["schema"], data["kind"], data["runs"]), (1, "assertion", 200))
        self.assertGreaterEqual(data["passing"], 2)
        self.assertGreater(data["distance"], 0)
        cause = data["causes"][0]
        self.assertEqual(cause["label"], "atomicity")
        look = line_of("account", "look")
        self.assertEqual([each["line"] for each in cause["operations"]],
                         [look, look + 1, look + 1])
        self.assertEqual([each["variable"] for each in cause["operations"]], ["balance"] * 3)
        threads = [each["thread"] for each in cause["operations"]]
        self.assertEqual(threads[0], threads[2])
        self.assertNotEqual(threads[0], threads[1])
        self.assertEqual(cause["orders"], [[0, 1], [1, 2]])
        self.raddle("explain", 1, "--json", "told.json", code=0)
        self.assertEqual(json.loads((self.dir / "told.json").read_text()), data)

    def test_fewer_runs_and_less_time(self):
        self.assertEqual(self.explanation(1, "--runs", 7)["runs"], 7)
        self.assertLess(self.explanation(1, "--runs", 1000000, "--time", "200ms")["runs"], 1000000)
        self.assertEqual(self.explanation(1, "--seed", 9), self.explanation(1, "--seed", 9))

    def test_a_deadlock_and_threads_by_name(self):
        self.raddle("test", "--out", "d", self.place("verdicts"), "abba", code=1)
        result = self.raddle("explain", 1, "--out", "d", code=0)
        self.assert_words(result.out, "1. deadlock: each thread waits", "T1 forward: ",
                          *(f"verdicts.cpp:{line_of('verdicts', where)}" for where in
                            ("forwards-holds", "forwards-wants", "backwards-holds",
                             "backwards-wants")))

    def test_a_race(self):
        self.raddle("test", "--out", "r", self.place("racing"), "number", code=1)
        result = self.raddle("explain", 1, "--out", "r", code=0)
        self.assert_words(result.out, "data-race", "1. order", "nothing orders", "number",
                          "all of 200 runs show this race")


class NotExplained(CliTest):
    def test_what_fails_in_every_run(self):
        self.raddle("test", self.place("verdicts"), "null", code=1)
        result = self.raddle("explain", 1, code=0)
        self.assert_words(result.out, "none of 200 runs passes", "--runs")
        self.assertNotIn("1. ", result.out)

    def test_bad_input(self):
        self.campaign(self.place("account"), code=1)
        self.assert_words(self.raddle("explain", code=2).err, "which finding")
        self.assert_words(self.raddle("explain", 7, code=2).err, "7", "there are 1")
        self.assert_words(self.raddle("explain", 1, "--runs", 0, code=2).err, "--runs")
        self.assert_words(self.raddle("explain", 1, "--time", "soon", code=2).err, "--time", "soon")
        self.assert_words(self.raddle("explain", 1, "--top", 0, code=2).err, "--top")
        self.assert_words(self.raddle("explain", 1, "--json", "no/such/file", code=2).err,
                          "no/such")

    def test_a_program_that_no_longer_fails(self):
        self.campaign(self.place("account"), code=1)
        result = self.raddle("explain", 1, "--", "./account", "fixed")
        self.assertIn(result.code, (1, 4), result)
        self.assertTrue(result.err)
        text = (self.dir / ".raddle/findings/1/schedule.raddle").read_text()
        changed, count = re.subn(r"@(\d+) atomic-rmw", r"@\1 unlock", text, count=1)
        self.assertEqual(count, 1)
        (self.dir / "edited").write_text(changed)
        self.assert_words(self.raddle("explain", "edited", code=4).err, "no longer follows",
                          "expected", "unlock")

    def test_warnings_are_no_failures(self):
        self.raddle("test", "--locksets", "--races", "report", "--schedules", 20, "--strategy",
                    "random", self.place("racing"), "number", code=0)
        data = self.raddle("list", "findings").out
        self.assertIn("inconsistent-locks", data)
        number = next(line.split()[0] for line in data.splitlines() if "inconsistent" in line)
        self.assert_words(self.raddle("explain", number, code=2).err, "warning",
                          "inconsistent-locks")
        self.assert_words(self.raddle("replay", number, code=1).out, "happened again",
                          "inconsistent-locks", "number")


if __name__ == "__main__":
    unittest.main()
