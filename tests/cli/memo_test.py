#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What campaigns remember (DIR/memo.db), that it is used, and `raddle memo`."""

import json
import signal
import sqlite3
import time
import unittest

from harness import CliTest, build


class MemoTest(CliTest):
    def records(self, out=".raddle"):
        text = self.raddle("memo", "export", "--out", out, code=0).out
        return [json.loads(line) for line in text.splitlines()]

    def of_type(self, kind, out=".raddle"):
        return [record for record in self.records(out) if record["type"] == kind]

    def database(self, out=".raddle"):
        return self.dir / out / "memo.db"

    def query(self, sql):
        connection = sqlite3.connect(self.database(), timeout=10)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()


class Remembered(MemoTest):
    def test_a_campaign_and_its_finding(self):
        self.place("account")
        data = self.campaign("--seed", 7, "./account", code=1)
        [program] = self.of_type("program")
        self.assertEqual(program["program"], str((self.dir / "account").resolve()))
        [campaign] = self.of_type("campaign")
        self.assertEqual(campaign["seed"], 7)
        self.assertEqual(campaign["strategy"], "auto")
        self.assertTrue(campaign["ended"])
        self.assertEqual(campaign["runs"], data["schedules"])
        self.assertEqual(campaign["behaviours"], data["behaviours"])
        self.assertEqual(campaign["guarantee"], data["guarantee"])
        sightings = self.of_type("sighting")
        self.assertEqual(sorted(s["message"] for s in sightings),
                         sorted(f["message"] for f in data["findings"]))
        for sighting in sightings:
            self.assertTrue((self.dir / sighting["schedule"]).exists(), sighting)
            self.assertGreaterEqual(sighting["times"], 1)

    def test_how_often_a_finding_was_seen(self):
        self.place("racing")
        data = self.campaign("--strategy", "random", "--schedules", 20, "--races", "report",
                             "./racing", code=0)
        self.assertTrue(data["findings"])
        times = {s["message"]: s["times"] for s in self.of_type("sighting")}
        self.assertEqual(set(times), {f["message"] for f in data["findings"]})
        self.assertGreater(max(times.values()), 1)
        self.assertLessEqual(max(times.values()), 20)
        self.place("increments")
        self.campaign("--strategy", "random", "--keep-going", "--schedules", 100, "./increments",
                      "1", "wrong", code=1)
        [seen] = [s for s in self.of_type("sighting") if s["kind"] != "data-race"]
        self.assertGreater(seen["times"], 1)
        self.assertLess(seen["times"], 100)

    def test_sites_stay_the_same_where_the_code_does(self):
        self.place("trickle")
        self.search()
        before = {p["offset"]: p["site"] for p in self.of_type("place")}
        source = (self.dir / "trickle.cpp").read_text()
        # Something in front of it: other lines, other addresses.
        (self.dir / "trickle.cpp").write_text("\n\n" + source)
        (self.dir / "more.cpp").write_text("int more(int x) { return x * 3 + x / 7; }\n")
        self.raddle("c++", "-g", "-O1", "more.cpp", "trickle.cpp", "-o", "trickle", code=0)
        self.search()
        self.assertEqual(len(self.of_type("program")), 2)
        places = self.of_type("place")
        self.assertEqual({p["site"] for p in places}, set(before.values()))
        self.assertGreater(len({p["offset"] for p in places}), len(before))

    def search(self, *options):
        return self.campaign("--strategy", "dpor", "--races", "report", *options, "./trickle",
                             code=0)

    def test_no_memo(self):
        self.place("increments")
        self.campaign("--no-memo", "--schedules", 5, "./increments", code=0)
        self.assertFalse(self.database().exists())

    def test_a_program_that_cannot_be_run_leaves_nothing(self):
        self.raddle("test", "/bin/no-such-program", code=2)
        self.assertFalse((self.dir / ".raddle").exists())


