#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""raddle::check in process. The programs beside this one are compiled with `raddle c++` and run:
those of googletest say themselves what they expect; sample.cpp is run with other strategies, seeds,
budgets and schedules to replay. Then the same programs run under `raddle test`, as a whole.

Over all strategies that there are: the same seed finds the same in the same run, with the same
schedule file, byte for byte; and replayed it leads to the same.

The tool under test is named by the environment variable RADDLE."""

import atexit
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
RADDLE = os.path.abspath(os.environ.get("RADDLE", SOURCE / "build/bin/raddle"))
PROGRAMS = ("findings_test", "lock_order_test", "locksets_test", "atomicity_test", "dfs_test",
            "bodies_test", "ends_test", "schedules_test", "short_ways_test", "timers_test",
            "sample")
TIMEOUT_S = 100

work = pathlib.Path(tempfile.mkdtemp(prefix="raddle-check-"))
atexit.register(shutil.rmtree, work, ignore_errors=True)


def environment(**more):
    """The caller's, without what would change what raddle or googletest do."""
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("RADDLE", "GTEST"))}
    env.update(more)
    return env


def run(*command, code=None, cwd=work, **env):
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=environment(**env), text=True, timeout=TIMEOUT_S,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{words} {env}\nexit code {done.returncode}, expected {code}:\n"
                             f"{done.stdout[-6000:]}")
    return done.stdout


def compile_program(name):
    libraries = ["-lgtest", "-lgtest_main"] if name.endswith("_test") else []
    run(RADDLE, "c++", "-std=c++20", "-g", "-O1", "-Wall", "-Wextra", "-Werror",
        f"-I{SOURCE / 'include'}", HERE / f"{name}.cpp", "-o", name, *libraries, code=0)


def compile_library(name):
    run("g++", "-shared", "-fPIC", HERE / f"{name}.cpp", "-o", f"{name}.so", code=0)


def setUpModule():
    compile_library("late_library")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_program, PROGRAMS))


def sample(*names, code=None, **env):
    """The results of checks of sample.cpp, by name."""
    printed = run("./sample", *names, code=code, **env)
    return {result["name"]: result for result in map(json.loads, printed.splitlines())}


def strategies():
    return [line.split()[0] for line in run(RADDLE, "list", "strategies", code=0).splitlines()]


def steps(story):
    """The steps that a story shows, without their places."""
    return re.findall(r"^ *(\d+ .*|~~~.*)$", story, re.MULTILINE)


class Programs(unittest.TestCase):
    """What the programs expect by themselves."""

    def test_findings(self):
        run("./findings_test", "--gtest_brief=1", code=0, RADDLE_RUN_TIMEOUT="1s")

    def test_watchdog_ends_with_the_first_check(self):
        run("./ends_test", "--gtest_filter=Watchdog.*", code=0, RADDLE_RUN_TIMEOUT="100ms")

    def test_lock_order(self):
        run("./lock_order_test", "--gtest_brief=1", code=0)

    def test_locksets(self):
        run("./locksets_test", "--gtest_brief=1", code=0)

    def test_atomicity(self):
        run("./atomicity_test", "--gtest_brief=1", code=0)

    def test_dfs(self):
        run("./dfs_test", "--gtest_brief=1", code=0)

    def test_short_ways(self):
        run("./short_ways_test", "--gtest_brief=1", code=0)

    def test_bodies(self):
        printed = run("./bodies_test", code=0)
        self.assertIn("printed between two checks", printed)
        for word in ("by a thread of a run", "in a run", "by a run"):
            self.assertNotIn(word, printed)

    def test_ends(self):
        run("./ends_test", code=0)

    def test_timers_and_children(self):
        run("./timers_test", "--gtest_brief=1", code=0)

    def test_schedules_while_all_cores_are_busy(self):
        loads = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
        try:
            run("./schedules_test", "--gtest_brief=1", code=0)
        finally:
            for load in loads:
                load.kill()
                load.wait()


