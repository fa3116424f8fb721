#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Systematic searches that go on where the last campaign stopped (--resume) and know how far they
are."""

import json
import os
import signal
import struct
import time
import unittest

from harness import CliTest, build

EVENT_BYTES = 32


def runs_in(path):
    """The event streams of a --dump-events file, as a set."""
    data, runs, at = path.read_bytes(), set(), 0
    while at < len(data):
        (count,) = struct.unpack_from("<Q", data, at)
        at += 8
        runs.add(data[at:at + count * EVENT_BYTES])
        at += count * EVENT_BYTES
    return runs


class Resume(CliTest):
    def search(self, *options, strategy="dpor", program=("2",), code=0):
        return self.campaign("--strategy", strategy, *options, "./increments", *program, code=code)

    def refusal(self, *options, strategy="dpor", program=("2",)):
        return self.raddle("test", "--resume", "--strategy", strategy, *options, "./increments",
                           *program, code=2).err

    def kept(self):
        folder = self.dir / ".raddle" / "search"
        return sorted(os.listdir(folder)) if folder.exists() else []

    def setUp(self):
        super().setUp()
        self.place("increments")

    def test_a_search_in_ten_pieces_makes_the_runs_of_one(self):
        whole = self.search("--dump-events", "whole")
        self.assertTrue(whole["complete"])
        self.assertIn("all 90 traces", whole["guarantee"])
        self.assertEqual(self.kept(), [], "there is nothing to go on with")
        made = []
        for piece in range(11):
            data = self.search("--dump-events", "pieces", "--schedules", 9 if piece else 1,
                               *(["--resume"] if piece else []))
            made.append(data["schedules"])
            self.assertEqual(data["complete"], piece == 10, data["guarantee"])
            self.assertEqual(data.get("resumed", False), piece > 0)
            self.assertEqual("state_file" in data, piece < 10)
        self.assertEqual(sum(made), whole["schedules"])
        self.assertEqual(data["guarantee"], whole["guarantee"])
        self.assertEqual(runs_in(self.dir / "pieces"), runs_in(self.dir / "whole"))
        self.assertEqual(self.kept(), [], "it is finished")

    def test_best_first_and_depth_first_searches_go_on_too(self):
        for strategy, options in (("best-first", []), ("dfs", ["--points", "sync"]),
                                  ("preemption-bound", [])):
            long = ["--time", "60s"]  # the usual ten seconds may be too little on a busy machine
            whole = self.search(*options, *long, strategy=strategy, program=["1"])
            self.assertTrue(whole["complete"])
            some = whole["schedules"] // 3 + 1
            made = self.search("--schedules", some, *options, strategy=strategy, program=["1"])
            rest = self.search("--resume", *options, *long, strategy=strategy, program=["1"])
            self.assertTrue(rest["complete"])
            self.assertEqual(made["schedules"] + rest["schedules"], whole["schedules"], strategy)
            self.assertEqual(rest["guarantee"], whole["guarantee"])

    def test_what_is_left_is_estimated(self):
        data = self.search("--schedules", 30)
        self.assertIn("there are more: an estimated", data["guarantee"])
        self.assertIn("% done", data["guarantee"])
        self.assertGreater(data["estimate"]["runs"], 30)
        self.assertTrue(0 < data["estimate"]["done"] < 1)
        self.assertNotIn("estimate", self.search("--resume"))

    def test_the_summary_says_how_to_go_on(self):
        result = self.raddle("test", "--strategy", "dpor", "--schedules", 9, "./increments", code=0)
        self.assert_words(result.out, "not finished", "--resume")

    def test_it_is_refused_where_it_would_mean_nothing(self):
        self.assert_words(self.refusal(), "--resume", "no unfinished search", "dpor")
        self.search("--schedules", 9)
        self.assert_words(self.refusal("--seed", 7, "--points", "all"), "--seed was `1`, now it is "
                          "`7`", "--points was `shared`, now it is `all`")
        self.assert_words(self.refusal(strategy="best-first"), "--strategy dpor")
        self.assert_words(self.refusal(program=["3"]), "no unfinished search")
        self.assert_words(self.refusal(strategy="random"), "the strategy random keeps nothing")
        self.assert_words(self.refusal(strategy="portfolio"), "portfolio keeps nothing")
        (self.dir / "increments").write_bytes(build("increments", "-O2").read_bytes())
        self.assert_words(self.refusal(), "built anew")

    def test_another_input_is_refused(self):
        (self.dir / "input").write_text("1")
        self.search("--stdin", "input", "--schedules", 9)
        (self.dir / "input").write_text("2")
        self.assert_words(self.refusal("--stdin", "input"), "the contents of --stdin have changed")

    def test_what_is_there_is_set_aside_when_a_campaign_begins_anew(self):
        self.search("--schedules", 41)
        [first] = self.kept()
        self.search("--schedules", 9)
        self.assertEqual(self.kept(), [first, first + ".old"])
        folder = self.dir / ".raddle" / "search"
        (folder / (first + ".old")).rename(folder / first)
        data = self.search("--resume", "--schedules", 9)
        self.assertIn("50 traces of", data["guarantee"])
        self.assertEqual(self.kept(), [first], "going on sets nothing aside")

    def test_a_damaged_file_is_refused(self):
        self.search("--schedules", 9)
        file = self.dir / ".raddle" / "search" / self.kept()[0]
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
        self.assert_words(self.refusal(), str(self.kept()[0]))

    def test_an_interrupt_keeps_the_state(self):
        process = self.start("test", "--strategy", "dpor", "--time", "100s", "--json", "r.json",
                             "./increments", "5", self.mark)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assert_words(self.finish(process, 20).out, "interrupted", "--resume")
        self.assertEqual(len(self.kept()), 1)
        data = self.search("--resume", "--schedules", 5, program=("5", self.mark))
        self.assertEqual(data["schedules"], 5)

    def test_a_killed_campaign_loses_no_more_than_itself(self):
        self.search("--schedules", 41, program=("5", self.mark))
        before = self.kept()
        process = self.start("test", "--strategy", "dpor", "--resume", "--time", "100s",
                             "./increments", "5", self.mark)
        time.sleep(0.7)
        process.send_signal(signal.SIGKILL)
        self.finish(process)
        self.assertEqual(self.kept(), before)
        data = self.search("--resume", "--schedules", 10, program=("5", self.mark))
        self.assertIn("51 traces of", data["guarantee"])

    def test_a_search_that_ended_with_a_finding_goes_on_behind_it(self):
        data = self.search(program=("2", "wrong"), code=1)
        self.assertEqual(len(data["findings"]), 1)
        self.assertFalse(data["complete"])
        rest = self.search("--resume", "--keep-going", program=("2", "wrong"))
        self.assertTrue(rest["complete"])


class Log(CliTest):
    def test_a_log_that_cannot_be_written_is_an_error(self):
        self.place("increments")
        result = self.raddle("test", "--strategy", "dpor", "./increments", "2",
                             env={"RADDLE_SEARCH_LOG": "/dev/full"}, code=2)
        self.assert_words(result.err, "RADDLE_SEARCH_LOG: cannot write /dev/full", "No space left")
        self.assert_words(result.out, "all 90 traces")

    def test_what_went_to_disk_is_told(self):
        self.place("increments")
        result = self.raddle("test", "--strategy", "context-bound", "--memory", "16K",
                             "--schedules", 1000, "--json", "r.json", "./increments", "4", code=0)
        size = json.loads((self.dir / "r.json").read_text())["search"]
        self.assertGreater(size["peak_on_disk"], 0)
        self.assertGreater(size["peak_disk_bytes"], 16 * size["peak_on_disk"])
        self.assert_words(result.out, f"on disk {size['peak_on_disk']:,} nodes")

    def test_the_space_over_time_is_logged(self):
        self.place("increments")
        data = self.campaign("--strategy", "best-first", "./increments", "2",
                             env={"RADDLE_SEARCH_LOG": "log.csv"}, code=0)
        lines = (self.dir / "log.csv").read_text().splitlines()
        self.assertEqual(lines[0], "schedules,seconds,nodes,bytes,done_bytes,fringe")
        rows = [line.split(",") for line in lines[1:]]
        self.assertGreater(max(int(row[2]) for row in rows), 1)
        self.assertEqual([int(n) for n in rows[-1][:1] + rows[-1][2:]], [
            data["schedules"] + data["blocked"], 0, 0, 0, 0])
        result = self.raddle("test", "./increments", env={"RADDLE_SEARCH_LOG": "no/where.csv"})
        self.assertEqual(result.code, 2, result)
        self.assert_words(result.err, "RADDLE_SEARCH_LOG", "no/where.csv")


if __name__ == "__main__":
    unittest.main()