class Used(MemoTest):
    def search(self, strategy, *options):
        # On a busy machine the usual ten seconds may not be enough.
        data = self.campaign("--strategy", strategy, "--races", "report", "--time", "60s", *options,
                             "./trickle", code=0)
        self.assertTrue(data["complete"])
        return data

    def test_a_second_search_starts_with_the_sites_of_the_first(self):
        self.place("trickle")
        for strategy in ("dpor", "best-first", "preemption-bound", "dfs", "auto"):
            with self.subTest(strategy):
                first = self.search(strategy, "--out", strategy)
                second = self.search(strategy, "--out", strategy)
                if strategy != "dfs":  # the longest
                    without = self.search(strategy, "--out", strategy, "--no-memo")
                    third = self.search(strategy, "--out", strategy)
                    self.assertEqual(first["schedules"], without["schedules"])
                    self.assertEqual(third["schedules"], second["schedules"])
                    self.assertEqual(second["search"]["runs"], first["search"]["runs"])
                self.assertIn("begun anew", first["guarantee"])
                self.assertLess(second["schedules"], first["schedules"])
                promise = first["guarantee"].split("; begun anew")[0]
                self.assertEqual(second["guarantee"].split(" (a trace")[0],
                                 promise.split(" (a trace")[0])
                self.assertEqual(sorted(f["message"] for f in second["findings"]),
                                 sorted(f["message"] for f in first["findings"]))

    def test_sampling_makes_the_same_runs_again(self):
        self.place("trickle")
        for name in "12":
            self.campaign("--strategy", "random", "--schedules", 30, "--races", "report",
                          "--dump-events", name, "./trickle", code=0)
        self.assertEqual((self.dir / "1").read_bytes(), (self.dir / "2").read_bytes())

    def test_another_build_learns_for_itself(self):
        self.place("trickle")
        first = self.search("dpor")
        (self.dir / "trickle").write_bytes(build("trickle", "-O2").read_bytes())
        again = self.search("dpor")
        self.assertIn("begun anew", again["guarantee"])
        self.assertEqual(len(self.of_type("program")), 2)
        self.assertTrue(first["complete"])


class Killed(MemoTest):
    def test_what_was_committed_is_there_and_the_file_is_sound(self):
        self.place("increments")
        process = self.start("test", "--strategy", "dpor", "--time", "100s", "./increments", "6",
                             self.mark)
        self.wait_until(lambda: self.database().exists() and self.committed_runs() > 0,
                        "runs have been committed")
        before = self.committed_runs()
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        self.assertEqual(self.query("PRAGMA integrity_check"), [("ok",)])
        [campaign] = self.of_type("campaign")
        self.assertFalse(campaign["ended"])
        self.assertGreaterEqual(campaign["runs"], before)
        self.campaign("--schedules", 5, "./increments", code=0)
        self.assertEqual(len(self.of_type("campaign")), 2)

    def test_kill_loses_at_most_the_run_that_goes_on(self):
        program, tally = self.place("tally"), self.dir / "tally.txt"
        process = self.start("test", "--strategy", "random", "--time", "100s", program, tally,
                             self.mark)
        self.wait_until(lambda: tally.exists() and tally.stat().st_size >= 6, "some runs")
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        begun = tally.stat().st_size - 1  # the first run is made twice, to compare
        [campaign] = self.of_type("campaign")
        self.assertGreaterEqual(campaign["runs"], begun - 1)

    def committed_runs(self):
        try:
            return self.query("SELECT max(runs) FROM campaigns")[0][0] or 0
        except sqlite3.OperationalError:  # there is no table yet
            return 0

    def test_a_finding_is_there_at_once(self):
        self.place("increments")
        process = self.start("test", "--strategy", "random", "--time", "100s", "--keep-going",
                             "./increments", "2", "wrong", self.mark)
        self.wait_until(lambda: self.findings(), "a finding")
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        [sighting] = self.of_type("sighting")
        self.assertGreaterEqual(sighting["times"], 1)

    def test_two_campaigns_at_a_time(self):
        self.place("increments")
        both = [self.start("test", "--strategy", "dpor", "--time", "2500ms", "--seed", seed,
                           "./increments", "6", self.mark) for seed in (1, 2)]
        for process in both:
            result = self.finish(process)
            self.assertEqual(result.code, 0, str(result))
            self.assertNotIn("remembered", result.err)
        campaigns = self.of_type("campaign")
        self.assertEqual(sorted(c["seed"] for c in campaigns), [1, 2])
        for campaign in campaigns:
            self.assertTrue(campaign["ended"])
            self.assertGreater(campaign["runs"], 0)


