#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`raddle learn`, and what `raddle test` then reports."""

import json
import signal
import subprocess
import time
import unittest

from harness import CliTest, HERE, RADDLE, line_of


class LearnTest(CliTest):
    def setUp(self):
        super().setUp()
        self.place("ledger")

    def learn(self, *arguments, code=0):
        out = self.raddle("learn", "--json", "-", *arguments, code=code).out
        return json.loads(out) if code == 0 else None

    def violations(self, *arguments, code=0):
        data = self.campaign("--strategy", "random", "--schedules", 100, *arguments, code=code)
        return [f for f in data["findings"] if f["kind"] == "atomicity-violation"]

    def records(self, kind, out=".raddle"):
        text = self.raddle("memo", "export", "--out", out, code=0).out
        records = [json.loads(line) for line in text.splitlines()]
        return [record for record in records if record["type"] == kind]


class Violations(LearnTest):
    def test_nothing_is_reported_of_what_was_not_learned(self):
        self.assertEqual(self.violations("./ledger"), [])

    def test_are_warnings_that_replay(self):
        learned = self.learn("./ledger", "locked")
        self.assertTrue(learned["stable"])
        self.assertGreater(learned["invariants"], 0)
        self.assertEqual(learned["failed"], 0)
        [violation] = self.violations("./ledger")
        first, second = line_of("ledger", "P"), line_of("ledger", "I")
        for words in ("on `balance`", "case 6", f"reads it at ledger.cpp:{first}",
                      f"writes it at ledger.cpp:{second}"):
            self.assertIn(words, violation["message"])
        self.assertEqual(violation["site"]["line"], second)
        self.assertEqual(len(violation["threads"]), 3)
        shown = self.raddle("replay", violation["id"], code=1)
        self.assertIn("it happened again: atomicity-violation: on `balance`", shown.out)
        self.raddle("show", violation["id"], code=0)
        self.assertIn("1 warning", self.raddle("test", "./ledger", code=0).out)

    def test_places_that_runs_come_by_are_met_also_if_nothing_is_violated(self):
        self.learn("./ledger", "locked")
        for strategy in ("random", "auto", "dpor"):
            printed = self.raddle("test", "--strategy", strategy, "./ledger", "locked", code=0)
            self.assertNotIn("no access of these runs", printed.err)

    def test_places_that_no_run_comes_by_are_noted(self):
        self.learn("./ledger", "locked")
        source = (HERE / "programs/ledger.cpp").read_text()
        (self.dir / "other.cpp").write_text(source.replace("add(void", "increase(void")
                                            .replace("nullptr, add,", "nullptr, increase,"))
        subprocess.run([RADDLE, "c++", "-g", "-O1", "other.cpp", "-o", "ledger"], cwd=self.dir,
                       check=True)
        printed = self.raddle("test", "--strategy", "random", "./ledger", "locked", code=0)
        self.assertIn("no access of these runs is at one of the", printed.err)

    def test_in_a_failing_run_stand_beside_the_failure(self):
        learned = self.learn("./ledger", "checked")
        self.assertGreater(learned["failed"], 0)
        self.assertGreater(learned["invariants"], 0)
        data = self.campaign("./ledger", "checked", code=1)
        self.assertEqual({f["kind"] for f in data["findings"]},
                         {"assertion", "atomicity-violation"})
        [violation] = [f for f in data["findings"] if f["kind"] == "atomicity-violation"]
        self.assertIn("; the run ended in `assertion`", violation["message"])

    def test_of_systematic_searches_are_those_of_failing_runs(self):
        self.learn("./ledger", "checked")
        data = self.campaign("--strategy", "dfs", "./ledger", "checked", code=1)
        self.assertIn("atomicity-violation", {f["kind"] for f in data["findings"]})

    def test_can_fail_or_be_left_out(self):
        self.learn("./ledger", "locked")
        self.assertEqual(len(self.violations("--atomicity", "fail", "./ledger", code=1)), 1)
        self.assertIn("1 finding in", self.raddle("test", "--atomicity", "fail", "./ledger",
                                                  code=1).out)
        self.assertEqual(self.violations("--atomicity", "off", "./ledger"), [])
        self.assertEqual(self.violations("--no-memo", "./ledger"), [])
        bad = self.raddle("test", "--atomicity", "maybe", "./ledger", code=2)
        self.assert_words(bad.err, "--atomicity", "off, warn, fail", "maybe")

    def test_are_seen_in_another_build_of_the_same_code(self):
        self.learn("./ledger", "locked")
        self.place("ledger", "-DRADDLE_TEST_ANOTHER_BUILD")
        self.assertEqual(len(self.violations("./ledger")), 1)
        self.assertEqual(len(self.records("program")), 2)

    def test_several_runs_at_a_time(self):
        self.learn("./ledger", "locked")
        self.assertEqual(len(self.violations("--jobs", 2, "./ledger")), 1)


