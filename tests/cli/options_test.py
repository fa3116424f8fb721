# SPDX-License-Identifier: Apache-2.0
"""The options of `raddle test` that shape runs and the campaign."""

import shlex
import subprocess
import time
import unittest

from harness import RADDLE, CliTest, environment, line_of


class Input(CliTest):
    def sum_of(self, numbers, env=None):
        (self.dir / "numbers").write_text(numbers)
        return self.campaign("--stdin", "numbers", "--schedules", 40, self.place("surroundings"),
                             "sum", 15, env=env)

    def test_every_run_reads_the_file_from_its_start(self):
        data = self.sum_of("1 2 3 4 5\n")
        self.assertEqual((data["schedules"], data["findings"]), (40, []))

    def test_every_fresh_process_reads_it_from_its_start_too(self):
        data = self.sum_of("1 2 3 4 5\n", {"RADDLE_EXECUTOR": "exec"})
        self.assertEqual((data["schedules"], data["findings"]), (40, []))

    def test_the_contents_matter(self):
        data = self.sum_of("1 2 3\n")
        self.assertEqual([f["kind"] for f in data["findings"]], ["exit-code"])
        self.raddle("replay", 1, code=1)
        (self.dir / "numbers").write_text("7 8\n")
        self.raddle("replay", 1, code=0)

    def test_a_missing_file_is_bad_input(self):
        result = self.raddle("test", "--stdin", "no-such", self.place("account"), code=2)
        self.assert_words(result.err, "no-such", "No such file")

    def test_without_it_standard_input_is_empty(self):
        data = self.campaign("--schedules", 5, self.place("surroundings"), "sum", 0, code=0)
        self.assertEqual(data["schedules"], 5)


class Before(CliTest):
    def test_it_runs_before_each_run(self):
        data = self.campaign("--before", "echo x >> log", "--schedules", 7, self.place("account"),
                             "fixed", code=0)
        lines = (self.dir / "log").read_text().splitlines()
        # The first plan runs twice, to look for nondeterminism.
        self.assertEqual(len(lines), data["schedules"] + 1)

    def test_it_can_reset_what_runs_leave_behind(self):
        data = self.campaign("--before", "rm -f counter", "--schedules", 5,
                             self.place("surroundings"), "counter-file", code=0)
        self.assertNotIn("nondeterminism", data)

    def test_a_failing_command_ends_the_campaign_with_2(self):
        result = self.raddle("test", "--before", "echo no database >&2; exit 3",
                             self.place("account"), code=2)
        self.assert_words(result.err, "--before", "no database", "3")
        self.assertEqual(self.findings(), [])


class Check(CliTest):
    def test_its_exit_code_judges_the_output_of_each_run(self):
        data = self.campaign("--check", "grep -q 'winner 1' \"$RADDLE_STDOUT\"", "--schedules", 200,
                             self.place("surroundings"), "winner", code=1)
        self.assertEqual([f["kind"] for f in data["findings"]], ["check"])
        kept = self.dir / ".raddle/findings/1/stdout.txt"
        self.assertEqual(kept.read_text(), "winner 2\n")
        self.raddle("replay", 1, code=1)

    def test_what_it_says_is_in_the_message(self):
        data = self.campaign("--check", "echo the wrong one won; exit 4", self.place("account"),
                             "fixed", code=1)
        self.assert_words(data["findings"][0]["message"], "the wrong one won", "4")

    def test_a_contented_judge_finds_nothing(self):
        data = self.campaign("--check", "grep -q '^winner [12]$' \"$RADDLE_STDOUT\"",
                             "--schedules", 20, self.place("surroundings"), "winner", code=0)
        self.assertEqual(data["schedules"], 20)


class Exit(CliTest):
    def test_another_code_than_0_is_a_finding(self):
        data = self.campaign(self.place("surroundings"), "exit", 7, code=1)
        self.assertEqual(data["findings"][0]["kind"], "exit-code")
        self.assert_words(data["findings"][0]["message"], "7", "0")

    def test_the_expected_one_is_none(self):
        self.campaign("--expect-exit", 7, "--schedules", 5, self.place("surroundings"), "exit", 7,
                      code=0)

    def test_and_then_0_is_a_finding_that_replays(self):
        data = self.campaign("--expect-exit", 7, self.place("surroundings"), "exit", 0, code=1)
        self.assertEqual(data["findings"][0]["kind"], "exit-code")
        self.raddle("replay", 1, code=1)


class OddNames(CliTest):
    def test_arguments_reach_the_program_as_they_are(self):
        words = ["a b", "", "#x", "q\"uo\\te", "new\nline", "$HOME", "'"]
        data = self.campaign(self.place("account"), *words, code=1)
        self.assertEqual(data["program"], ["./account", *words])
        (self.dir / "elsewhere").mkdir()
        schedule = self.dir / ".raddle/findings/1/schedule.raddle"
        self.raddle("replay", schedule, cwd=self.dir / "elsewhere", code=1)

    def test_the_printed_command_replays_wherever_findings_are_kept(self):
        result = self.raddle("test", "--out", "it's here", self.place("account"), code=1)
        command = next(line.split(":", 1)[1] for line in result.out.splitlines()
                       if "replay it:" in line)
        words = shlex.split(command)
        self.assertEqual(words[0], "raddle")
        self.raddle(*words[1:], code=1)

    def test_closed_standard_streams_do_no_harm(self):
        self.place("account")
        done = subprocess.run(["sh", "-c", '"$RADDLE" test --quiet ./account <&- >&- 2>&-'],
                              cwd=self.dir, env=environment(RADDLE=RADDLE), timeout=30)
        self.assertEqual(done.returncode, 1)
        self.raddle("replay", 1, code=1)

    def test_campaigns_side_by_side_share_a_directory(self):
        program = self.place("account")
        for process in [self.start("test", program) for _ in range(4)]:
            self.assertEqual(self.finish(process).code, 1)
        self.assertEqual(self.findings(), ["1", "2", "3", "4"])
        self.assertEqual(len(self.raddle("list", "findings", code=0).out.splitlines()), 4)