class Refused(MemoTest):
    def setUp(self):
        super().setUp()
        self.place("increments")

    def refusal(self, contents, *words):
        self.database().parent.mkdir(exist_ok=True)
        self.database().write_bytes(contents)
        for command in (("test", "--schedules", 5, "./increments"), ("memo", "stats"),
                        ("memo", "forget", "--all")):
            result = self.raddle(*command, code=2)
            self.assert_words(result.err, ".raddle/memo.db", *words)
            self.assertEqual(self.database().read_bytes(), contents)
        self.assertEqual(self.findings(), [])
        self.raddle("test", "--no-memo", "--schedules", 5, "./increments", code=0)

    def test_what_is_no_database(self):
        self.refusal(b"something else\n" * 400, "not a memory of raddle's", "--no-memo")

    def test_a_damaged_one(self):
        self.raddle("test", "--schedules", 5, "./increments", code=0)
        contents = self.database().read_bytes()
        self.refusal(contents[:len(contents) // 2], "damaged")

    def test_a_newer_one(self):
        self.raddle("test", "--schedules", 5, "./increments", code=0)
        self.query("PRAGMA user_version = 9")
        self.query("PRAGMA wal_checkpoint(TRUNCATE)")
        self.refusal(self.database().read_bytes(), "newer raddle", "version 9")

    def test_a_lock_that_stays(self):
        self.raddle("test", "--schedules", 5, "./increments", code=0)
        connection = sqlite3.connect(self.database(), isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
        result = self.raddle("test", "--schedules", 5, "./increments", code=2)
        self.assert_words(result.err, "memo.db", "another process has kept it locked")
        connection.close()


class Command(MemoTest):
    def setUp(self):
        super().setUp()
        self.place("racing")
        self.place("increments")
        for program, out in (("./racing", "a"), ("./increments", "b"), ("./racing", "b")):
            self.campaign("--schedules", 20, "--races", "report", "--out", out, program, code=0)

    def lines(self, out):
        return self.raddle("memo", "export", "--out", out, code=0).out

    def test_stats(self):
        out = self.raddle("memo", "stats", "--out", "b", code=0).out
        self.assert_words(out, "builds", "shared sites", "campaigns", "runs", "findings", "/racing",
                          "/increments", "all (2)", "data-race")

    def test_export_and_import_give_the_same(self):
        self.raddle("memo", "export", "b.jsonl", "--out", "b", code=0)
        text = (self.dir / "b.jsonl").read_text()
        self.assertEqual(text, self.lines("b"))
        for _ in range(2):
            self.raddle("memo", "import", "b.jsonl", "--out", "copy", code=0)
            self.assertEqual(self.lines("copy"), text)

    def test_merging_is_the_same_both_ways_and_twice(self):
        self.raddle("memo", "merge", "b/memo.db", "--out", "ab", code=0)
        self.raddle("memo", "merge", "a", "--out", "ab", code=0)
        merged = self.lines("ab")
        mine = set(self.lines("a").splitlines())
        theirs = set(self.lines("b").splitlines())
        self.assertEqual(set(merged.splitlines()), mine | theirs)
        for into, other in (("a", "b"), ("b", "a"), ("a", "b"), ("a", "a")):
            self.raddle("memo", "merge", other, "--out", into, code=0)
            self.assertEqual(self.lines(into), merged)

    def test_forget(self):
        self.raddle("memo", "forget", "--program", "./racing", "--out", "b", code=0)
        self.assertNotIn("racing", self.lines("b"))
        self.assertIn("increments", self.lines("b"))
        result = self.raddle("memo", "forget", "--program", "racing", "--out", "b", code=2)
        self.assert_words(result.err, "nothing is remembered of", "/racing")
        self.raddle("memo", "forget", "--all", "--out", "b", code=0)
        self.assertEqual(self.lines("b"), "")

    def test_errors_name_what_is_wrong(self):
        good = self.lines("a").splitlines()[0]
        (self.dir / "bad.jsonl").write_text(good + '\n{"type": "program", "program": 3}\n')
        before = self.lines("a")
        for arguments, words in (
                (["import", "bad.jsonl"], ["bad.jsonl:2", "`program` must be a string"]),
                (["import", "none.jsonl"], ["none.jsonl"]),
                (["import"], ["expected the file to read"]),
                (["merge", "none.db"], ["there is no none.db"]),
                (["merge", "bad.jsonl"], ["bad.jsonl", "not a memory"]),
                (["stat"], ["did you mean", "stats"]),
                (["forget"], ["--program PROG or --all"]),
                (["forget", "--all", "--program", "x"], ["--program PROG or --all"]),
                (["stats", "--all"], ["for forget"]),
                (["stats", "more"], ["expected nothing"]),
                ([], ["memo what?"])):
            result = self.raddle("memo", *arguments, "--out", "a", code=2)
            self.assert_words(result.err, *words)
        self.assert_words(self.raddle("memo", "stats", "--out", "none", code=2).err,
                          "there is no none/memo.db")
        self.assertFalse((self.dir / "none").exists())
        self.assertEqual(self.lines("a"), before)


if __name__ == "__main__":
    unittest.main()
