#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage of interleavings: observed by campaigns, remembered, `raddle coverage`, --stop-when."""

import json
import signal
import sqlite3
import unittest
import xml.etree.ElementTree

from harness import CliTest

SHORT = ("pinv", "def-use", "lr-inv", "lr-def")


class CoverageTest(CliTest):
    def coverage(self, *arguments, code=0):
        result = self.raddle("coverage", "--json", "-", *arguments, code=code)
        [program] = json.loads(result.out)["programs"]
        return {c["name"]: c for c in program["criteria"]}, program

    def sample(self, *arguments, code=0):
        return self.campaign("--strategy", "random", "--races", "report", *arguments, code=code)

    def query(self, sql):
        connection = sqlite3.connect(self.dir / ".raddle/memo.db", timeout=10)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()


class Observed(CoverageTest):
    def test_the_table_adds_up(self):
        self.place("trickle")
        self.sample("--schedules", 60, "./trickle")
        criteria, program = self.coverage("./trickle", "--uncovered")
        self.assertEqual(program["runs"], 60)
        self.assertEqual(program["campaigns"], 1)
        for criterion in criteria.values():
            self.assertGreaterEqual(criterion["known"], criterion["covered"], criterion["name"])
            listed = (criterion["untested"] or 0) + criterion["given_up"]
            self.assertEqual(criterion["known"], criterion["covered"] + listed)
            self.assertEqual(len(criterion["uncovered"]), listed)
            orders = criterion["name"] in ("all", "tpair", "svar")
            self.assertEqual(criterion["untested"] is None, orders, "of orders nothing is known")
            runs = [run for run, _ in criterion["growth"]]
            counts = [covered for _, covered in criterion["growth"]]
            self.assertEqual(runs, sorted(set(runs)))
            self.assertEqual(counts, sorted(set(counts)))
            self.assertEqual(([0] + counts)[-1], criterion["covered"])
            self.assertLessEqual(([0] + runs)[-1], 60)
            self.assertEqual(criterion["recent"]["runs"], 60)
            self.assertEqual(criterion["recent"]["added"], criterion["covered"])
        for name in ("all", "tpair", "svar", "idiom1", *SHORT):
            self.assertGreater(criteria[name]["covered"], 0, name)
        text = self.raddle("coverage", "--uncovered", code=0).out
        self.assert_words(text, "60 observed runs in 1 campaign", "criterion", "untested",
                          "given up", *SHORT)

    def test_the_same_runs_add_nothing_and_others_do(self):
        self.place("trickle")
        self.sample("--schedules", 10, "./trickle")
        first, _ = self.coverage()
        self.sample("--schedules", 10, "./trickle")
        again, program = self.coverage()
        self.assertEqual(program["runs"], 20)
        for name, criterion in first.items():
            self.assertEqual(criterion["covered"], again[name]["covered"], name)
        self.sample("--schedules", 200, "--seed", 2, "./trickle")
        more, _ = self.coverage()
        self.assertGreater(more["all"]["covered"], first["all"]["covered"])

    def test_uncovered_properties_have_lines_and_variables(self):
        self.place("account")
        self.sample("--schedules", 1, "./account", code=None)
        criteria, _ = self.coverage("--uncovered")
        texts = [u["text"] for name in SHORT for u in criteria[name]["uncovered"]]
        self.assertTrue(texts)
        for text in texts:
            self.assertRegex(text, r"account\.cpp:\d+")
            self.assertRegex(text, r", of \S")

    def test_rebuilt_code_that_stayed_the_same_is_still_covered(self):
        self.place("increments")
        self.sample("--schedules", 30, "./increments", "1")
        before, old = self.coverage()
        source = (self.dir / "increments.cpp").read_text()
        (self.dir / "increments.cpp").write_text("\n\n" + source)
        (self.dir / "more.cpp").write_text("int more(int x) { return x * 3 + x / 7; }\n")
        self.raddle("c++", "-g", "-O1", "more.cpp", "increments.cpp", "-o", "increments", code=0)
        self.sample("--schedules", 1, "./increments", "1")
        after, new = self.coverage()
        self.assertNotEqual(old["build"], new["build"])
        self.assertEqual(new["runs"], 31)
        self.assertGreater(before["pinv"]["covered"] + before["def-use"]["covered"], 3)
        for name in (*SHORT, "idiom1"):
            self.assertEqual(after[name]["covered"], before[name]["covered"], name)
        self.assertGreater(before["all"]["covered"], 1)
        self.assertEqual(after["all"]["covered"], 1)

    def test_systematic_runs_are_left_out(self):
        self.place("trickle")
        self.campaign("--strategy", "dpor", "--races", "report", "./trickle", code=0)
        result = self.raddle("coverage", code=2)
        self.assert_words(result.err, "has observed coverage", "sample")

    def test_it_can_be_switched_off(self):
        self.place("trickle")
        self.sample("--coverage", "off", "--schedules", 5, "./trickle")
        self.assertEqual(self.query("SELECT count(*) FROM growth"), [(0,)])

    def test_the_same_runs_are_made_with_and_without(self):
        self.place("trickle")
        for name, runs in (("1", "off"), ("2", "all")):
            self.sample("--coverage", runs, "--schedules", 20, "--dump-events", name, "./trickle")
        self.assertEqual((self.dir / "1").read_bytes(), (self.dir / "2").read_bytes())