class Strategies(unittest.TestCase):
    """Over the whole registry, so that a newcomer is tested before it has tests."""

    def each(self):
        names = strategies()
        self.assertIn("dfs", names)
        self.assertGreaterEqual(len(names), 9)
        return [(strategy, test) for strategy in names for test in ("rare", "always")]

    def find(self, strategy, test, out, **env):
        result = sample(test, RADDLE_STRATEGY=strategy, RADDLE_SCHEDULES="2000", RADDLE_SEED="7",
                        RADDLE_OUT=out, **env)[test]
        self.assertEqual(result["error"], "")
        only_one = strategy in ("round-robin", "nonpreemptive")
        if test == "rare" and only_one and not result["findings"]:
            return None
        finding, = result["findings"]
        self.assertEqual(finding["kind"], "assertion")
        return result, finding, pathlib.Path(finding["file"]).read_text()

    def test_same_seed_same_finding_in_the_same_run_with_the_same_schedule(self):
        for strategy, test in self.each():
            with self.subTest(strategy=strategy, test=test):
                first = self.find(strategy, test, f"once-{strategy}-{test}")
                second = self.find(strategy, test, f"twice-{strategy}-{test}")
                if first is None:
                    self.assertIsNone(second)
                    continue
                for key in ("schedules", "steps", "guarantee"):
                    self.assertEqual(first[0][key], second[0][key])
                self.assertEqual(first[1]["story"], second[1]["story"])
                self.assertEqual(first[2], second[2])

    def test_replay_leads_to_the_same_verdict(self):
        for strategy, test in self.each():
            with self.subTest(strategy=strategy, test=test):
                found = self.find(strategy, test, f"replayed-{strategy}-{test}")
                if found is not None:
                    self.replay(test, found[1])

    def replay(self, test, found):
        result = sample(test, code=1, RADDLE_REPLAY=found["file"])[test]
        self.assertEqual(result["error"], "")
        again, = result["findings"]
        for key in ("kind", "message", "file"):
            self.assertEqual(again[key], found[key])
        self.assertEqual(result["schedules"], 1)
        self.assertEqual(steps(again["story"]), steps(found["story"]))
        # The tool replays it too, as the run of a program.
        printed = run(RADDLE, "replay", found["file"], code=1)
        self.assertIn(found["message"].split("\n")[0], printed)

    def test_other_seeds_are_other_schedules(self):
        runs = {sample("rare", RADDLE_STRATEGY="random", RADDLE_SEED=str(seed),
                       RADDLE_OUT="seeds")["rare"]["schedules"] for seed in range(8)}
        self.assertGreater(len(runs), 1)


class Replay(unittest.TestCase):
    def test_every_kind_in_a_process_of_its_own(self):
        for test, kind in (("rare", "assertion"), ("cycle", "deadlock"), ("warm", "assertion"),
                           ("racy", "data-race"), ("crash", "crash")):
            with self.subTest(test=test):
                found, = sample(test, code=1, RADDLE_OUT="kinds")[test]["findings"]
                self.assertEqual(found["kind"], kind)
                again, = sample(test, code=1, RADDLE_REPLAY=found["file"])[test]["findings"]
                self.assertEqual((again["kind"], again["message"]), (kind, found["message"]))

    def test_only_the_schedules_own_test_is_replayed(self):
        found, = sample("rare", code=1, RADDLE_OUT="own")["rare"]["findings"]
        results = sample("clean", "cycle", "rare", code=1, RADDLE_REPLAY=found["file"])
        self.assertEqual({name: len(result["findings"]) for name, result in results.items()},
                         {"clean": 0, "cycle": 0, "rare": 1})
        self.assertEqual(results["clean"]["schedules"], 0)

    def test_a_schedule_that_cannot_be_used_is_an_error(self):
        for text, words in ((None, "RADDLE_REPLAY"), ("nonsense\n", "RADDLE_REPLAY")):
            path = work / "broken.raddle"
            path.unlink(missing_ok=True)
            if text is not None:
                path.write_text(text)
            result = sample("rare", code=1, RADDLE_REPLAY=str(path))["rare"]
            self.assertIn(words, result["error"])
            self.assertIn("broken.raddle", result["error"])

    def test_a_schedule_that_no_longer_fits_is_an_error_or_a_note(self):
        found, = sample("rare", code=1, RADDLE_OUT="unfit")["rare"]["findings"]
        text = pathlib.Path(found["file"]).read_text().replace("test rare", "test cycle")
        path = work / "unfit.raddle"
        path.write_text(text)
        result = sample("cycle", RADDLE_REPLAY=str(path))["cycle"]
        self.assertIn("unfit.raddle", result["error"] + result["notes"])
        self.assertEqual(result["findings"], [])


