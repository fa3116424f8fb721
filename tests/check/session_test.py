#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What exists on the command line exists in unit tests: the same bodies (sample.cpp), once repeated
in process with environment variables, once as whole programs under `raddle test` with options.

The tool under test is named by the environment variable RADDLE."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from check_test import RADDLE, compile_program, run, sample, work  # noqa: E402


def setUpModule():
    compile_program("sample")


def fresh():
    """A name for a directory of findings that is not there yet."""
    return tempfile.mkdtemp(dir=work) + "/out"


def option(name):
    return "--" + name.removeprefix("RADDLE_").lower().replace("_", "-")


def inside(test, out=None, code=None, **env):
    """The result of a check in process; `env` without RADDLE_."""
    env = {f"RADDLE_{name}": str(value) for name, value in env.items()}
    return sample(test, code=code, RADDLE_OUT=out or fresh(), **env)[test]


def outside(test, *flags, out=None, code=None, **env):
    """That of a campaign, as JSON; `env` as for the other, and flags."""
    options = [word for name, value in env.items() for word in (option(name), value)]
    printed = run(RADDLE, "test", "--json", "result.json", "--out", out or fresh(), *options,
                  *flags, "./sample", test, code=code)
    result = json.loads((work / "result.json").read_text())
    return result | {"printed": printed}


def both(test, code=None, **env):
    return inside(test, code=code, **env), outside(test, code=code, **env)


def kinds(result):
    return [finding["kind"] for finding in result["findings"]]


def coverage(out):
    text = run(RADDLE, "coverage", "--json", "-", "--out", out, code=0)
    program, = json.loads(text)["programs"]
    return program


class Suppressions(unittest.TestCase):
    def test_leave_findings_out(self):
        rules = work / "rules"
        rules.write_text("race:racy\n")
        for result in both("racy", code=1):
            self.assertEqual(kinds(result), ["data-race"])
        own, other = both("racy", code=0, SUPPRESSIONS=rules)
        self.assertEqual((kinds(own), own["suppressed"]), ([], 1))
        self.assertEqual(kinds(other), [])
        self.assertIn("1 finding was suppressed", other["printed"])

    def test_that_cannot_be_read_are_named(self):
        rules = work / "bad_rules"
        rules.write_text("race:racy\nrubbish\n")
        for file, words in (("nowhere", ("SUPPRESSIONS", "nowhere")), (rules, ("bad_rules:2",))):
            error = inside("racy", code=1, SUPPRESSIONS=file)
            self.assertEqual((error["schedules"], kinds(error)), (0, []))
            printed = run(RADDLE, "test", "--suppressions", file, "./sample", "racy", code=2)
            for word in words:
                self.assertIn(word, error["error"])
                self.assertIn(word, printed.upper() if word.isupper() else printed)


class LibraryRaces(unittest.TestCase):
    def test_are_reported_if_they_are_asked_for(self):
        common = {"STRATEGY": "random", "SCHEDULES": 100}
        own, other = both("pointers", code=0, **common)
        where = "std::atomic of a smart pointer"
        self.assertEqual((kinds(own), kinds(other)), ([], []))
        self.assertIn(f"inside the C++ library left out: {where}", own["notes"])
        self.assertEqual(list(other["library_races"]), [where])
        for result in both("pointers", code=1, LIBRARY_RACES="report", **common):
            self.assertIn("data-race", kinds(result))
            self.assertIn(f"the C++ library's own, in {where}", result["findings"][0]["message"])

    def test_have_two_modes(self):
        words = "LIBRARY_RACES"
        self.assertIn(words, inside("pointers", code=1, LIBRARY_RACES="some")["error"])
        self.assertIn("--library-races",
                      run(RADDLE, "test", "--library-races", "some", "./sample", code=2))