class Kept(CoverageTest):
    def test_kill_loses_a_second_at_most(self):
        self.place("increments")
        process = self.start("test", "--strategy", "random", "--time", "100s", "./increments", "6",
                             self.mark)
        self.wait_until(lambda: self.observed() > 0, "coverage has been committed")
        before = self.observed()
        self.wait_until(lambda: self.observed() > before, "more of it", 10)
        runs = self.observed()
        covered = self.query("SELECT count(*) FROM coverage WHERE times > 0")[0][0]
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])
        criteria, program = self.coverage()
        self.assertGreaterEqual(program["runs"], runs)
        self.assertGreaterEqual(sum(c["covered"] for c in criteria.values()), covered)

    def observed(self):
        try:
            return self.query("SELECT max(runs) FROM growth")[0][0] or 0
        except sqlite3.OperationalError:  # there is no table yet
            return 0

    def test_two_campaigns_at_a_time(self):
        self.place("increments")
        both = [self.start("test", "--strategy", "random", "--time", "2200ms", "--seed", seed,
                           "./increments", "2", self.mark) for seed in (1, 2)]
        for process in both:
            result = self.finish(process)
            self.assertEqual(result.code, 0, str(result))
            self.assertNotIn("remembered", result.err)
        _, program = self.coverage()
        self.assertEqual(program["campaigns"], 2)
        runs = [row[0] for row in self.query("SELECT runs FROM campaigns")]
        self.assertEqual(program["runs"], sum(runs))

    def test_merging_and_importing(self):
        self.place("trickle")
        for seed, out in ((1, "a"), (2, "b")):
            self.sample("--schedules", 15, "--seed", seed, "--out", out, "./trickle")
        export = lambda out: self.raddle("memo", "export", "--out", out, code=0).out  # noqa: E731
        union = set(export("a").splitlines()) | set(export("b").splitlines())
        for into, other in (("ab", "a"), ("ab", "b"), ("ba", "b"), ("ba", "a"), ("ba", "b")):
            self.raddle("memo", "merge", other, "--out", into, code=0)
        self.assertEqual(export("ab"), export("ba"))
        self.assertEqual(set(export("ab").splitlines()), union)
        one, _ = self.coverage("--out", "a")
        both, program = self.coverage("--out", "ab")
        self.assertEqual(program["runs"], 30)
        for name, criterion in one.items():
            self.assertGreaterEqual(both[name]["covered"], criterion["covered"])
        self.raddle("memo", "export", "ab.jsonl", "--out", "ab", code=0)
        self.raddle("memo", "import", "ab.jsonl", "--out", "copy", code=0)
        self.assertEqual(export("copy"), export("ab"))
        self.raddle("memo", "forget", "--program", "./trickle", "--out", "ab", code=0)
        self.assertEqual(export("ab"), "")

    def test_what_was_tried_in_vain_is_given_up(self):
        self.place("account")
        self.sample("--schedules", 1, "./account", code=None)
        lines = [json.loads(line) for line in
                 self.raddle("memo", "export", code=0).out.splitlines()]
        untested = next(r for r in lines if r["type"] == "coverage" and r["times"] == 0)
        untested.update(attempts=4, failures=4)
        (self.dir / "tried.jsonl").write_text(json.dumps(untested) + "\n")
        before, _ = self.coverage()
        self.raddle("memo", "import", "tried.jsonl", code=0)
        after, _ = self.coverage()
        name = untested["criterion"]
        self.assertEqual(before[name]["given_up"], 0)
        self.assertEqual(after[name]["given_up"], 1)
        self.assertEqual(after[name]["untested"], before[name]["untested"] - 1)
        self.assertIn("4 of 4 attempts failed", self.raddle("coverage", "--uncovered", code=0).out)

    def test_an_older_memory_gets_the_tables(self):
        self.place("trickle")
        self.sample("--schedules", 5, "./trickle")
        # Of its first version it has these.
        old = set("programs sites places learned_sets learned_places campaigns findings "
                  "sightings".split())
        for (table,) in self.query("SELECT name FROM sqlite_master WHERE type = 'table'"):
            if table not in old and not table.startswith("sqlite_"):
                self.query(f"DROP TABLE {table}")
        self.query("PRAGMA user_version = 1")
        self.sample("--schedules", 5, "./trickle")
        _, program = self.coverage()
        self.assertEqual(program["runs"], 5)