class Environment(unittest.TestCase):
    def test_schedules(self):
        for number in (1, 2, 77):
            result = sample("clean", code=0, RADDLE_SCHEDULES=str(number))["clean"]
            self.assertEqual((result["schedules"], result["runs"]), (number, number))

    def test_time(self):
        result = sample("clean", code=0, RADDLE_TIME="300ms", RADDLE_STRATEGY="random")["clean"]
        self.assertGreater(result["seconds"], 0.29)
        self.assertLess(result["seconds"], 2)
        self.assertGreater(result["schedules"], 1000)

    def test_strategy(self):
        result = sample("clean", code=0, RADDLE_STRATEGY="nonpreemptive")["clean"]
        self.assertIn("nonpreemptive", result["guarantee"])

    def test_out(self):
        found, = sample("rare", code=1, RADDLE_OUT="some/where")["rare"]["findings"]
        expected = work.resolve() / "some/where/findings/1/schedule.raddle"
        self.assertEqual(found["file"], str(expected))
        self.assertTrue(os.path.exists(found["file"]))

    def test_bad_values_are_named(self):
        for name, value in (("RADDLE_SCHEDULES", "0"), ("RADDLE_SCHEDULES", "many"),
                            ("RADDLE_SCHEDULES", "-5"), ("RADDLE_TIME", "soon"),
                            ("RADDLE_TIME", "5 apples"), ("RADDLE_STRATEGY", "best"),
                            ("RADDLE_SEED", "-1"), ("RADDLE_SEED", "x"),
                            ("RADDLE_POINTS", "few"), ("RADDLE_TIMERS", "never"),
                            ("RADDLE_RACES", "maybe"), ("RADDLE_RUN_TIMEOUT", "late"),
                            ("RADDLE_KEEP_GOING", "perhaps"), ("RADDLE_LOCK_ORDER", "on"),
                            ("RADDLE_LOCKSETS", "yes"), ("RADDLE_ATOMICITY", "maybe"),
                            ("RADDLE_LEARN", "2")):
            with self.subTest(name=name, value=value):
                result = sample("clean", code=1, **{name: value})["clean"]
                self.assertIn(name, result["error"])
                self.assertIn(value, result["error"])
                self.assertEqual(result["runs"], 0)

    def test_options_of_searches(self):
        def clean(**env):
            return sample("clean", RADDLE_SCHEDULES="100", **env)["clean"]
        bounded = clean(code=0, RADDLE_STRATEGY="preemption-bound", RADDLE_BOUND="0")
        self.assertTrue(bounded["complete"])
        self.assertIn("with at most 0 preemptions", bounded["guarantee"])
        best = {"RADDLE_STRATEGY": "best-first"}
        self.assertEqual(clean(code=0, RADDLE_PRIORITY="ss,pb", RADDLE_BOUND="1", **best)["error"],
                         "")
        for words, env in (
                (("RADDLE_BOUND", "many"), {"RADDLE_BOUND": "many"}),
                (("RADDLE_PRIORITY", "`pbb`", "did you mean pb?"), {"RADDLE_PRIORITY": "pbb"}),
                (("RADDLE_PRIORITY", "twice"), {"RADDLE_PRIORITY": "pb,pb"}),
                (("RADDLE_PRIORITY", "RADDLE_METHOD"), {"RADDLE_PRIORITY": "method"}),
                (("RADDLE_VAR", "nothing looks at"), {"RADDLE_VAR": "runs"})):
            with self.subTest(env=env):
                result = clean(code=1, **best, **env)
                for word in words:
                    self.assertIn(word, result["error"])
                self.assertEqual(result["runs"], 0)
        for name, value in (("BOUND", "2"), ("PRIORITY", "pb"), ("METHOD", "clean"),
                            ("VAR", "runs"), ("MEMORY", "1G")):
            result = clean(code=1, RADDLE_STRATEGY="random", **{f"RADDLE_{name}": value})
            self.assertIn(f"RADDLE_{name}: strategy `random` does not use it", result["error"])

    def test_names_that_a_search_is_pointed_at(self):
        result = sample("rare", code=1, RADDLE_STRATEGY="best-first", RADDLE_PRIORITY="method,pb",
                        RADDLE_METHOD="operator(),frob",
                        RADDLE_OUT="pointed")["rare"]
        self.assertIn("RADDLE_METHOD frob: no function of that name", result["notes"])
        self.assertNotIn("RADDLE_METHOD operator", result["notes"])

    def test_a_folder_that_cannot_be_written_is_an_error(self):
        (work / "file").write_text("")
        result = sample("rare", code=1, RADDLE_OUT="file/out")["rare"]
        self.assertIn("file/out", result["error"])