class Budget(CliTest):
    def test_schedules_bounds_the_runs(self):
        for count in (1, 3):
            data = self.campaign("--strategy", "random", "--schedules", count,
                                 self.place("account"), "fixed", code=0)
            self.assertEqual(data["schedules"], count)

    def test_time_bounds_the_campaign(self):
        begin = time.monotonic()
        data = self.campaign("--strategy", "random", "--time", "700ms", self.place("account"),
                             "fixed", code=0)
        self.assertGreaterEqual(data["seconds"], 0.7)
        self.assertLess(data["seconds"], 5)
        self.assertLess(time.monotonic() - begin, 10)
        self.assertGreater(data["schedules"], 10)

    def test_the_same_seed_gives_the_same_findings(self):
        def campaign(seed):
            data = self.campaign("--strategy", "random", "--seed", seed, self.place("account"))
            return [(f["kind"], f["schedule_index"], f["preemptions"]) for f in data["findings"]]
        results = {seed: campaign(seed) for seed in range(3, 11)}
        self.assertEqual(results, {seed: campaign(seed) for seed in results})
        self.assertGreater(len(set(map(str, results.values()))), 1, "the seed has no effect")

    def test_the_default_seed_is_fixed_and_printed(self):
        outputs = [self.raddle("test", "--out", out, self.place("account"), code=1).out
                   for out in ("a", "b")]
        self.assertRegex(outputs[0], r"seed \d+")
        index = [output[output.index("in run "):].split(":")[0] for output in outputs]
        self.assertEqual(index[0], index[1])

    def test_it_stops_at_the_first_finding(self):
        data = self.campaign(self.place("surroundings"), "both", code=1)
        self.assertEqual(data["schedules"], 1)

    def test_keep_going_finds_the_others_and_each_once(self):
        data = self.campaign("--keep-going", "--schedules", 300, self.place("surroundings"), "both",
                             code=1)
        self.assertEqual(sorted(f["kind"] for f in data["findings"]), ["assertion", "exit-code"])
        self.assertEqual([f["id"] for f in data["findings"]], [1, 2])
        self.assertEqual(self.findings(), ["1", "2"])
        self.assertTrue(data["complete"], "after the first 200 runs there is little left to see")
        self.assertGreater(data["schedules"], 200)
        for number in (1, 2):
            self.raddle("replay", number, code=1)


class Environment(CliTest):
    def kinds(self, *arguments):
        data = self.campaign(*arguments)
        return {f["kind"] for f in data["findings"]}

    def test_a_spurious_wake_up_happens_only_if_allowed(self):
        program = self.place("surroundings")
        self.assertEqual(self.kinds("--schedules", 500, program, "spurious"), set())
        self.assertEqual(self.kinds("--schedules", 500, "--spurious", 1, program, "spurious"),
                         {"assertion"})
        self.raddle("replay", 1, code=1)

    def test_timers_fire_early_only_if_allowed(self):
        program = self.place("surroundings")
        self.assertEqual(self.kinds("--schedules", 300, program, "sleep"), set())
        self.assertEqual(self.kinds("--schedules", 300, "--timers", "any", program, "sleep"),
                         {"assertion"})
        self.raddle("replay", 1, code=1)

    def test_plain_accesses_are_points_unless_only_synchronisation_is(self):
        program = self.place("surroundings")
        for points, expected in (("sync", False), ("shared", True), ("all", True)):
            with self.subTest(points=points):
                found = self.kinds("--keep-going", "--schedules", 300, "--points", points, program,
                                   "plain")
                self.assertEqual("assertion" in found, expected, found)

    def test_a_sleep_costs_no_real_time(self):
        data = self.campaign("--schedules", 20, self.place("surroundings"), "sleep", code=0)
        self.assertLess(data["seconds"], 10)  # 20 s of virtual time

    def test_a_run_beyond_max_steps_is_limited_and_no_finding(self):
        result = self.raddle("test", "--schedules", 3, "--max-steps", 500,
                             self.place("surroundings"), "endless", code=0)
        self.assert_words(result.out, "3 runs", "--max-steps")

    def test_a_run_beyond_its_real_time_is_a_hang_with_all_stacks(self):
        data = self.campaign("--run-timeout", "0.5", self.place("verdicts"), "hang", code=1)
        finding = data["findings"][0]
        self.assertEqual(finding["kind"], "hang")
        lines = [{frame["line"] for frame in thread["stack"]
                  if frame["file"].endswith("verdicts.cpp")} for thread in finding["threads"]]
        for thread, where in enumerate(("join", "behind", "hang")):
            self.assertIn(line_of("verdicts", where), lines[thread], where)
        self.raddle("replay", "--run-timeout", "0.5", 1, code=1)


if __name__ == "__main__":
    unittest.main()