class Learning(LearnTest):
    def test_what_a_good_run_violates_is_no_invariant_any_more(self):
        self.learn("./ledger", "locked")
        both = self.learn("./ledger")  # no run fails, so they are all good
        self.assertGreater(both["violated"], 0)
        self.assertEqual(self.violations("./ledger"), [])

    def test_violations_can_be_tolerated(self):
        learned = self.learn("--tolerate", 1000000, "./ledger")
        self.assertEqual(learned["violated"], 0)
        self.assertEqual(len(self.violations("./ledger")), 1)

    def test_granularities(self):
        for granularity in ("byte", "line"):
            out = f"out-{granularity}"
            self.learn("--granularity", granularity, "--out", out, "./ledger", "locked")
            self.assertEqual(len(self.violations("--out", out, "./ledger")), 1)
            self.raddle("replay", "--out", out, 1, code=1)

    def test_the_summary(self):
        text = self.raddle("learn", "--seed", 3, "./ledger", "checked", code=0).out
        self.assertRegex(text, r"^\d+ invariants? from \d+ runs, .*seed 3, granularity word\)\n")
        self.assertRegex(text, r"\d+ runs? failed and (was|were) left out \(the first: assertion\)")
        self.assertRegex(text, r"the last 100 runs changed nothing\nkept in .raddle/memo.db\n$")
        text = self.raddle("learn", "--schedules", 5, "./ledger", "locked", code=0).out
        self.assertRegex(text, r"not stable: only the last \d runs? changed nothing, --stable asks")
        self.assertEqual(self.raddle("learn", "--quiet", "./ledger", "locked", code=0).out, "")

    def test_the_same_seed_learns_the_same(self):
        first, second = ({key: value for key, value in self.learn("./ledger").items()
                          if key != "seconds"} for _ in range(2))
        self.assertEqual(first, second)

    def test_hardware(self):
        text = self.raddle("learn", "--hardware", "--schedules", 50, "./ledger", code=0).out
        counts = {name: int(count.replace(",", "")) for name, count in
                  (line.rsplit(maxsplit=2)[:2] for line in text.splitlines()
                   if line.startswith("AVIO"))}
        self.assertEqual(len(counts), 3)
        self.assertGreater(counts["AVIO-S, words"], 0)
        self.assertLessEqual(counts["AVIO-H, 4 cores"], counts["AVIO-S, cache lines"])
        self.assertIn("0 lines displaced", text)

    def test_if_every_run_fails_there_is_nothing_to_learn_from(self):
        failed = self.raddle("learn", "--schedules", 5, "./ledger", "failed", code=1)
        self.assert_words(failed.err, "all 5 runs failed", "assertion")

    def test_bad_input(self):
        for words, *arguments in (
                (["--granularity", "byte, word or line", "nibble"],
                 "--granularity", "nibble", "./ledger"),
                (["--strategy dfs", "every access", "surw"], "--strategy", "dfs", "./ledger"),
                (["unknown strategy"], "--strategy", "rnadom", "./ledger"),
                (["--stable"], "--stable", "0", "./ledger"),
                (["--tolerate"], "--tolerate", "-1", "./ledger"),
                (["which program?"],),
                (["no-such-program"], "./no-such-program")):
            with self.subTest(arguments=arguments):
                self.assert_words(self.raddle("learn", *arguments, code=2).err, *words)
        self.assertFalse((self.dir / ".raddle").exists())

    def test_a_file_that_is_no_memo_is_refused(self):
        (self.dir / ".raddle").mkdir()
        (self.dir / ".raddle" / "memo.db").write_text("not a database, but my diary")
        self.assert_words(self.raddle("learn", "./ledger", code=2).err, "memo.db")
        self.assertEqual((self.dir / ".raddle" / "memo.db").read_text(),
                         "not a database, but my diary")


class Remembered(LearnTest):
    def test_trainings_are_counted_exported_merged_and_forgotten(self):
        self.learn("--out", "mine", "./ledger", "locked")
        self.learn("--out", "theirs", "./ledger")
        [training] = self.records("training", "mine")
        self.assertEqual(training["arguments"], "locked")
        self.assertTrue(training["ended"])
        self.assertTrue(self.records("invariant", "mine"))
        self.assertIn("word, ", self.raddle("memo", "stats", "--out", "mine", code=0).out)
        self.assertEqual(len(self.violations("--out", "mine", "./ledger")), 1)
        # What theirs has seen violated is violated.
        self.raddle("memo", "merge", "--out", "mine", "theirs", code=0)
        self.assertEqual(len(self.records("training", "mine")), 2)
        self.assertEqual(self.violations("--out", "mine", "./ledger"), [])
        self.raddle("memo", "export", "--out", "theirs", "all.jsonl", code=0)
        self.raddle("memo", "import", "--out", "other", "all.jsonl", code=0)
        self.assertEqual(self.records("invariant", "other"), self.records("invariant", "theirs"))
        self.raddle("memo", "forget", "--out", "mine", "--program", "./ledger", code=0)
        self.assertEqual(self.records("training", "mine"), [])

    def test_a_training_that_is_killed_has_lost_a_second(self):
        process = self.start("learn", "--stable", 1000000000, "--time", "30s", "./ledger", "locked")
        time.sleep(2.5)
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        [training] = self.records("training")
        self.assertFalse(training["ended"])
        self.assertGreater(training["runs"], 0)
        self.assertEqual(len(self.violations("./ledger")), 1)


if __name__ == "__main__":
    unittest.main()