def replayed_notes(test, kind, out):
    """What a replay has to say of a finding of the kind: one that is no failure."""
    file = next(path for path in (work / out).glob("findings/*/schedule.raddle")
                if f"\nkind {kind}\n" in path.read_text())
    return sample(test, code=0, RADDLE_REPLAY=str(file))[test]["notes"]


class Warnings(unittest.TestCase):
    """Notes about runs that end well, found in one process and replayed in others."""

    def test_locksets(self):
        words = "inconsistent-locks: no lock protects `entries`"
        self.assertEqual(sample("turns", code=0, RADDLE_OUT="quiet")["turns"]["notes"], "")
        result = sample("turns", code=0, RADDLE_LOCKSETS="1", RADDLE_OUT="locksets")["turns"]
        self.assertIn(words, result["notes"])
        self.assertIn(words, replayed_notes("turns", "inconsistent-locks", "locksets"))
        self.assertFalse((work / "locksets/memo.db").exists())
        off = sample("turns", code=1, RADDLE_LOCKSETS="1", RADDLE_RACES="off")["turns"]
        self.assertIn("RADDLE_LOCKSETS: with races off", off["error"])


class Learning(unittest.TestCase):
    """What was learned in one way is known in the other: in the process of the tests, and by
    `raddle learn` and `raddle test` of the same program."""

    violation = "atomicity-violation: on `balance`: between the two accesses"

    def notes(self, test, out, code=0, **env):
        return sample(test, code=code, RADDLE_OUT=out, **env)[test]["notes"]

    def learn(self, out, **env):
        notes = self.notes("good_ledger", out, RADDLE_LEARN="1", **env)
        self.assertRegex(notes, r"^learned \d+ invariants? of atomicity from \d+ runs; kept in ")

    def campaign(self, out):
        return run(RADDLE, "test", "--out", out, "--schedules", 100, "./sample", "ledger", code=0)

    def test_in_process(self):
        self.assertEqual(self.notes("ledger", "inside"), "")
        self.assertFalse((work / "inside").exists())
        self.learn("inside")
        self.assertIn(self.violation, self.notes("ledger", "inside"))
        self.assertIn(self.violation, replayed_notes("ledger", "atomicity-violation", "inside"))
        self.assertEqual(self.notes("good_ledger", "inside", RADDLE_SEED="5"), "")
        self.assertEqual(self.notes("ledger", "inside", RADDLE_ATOMICITY="off"), "")
        failed = sample("ledger", code=1, RADDLE_OUT="inside", RADDLE_ATOMICITY="fail")["ledger"]
        self.assertEqual({each["kind"] for each in failed["findings"]}, {"atomicity-violation"})
        self.assertIn(self.violation, "atomicity-violation: " + failed["findings"][0]["message"])

    def test_what_tests_have_learned_is_known_to_campaigns(self):
        self.assertNotIn("atomicity-violation", self.campaign("untaught"))
        self.learn("outwards")
        self.assertIn(self.violation, self.campaign("outwards"))

    def test_what_raddle_learn_has_learned_is_known_to_tests(self):
        run(RADDLE, "learn", "--out", "inwards", "./sample", "good_ledger", code=0)
        self.assertIn(self.violation, self.notes("ledger", "inwards"))

    def test_trainings_of_both_are_of_one_program(self):
        self.learn("together")
        run(RADDLE, "learn", "--out", "together", "./sample", "good_ledger", code=0)
        exported = run(RADDLE, "memo", "export", "--out", "together", code=0)
        records = [json.loads(line) for line in exported.splitlines()]
        own, other = (record for record in records if record["type"] == "training")
        for key in ("program", "arguments", "granularity"):
            self.assertEqual(own[key], other[key])
        self.assertEqual(len([each for each in records if each["type"] == "program"]), 1)
        sites = {uid: {each["site"] for each in records
                       if each["type"] == "invariant" and each["training"] == uid}
                 for uid in (own["uid"], other["uid"])}
        self.assertTrue(sites[own["uid"]] & sites[other["uid"]])

    def test_strategies_that_cannot_teach_are_refused(self):
        result = sample("ledger", code=1, RADDLE_LEARN="1", RADDLE_STRATEGY="dfs",
                        RADDLE_OUT="untaught")["ledger"]
        self.assertIn("RADDLE_STRATEGY dfs: learning needs", result["error"])

    def test_a_memo_that_cannot_be_read_is_an_error_and_stays(self):
        self.learn("newer")
        with sqlite3.connect(work / "newer/memo.db") as database:
            database.execute("PRAGMA user_version = 1000")
        database.close()
        (work / "broken").mkdir()
        (work / "broken/memo.db").write_text("this is no database " * 100)
        for out, words in (("newer", "written by a newer raddle"), ("broken", "is not a memory")):
            memo = work / out / "memo.db"
            before = memo.read_bytes()
            for env in ({}, {"RADDLE_LEARN": "1"}):
                with self.subTest(out=out, env=env):
                    result = sample("ledger", code=1, RADDLE_OUT=out, **env)["ledger"]
                    self.assertIn(f"{out}/memo.db", result["error"])
                    self.assertIn(words, result["error"])
                    self.assertEqual((result["schedules"], memo.read_bytes()), (0, before))
            self.assertEqual(self.notes("ledger", out, RADDLE_ATOMICITY="off"), "")


