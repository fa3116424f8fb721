#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Several runs at a time (--jobs): the runs of a search are the same, whoever makes them."""

import signal
import time
import unittest

from harness import CliTest


class Jobs(CliTest):
    def setUp(self):
        super().setUp()
        self.place("increments")

    def test_each_trace_is_run_once(self):
        alone = self.campaign("--strategy", "dpor", "./increments", "2", code=0)
        for strategy in ("dpor", "best-first"):
            for jobs in (2, 5):
                data = self.campaign("--jobs", jobs, "--strategy", strategy, "./increments", "2",
                                     code=0)
                self.assertTrue(data["complete"])
                self.assertIn("all 90 traces of", data["guarantee"])
                self.assertEqual(data["guarantee"], alone["guarantee"])
                self.assertEqual(data["schedules"], alone["schedules"])
                self.assertEqual(data["behaviours"], 90)

    def test_each_interleaving_is_run_once(self):
        options = ["--strategy", "random-walk", "--points", "sync", "./increments", "1"]
        alone = self.campaign(*options, code=0)
        data = self.campaign("--jobs", 3, *options, code=0)
        self.assertTrue(data["complete"])
        self.assertEqual(data["schedules"], alone["schedules"])
        self.assertEqual(data["guarantee"], alone["guarantee"])

    def test_a_limit_is_a_limit_for_all(self):
        for strategy in ("dpor", "random", "auto"):
            data = self.campaign("--jobs", 3, "--schedules", 50, "--strategy", strategy,
                                 "./increments", "3", code=0)
            self.assertEqual(data["schedules"] + data["blocked"], 50)

    def test_findings_are_found_repeated_and_kept(self):
        for strategy in ("dpor", "best-first", "random"):
            data = self.campaign("--jobs", 3, "--strategy", strategy, "./increments", "1", "wrong",
                                 code=1)
            self.assertEqual([f["kind"] for f in data["findings"]], ["assertion"])
            self.assertNotIn("nondeterminism", data)
            finding = data["findings"][0]["id"]
            self.assert_words(self.raddle("replay", finding, code=1).out, "it happened again")

    def test_a_search_goes_on_with_another_number_of_jobs(self):
        made = self.campaign("--jobs", 3, "--schedules", 40, "--strategy", "dpor", "./increments",
                             "2", code=0)
        rest = self.campaign("--resume", "--strategy", "dpor", "./increments", "2", code=0)
        self.assertIn("all 90 traces", rest["guarantee"])
        self.assertEqual(made["schedules"] + rest["schedules"], 90)

    def test_an_interrupt_ends_all(self):
        process = self.start("test", "--jobs", 3, "--strategy", "dpor", "--time", "100s",
                             "./increments", "5", self.mark)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        self.assert_words(self.finish(process, 20).out, "interrupted")
        self.assert_no_process_left()

    def test_what_cannot_be_done_at_a_time_is_refused(self):
        for options, words in ((["--jobs", 0], ["--jobs", "0"]),
                               (["--jobs", 2, "--strategy", "dfs"], ["--jobs", "dfs"]),
                               (["--jobs", 2, "--before", "true"], ["--jobs", "--before"])):
            self.assert_words(self.raddle("test", *options, "./increments", code=2).err, *words)


if __name__ == "__main__":
    unittest.main()