class Outputs(CoverageTest):
    def test_svg_is_xml(self):
        self.place("trickle")
        self.sample("--schedules", 40, "./trickle")
        self.raddle("coverage", "--svg", "growth.svg", code=0)
        root = xml.etree.ElementTree.parse(self.dir / "growth.svg").getroot()
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        criteria, _ = self.coverage()
        self.assertEqual(len(root.findall("{*}path")), len(criteria))
        texts = "".join(t.text for t in root.findall("{*}text"))
        self.assert_words(texts, "coverage of trickle", *criteria)
        self.assertNotIn("href", (self.dir / "growth.svg").read_text())

    def test_one_criterion(self):
        self.place("trickle")
        self.sample("--schedules", 5, "./trickle")
        criteria, _ = self.coverage("--criterion", "pinv")
        self.assertEqual(list(criteria), ["pinv"])
        self.assert_words(self.raddle("coverage", "--criterion", "pin", code=2).err,
                          "no such criterion", "pinv")

    def test_errors_name_what_is_wrong(self):
        self.assert_words(self.raddle("coverage", code=2).err, "there is no .raddle/memo.db")
        self.assertFalse((self.dir / ".raddle").exists())
        self.place("trickle")
        self.place("racing")
        for program in ("./trickle", "./racing"):
            self.sample("--schedules", 5, program)
        text = self.raddle("coverage", code=0).out
        self.assert_words(text, "/trickle", "/racing")
        for arguments, words in (
                (["./other"], ["nothing is remembered of", "/other"]),
                (["./trickle", "./racing"], ["one program at a time", "./racing"]),
                (["--svg", "a.svg"], ["of which program"]),
                (["./trickle", "--svg", "none/a.svg"], ["--svg", "none/a.svg"]),
                (["./trickle", "--json", "."], ["--json", "."]),
                (["--uncoverd"], ["--uncovered"])):
            result = self.raddle("coverage", *arguments, code=2)
            self.assert_words(result.err, *words)


class Saturated(CoverageTest):
    def test_a_campaign_ends_when_nothing_is_added(self):
        self.place("increments")
        data = self.campaign("--strategy", "random", "--schedules", 5000, "--stop-when",
                             "saturated", "--saturation-runs", 60, "./increments", "1", code=0)
        self.assertLess(data["schedules"], 2000)
        self.assertRegex(data["stopped"], r"saturated: the last \d+ of \d[\d,]* observed runs "
                                          r"added nothing")
        criteria, _ = self.coverage()
        last = max(c["growth"][-1][0] for name, c in criteria.items()
                   if c["growth"] and name not in ("all", "tpair", "svar"))
        self.assertEqual(data["schedules"], max(last + 60, -(-last * 5 // 4)))
        result = self.raddle("test", "--strategy", "random", "--schedules", 5000, "--no-memo",
                             "--stop-when", "saturated", "--saturation-runs", 60, "./increments",
                             "1", code=0)
        self.assert_words(result.out, "stopped: coverage is saturated")

    def test_findings_and_limits_come_first(self):
        self.place("increments")
        data = self.campaign("--strategy", "random", "--stop-when", "saturated", "--schedules", 20,
                             "./increments", "1", code=0)
        self.assertNotIn("stopped", data)
        self.assertEqual(data["schedules"], 20)
        data = self.campaign("--strategy", "random", "--stop-when", "saturated",
                             "--saturation-runs", 100, "./increments", "1", "wrong", code=1)
        self.assertTrue(data["findings"])

    def test_bad_input(self):
        self.place("increments")
        for arguments, words in (
                (["--stop-when", "full"], ["--stop-when full", "saturated"]),
                (["--stop-when", "saturated", "--strategy", "dpor"], ["dpor", "random"]),
                (["--stop-when", "saturated", "--points", "sync"], ["--points sync"]),
                (["--stop-when", "saturated", "--races", "off"], ["--races off"]),
                (["--stop-when", "saturated", "--coverage", "off"], ["exclude each other"]),
                (["--coverage", "most"], ["--coverage most", "all, some or off"]),
                (["--saturation-runs", "5"], ["--stop-when saturated"]),
                (["--stop-when", "saturated", "--saturation-runs", "0"], ["--saturation-runs"]),
                (["--stop-when", "saturated", "--saturation-part", "101"],
                 ["--saturation-part"])):
            result = self.raddle("test", *arguments, "./increments", code=2)
            self.assert_words(result.err, *words)


if __name__ == "__main__":
    unittest.main()