class WholeProgram(unittest.TestCase):
    """`raddle test ./program`: each run is a process, and the body is run once in it."""

    def campaign(self, *command, options=(), code=None):
        out = tempfile.mkdtemp(dir=work)
        printed = run(RADDLE, "test", "--json", "result.json", "--fail-on", "leaked-thread",
                      "--schedules", 300, "--max-steps", 2000, "--run-timeout", "1s", *options,
                      "--out", out, *command, code=code)
        with open(work / "result.json", encoding="utf-8") as file:
            return json.load(file), printed

    def test_the_same_findings(self):
        kinds = {"rare": "assertion", "cycle": "deadlock", "warm": "assertion",
                 "racy": "data-race", "crash": "crash"}
        for test, kind in kinds.items():
            with self.subTest(test=test):
                data, _ = self.campaign("./sample", test)
                self.assertEqual([each["kind"] for each in data["findings"]], [kind])

    def test_every_kind(self):
        kinds = {"check": "assertion", "assert": "assertion", "abort": "assertion",
                 "exit": "exit-code", "exception": "exception", "thread_exception": "exception",
                 "crash": "crash", "stack_overflow": "stack-overflow", "mutex_cycle": "deadlock",
                 "lost_wake_up": "deadlock", "livelock": "livelock", "hang": "hang",
                 "sync_misuse": "sync-misuse", "leaked_thread": "leaked-thread",
                 "use_after_free": "use-after-free", "double_free": "double-free",
                 "heap_overflow": "heap-overflow", "data_race": "data-race"}
        listed = run("./findings_test", "--gtest_list_tests", "--gtest_filter=*IsFound*", code=0)
        self.assertEqual(set(re.findall(r"IsFound/(\w+)", listed)), set(kinds))
        for bug, kind in kinds.items():
            with self.subTest(bug=bug):
                data, _ = self.campaign("./findings_test", f"--gtest_filter=*IsFound/{bug}", code=1)
                self.assertEqual({each["kind"] for each in data["findings"]}, {kind})

    def test_clean(self):
        data, _ = self.campaign("./sample", "clean", code=0)
        self.assertEqual(data["findings"], [])


if __name__ == "__main__":
    unittest.main()
