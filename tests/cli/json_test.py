# SPDX-License-Identifier: Apache-2.0
"""Exit codes and the machine-readable result of `raddle test`."""

import json
import unittest

from harness import CliTest, line_of

LOOK = line_of("account", "look")
ASSERTION = line_of("account", "assertion")


class ExitCodes(CliTest):
    def test_nothing_found_is_0(self):
        self.raddle("test", "--schedules", 50, self.place("account"), "fixed", code=0)
        self.assertEqual(self.findings(), [])

    def test_a_finding_is_1_and_can_be_replayed_and_shown(self):
        result = self.raddle("test", self.place("account"), code=1)
        self.assert_words(result.out, "assertion", f"account.cpp:{ASSERTION}", "raddle replay 1")
        self.raddle("replay", 1, code=1)
        shown = self.raddle("show", 1, code=0)
        self.assert_words(shown.out, "balance", f"account.cpp:{LOOK}", "assert")

    def test_a_program_that_cannot_be_controlled_is_3(self):
        result = self.raddle("test", self.place("before_main"), code=3)
        self.assert_words(result.err, "before_main", "main", "5")


class Schema(CliTest):
    def test_of_a_campaign_with_a_finding(self):
        data = self.campaign("--seed", 5, self.place("account"), "an argument", code=1)
        self.assertEqual(data["program"], ["./account", "an argument"])
        self.assertEqual(data["strategy"], "auto")
        self.assertEqual(data["seed"], 5)
        self.assertFalse(data["complete"])
        self.assertEqual(len(data["findings"]), 1)
        finding = data["findings"][0]
        self.assertEqual(finding["id"], 1)
        self.assertEqual(finding["kind"], "assertion")
        self.assertEqual(finding["directory"], ".raddle/findings/1")
        # It stops at the finding, so the run that showed it is the last one.
        self.assertEqual(finding["schedule_index"], data["schedules"] + data["limited"])
        self.assertGreaterEqual(finding["preemptions"], 1)
        self.assertTrue(finding["site"]["file"].endswith("account.cpp"))
        site = finding["site"]
        self.assertEqual((site["line"], site["function"]), (ASSERTION, "main"))
        main = finding["threads"][0]
        self.assertEqual((main["id"], main["name"]), (0, "main"))
        self.assertIn("main", [frame["function"] for frame in main["stack"]])

    def test_of_a_clean_campaign(self):
        data = self.campaign("--strategy", "random", "--schedules", 20, self.place("account"),
                             "fixed", code=0)
        self.assertEqual(data["strategy"], "random")
        self.assertEqual((data["schedules"], data["limited"], data["blocked"]), (20, 0, 0))
        self.assertEqual(data["findings"], [])
        self.assertGreater(data["steps"], 20 * 5)
        self.assertGreater(data["seconds"], 0)

    def test_schedules_counts_complete_runs_and_limited_the_others(self):
        data = self.campaign("--strategy", "random", "--schedules", 5, "--max-steps", 400,
                             self.place("surroundings"), "endless", code=0)
        self.assertEqual((data["schedules"], data["limited"]), (0, 5))
        self.assertEqual(data["findings"], [])

    def test_the_finding_of_the_directory_is_that_of_the_result(self):
        data = self.campaign(self.place("account"), code=1)
        kept = json.loads((self.dir / ".raddle/findings/1/finding.json").read_text())
        for key, value in data["findings"][0].items():
            self.assertEqual(kept[key], value, key)


class Destinations(CliTest):
    def test_standard_output_holds_json_only(self):
        result = self.raddle("test", "--json", "-", self.place("account"), code=1)
        json.loads(result.out)
        self.assert_words(result.err, "assertion", "replay")

    def test_standard_output_holds_json_only_though_the_program_prints(self):
        result = self.raddle("test", "--json", "-", "--schedules", 5, self.place("surroundings"),
                             "winner", code=0)
        json.loads(result.out)

    def test_a_file_appears_and_the_summary_stays_on_standard_output(self):
        result = self.raddle("test", "--json", "result.json", self.place("account"), code=1)
        self.assertIn("assertion", result.out)
        data = json.loads((self.dir / "result.json").read_text())
        self.assertEqual(data["schema"], 1)
        names = sorted(path.name for path in self.dir.iterdir())
        self.assertEqual(names, [".raddle", "account", "account.cpp", "result.json"])

    def test_an_older_file_is_replaced(self):
        (self.dir / "result.json").write_text("x" * 100000)
        self.raddle("test", "--json", "result.json", "--schedules", 2, self.place("account"),
                    "fixed", code=0)
        json.loads((self.dir / "result.json").read_text())

    def test_an_older_file_survives_bad_usage(self):
        (self.dir / "result.json").write_text("older")
        self.raddle("test", "--json", "result.json", "./missing", code=2)
        self.raddle("test", "--json", "result.json", self.place("before_main"), code=3)
        self.assertEqual((self.dir / "result.json").read_text(), "older")

    def refused(self, destination, *words):
        result = self.raddle("test", "--json", destination, "--before", "touch ran",
                             self.place("account"), code=2)
        self.assert_words(result.err, "--json", *words)
        self.assertFalse((self.dir / "ran").exists(), "a run was made before the error")
        self.assertEqual(self.findings(), [])

    def test_a_file_in_a_missing_directory_is_refused_before_any_run(self):
        self.refused("missing/result.json", "directory", "missing")

    def test_a_directory_is_refused_before_any_run(self):
        (self.dir / "folder").mkdir()
        self.refused("folder", "folder", "directory")

    def test_a_directory_in_which_no_file_can_be_made_is_refused_before_any_run(self):
        self.refused("/proc/result.json", "/proc/result.json")  # permissions would not stop root

    def test_an_out_directory_that_is_a_file_is_refused(self):
        (self.dir / "taken").write_text("")
        result = self.raddle("test", "--out", "taken", self.place("account"), code=2)
        self.assert_words(result.err, "--out", "taken", "not a directory")

    def test_an_out_directory_that_cannot_be_made_is_refused_before_any_run(self):
        result = self.raddle("test", "--out", "/proc/findings", "--before", "touch ran",
                             self.place("account"), code=2)
        self.assert_words(result.err, "/proc/findings")
        self.assertFalse((self.dir / "ran").exists(), "a run was made before the error")

    def test_quiet_prints_a_line_for_each_finding(self):
        result = self.raddle("test", "--quiet", self.place("account"), code=1)
        self.assertEqual(len(result.out.splitlines()), 1, result)
        self.assert_words(result.out, "assertion", ".raddle/findings/1")
        result = self.raddle("test", "--quiet", "--schedules", 3, "./account", "fixed", code=0)
        self.assertEqual(result.out + result.err, "")


if __name__ == "__main__":
    unittest.main()