class Failing(unittest.TestCase):
    def test_warnings_count_if_they_are_asked_for(self):
        common = {"STRATEGY": "random", "SCHEDULES": 100}
        self.assertEqual(inside("turns", code=0, LOCKSETS=1, **common)["findings"], [])
        outside("turns", "--locksets", code=0, **common)
        counted = common | {"FAIL_ON": "inconsistent-locks"}
        for result in (inside("turns", code=1, LOCKSETS=1, **counted),
                       outside("turns", "--locksets", code=1, **counted)):
            self.assertEqual(set(kinds(result)), {"inconsistent-locks"})


class Saturation(unittest.TestCase):
    rule = {"STRATEGY": "random", "SCHEDULES": 50_000, "STOP_WHEN": "saturated",
            "SATURATION_RUNS": 60, "SATURATION_PART": 30}

    def test_ends_a_campaign(self):
        for result in both("ledger", code=0, **self.rule):
            self.assertRegex(result["stopped"], "^coverage is saturated: the last [0-9]+ of [0-9]+ "
                                                "observed runs added nothing$")
            self.assertGreaterEqual(result["schedules"], 60)
            self.assertLess(result["schedules"], 50_000)

    def test_counts_every_run(self):
        result = inside("ledger", code=0, **self.rule)
        observed = int(result["stopped"].split(" of ")[1].split()[0])
        self.assertEqual(observed, result["schedules"])

    def test_needs_runs_that_show_accesses(self):
        for more, words in (({"STRATEGY": "dpor"}, "strategy dpor"),
                            ({"RACES": "off"}, "races off"),
                            ({"POINTS": "sync"}, "points sync"), ({"COVERAGE": "off"}, "exclude"),
                            ({"STOP_WHEN": "bored"}, "expected `saturated`")):
            env = self.rule | more
            with self.subTest(more=more):
                self.assertIn(words, inside("ledger", code=1, **env)["error"])
                options = [word for name, value in env.items() for word in (option(name), value)]
                self.assertIn(words, run(RADDLE, "test", *options, "./sample", "ledger", code=2))


class Memory(unittest.TestCase):
    search = {"STRATEGY": "dpor", "RACES": "report", "SCHEDULES": 500}

    def test_searches_start_with_the_sites_that_are_remembered(self):
        out, other = fresh(), fresh()
        first = inside("relay", out=out, code=0, MEMO=1, **self.search)
        second = inside("relay", out=out, code=0, MEMO=1, **self.search)
        self.assertTrue(first["complete"] and second["complete"])
        self.assertGreater(first["schedules"], first["search_runs"])
        self.assertEqual(second["schedules"], second["search_runs"])
        self.assertEqual(first["search_runs"], second["search_runs"])
        third = inside("relay", out=out, code=0, MEMO=0, **self.search)
        self.assertEqual(third["schedules"], first["schedules"])
        runs = [outside("relay", out=other, code=0, **self.search)["schedules"] for _ in range(2)]
        self.assertLess(runs[1], runs[0])

    def test_of_one_test_says_nothing_of_another(self):
        out = fresh()
        inside("relay", out=out, code=0, MEMO=1, **self.search)
        own = inside("racy", code=0, **self.search)
        beside = inside("racy", out=out, code=0, MEMO=1, **self.search)
        self.assertEqual((own["schedules"], own["guarantee"]),
                         (beside["schedules"], beside["guarantee"]))

    def test_findings_and_campaigns_are_remembered(self):
        out = fresh()
        inside("rare", out=out, code=1, MEMO=1)
        exported = run(RADDLE, "memo", "export", "--out", out, code=0)
        records = [json.loads(line) for line in exported.splitlines()]
        campaign, = (each for each in records if each["type"] == "campaign")
        self.assertEqual((campaign["arguments"], campaign["ended"]), ("rare [rare]", True))
        sighting, = (each for each in records if each["type"] == "sighting")
        self.assertEqual((sighting["kind"], sighting["campaign"]), ("assertion", campaign["uid"]))

    def test_passing_tests_leave_nothing_behind_unless_asked(self):
        out = fresh()
        inside("clean", out=out, code=0)
        self.assertFalse(pathlib.Path(out).exists())

    def test_takes_no_descriptor_of_the_runs(self):
        plain = inside("opens", code=0, SCHEDULES=2000)
        remembered = inside("opens", code=0, SCHEDULES=2000, MEMO=1, COVERAGE="all")
        self.assertGreater(plain["descriptor"], 2)
        self.assertEqual(remembered["descriptor"], plain["descriptor"])

    def test_a_file_that_is_none_is_an_error_and_stays(self):
        folder = work / "nonsense"
        folder.mkdir()
        (folder / "memo.db").write_text("nonsense " * 100)
        result = inside("clean", out=folder, code=1, MEMO=1, ATOMICITY="off")
        self.assertIn("nonsense/memo.db", result["error"])
        self.assertEqual(result["schedules"], 0)
        self.assertEqual((folder / "memo.db").read_text(), "nonsense " * 100)

    def test_bad_values_are_named(self):
        for name, value in (("MEMO", "maybe"), ("COVERAGE", "much"), ("RESUME", "yes"),
                            ("SATURATION_RUNS", "5"), ("STOP_WHEN", "tired")):
            self.assertIn(f"RADDLE_{name}", inside("clean", code=1, **{name: value})["error"])


class Coverage(unittest.TestCase):
    def test_of_all_runs(self):
        outs = fresh(), fresh()
        env = {"STRATEGY": "random", "SCHEDULES": 300, "COVERAGE": "all"}
        inside("ledger", out=outs[0], code=0, **env)
        outside("ledger", out=outs[1], code=0, **env)
        for out in outs:
            self.assertEqual(coverage(out)["runs"], 300)

    def test_of_both_is_about_the_same_places(self):
        """What is known of a program has the same properties, whoever has observed them."""
        outs = fresh(), fresh()
        env = {"STRATEGY": "random", "SCHEDULES": 400, "COVERAGE": "all"}
        inside("ledger", out=outs[0], code=0, **env)
        outside("ledger", out=outs[1], code=0, **env)
        counts = [{each["name"]: each["covered"] for each in coverage(out)["criteria"]}
                  for out in outs]
        for criterion in ("def-use", "lr-def", "idiom1"):
            self.assertGreater(counts[0][criterion], 0)
            self.assertEqual(counts[0][criterion], counts[1][criterion], criterion)


class Resuming(unittest.TestCase):
    search = {"STRATEGY": "dpor", "RESUME": 1}

    def test_goes_on_until_it_is_through(self):
        whole = inside("orders", code=0, STRATEGY="dpor", TIME="60s")
        self.assertTrue(whole["complete"])
        out, total = fresh(), 0
        for _ in range(20):
            part = inside("orders", out=out, code=0, SCHEDULES=700, **self.search)
            total += part["schedules"]
            self.assertLessEqual(part["schedules"], 700)
            if part["complete"]:
                break
        self.assertTrue(part["complete"])
        self.assertEqual(total, whole["schedules"])
        self.assertEqual(part["guarantee"], whole["guarantee"])
        self.assertEqual(list((pathlib.Path(out) / "search").iterdir()), [])

    def test_begins_anew_where_it_cannot_go_on(self):
        out = fresh()
        inside("orders", out=out, code=0, SCHEDULES=50, **self.search)
        changed = {"SCHEDULES": 50, "TIMERS": "any", "STRATEGY": "dpor"}
        other = inside("orders", out=out, code=0, RESUME=1, **changed)
        self.assertIn("begins anew: --timers was `idle`, now it is `any`", other["notes"])
        alone = inside("orders", code=0, **changed)
        self.assertEqual(other["schedules"], alone["schedules"])

    def test_is_of_no_concern_to_strategies_that_sample(self):
        out = fresh()
        inside("clean", out=out, code=0, STRATEGY="random", SCHEDULES=50, RESUME=1)
        self.assertFalse(pathlib.Path(out).exists())


if __name__ == "__main__":
    unittest.main()
