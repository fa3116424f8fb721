# SPDX-License-Identifier: Apache-2.0
"""What a finding says: each kind, with its places, threads and stacks."""

import unittest

from harness import CliTest, line_of


class Verdicts(CliTest):
    def find(self, mode, kind, *options):
        """The only finding of a campaign; it must replay, and show must print it."""
        data = self.campaign("--schedules", 500, *options, self.place("verdicts"), mode, code=1)
        self.assertEqual([f["kind"] for f in data["findings"]], [kind])
        again = self.raddle("replay", 1, code=1)
        self.assert_words(again.out, kind)
        self.shown = self.raddle("show", 1, code=0).out
        self.assert_words(self.shown, kind)
        return data["findings"][0]

    def place_of(self, where):
        return f"verdicts.cpp:{line_of('verdicts', where)}"

    def lines(self, thread):
        return {frame["line"] for frame in thread["stack"]
                if frame["file"].endswith("verdicts.cpp")}

    def test_deadlock_names_the_cycle_and_who_holds_what_where(self):
        finding = self.find("abba", "deadlock")
        text = finding["message"] + self.shown
        self.assert_words(text, "T1", "T2", "first", "second",
                          *map(self.place_of, ("forwards-holds", "forwards-wants",
                                               "backwards-holds", "backwards-wants")))
        one, two = (finding["threads"][i] for i in (1, 2))
        self.assertIn(line_of("verdicts", "forwards-wants"), self.lines(one))
        self.assertIn(line_of("verdicts", "backwards-wants"), self.lines(two))
        self.assertEqual([frame["function"] for frame in one["stack"]
                          if frame["file"].endswith("verdicts.cpp")], ["forwards"])
        self.assertTrue(one["in_cycle"] and two["in_cycle"])
        self.assertFalse(finding["threads"][0]["in_cycle"])
        # The message alone says what it is about.
        self.assert_words(finding["message"], "T1", "T2", "waits", "held")

    def test_self_deadlock_names_where_the_lock_was_taken(self):
        finding = self.find("self", "deadlock")
        self.assert_words(finding["message"], "T1", "self-deadlock")
        self.assert_words(finding["message"] + self.shown, "first", self.place_of("relock-holds"),
                          self.place_of("relock-wants"))

    def test_crash_names_the_address_and_the_line(self):
        finding = self.find("null", "crash")
        self.assert_words(finding["message"], "null", "0x0")
        self.assertEqual(finding["site"]["line"], line_of("verdicts", "null"))
        self.assertEqual(finding["site"]["function"], "store_null")

    def test_stack_overflow_is_not_a_mere_crash(self):
        finding = self.find("overflow", "stack-overflow")
        self.assert_words(finding["message"] + finding["site"]["function"], "stack", "dig")
        self.assertIn(line_of("verdicts", "dig"), self.lines(finding["threads"][1]))

    def test_exception_has_its_type_and_words(self):
        finding = self.find("throw", "exception")
        self.assert_words(finding["message"], "std::runtime_error", "the ledger is torn")
        self.assertEqual(finding["site"]["function"], "throw_one")

    def test_stacks_have_inlined_frames(self):
        finding = self.find("inline", "assertion")
        functions = [(frame["function"], frame["line"]) for frame in finding["threads"][1]["stack"]
                     if frame["file"].endswith("verdicts.cpp")]
        self.assertEqual(functions[:2], [("demand", line_of("verdicts", "inlined")),
                                         ("audit", line_of("verdicts", "caller"))])
        self.assertIn("audit_wrongly", [name for name, _ in functions])
        self.assertEqual(finding["site"]["line"], line_of("verdicts", "inlined"))
        self.assert_words(self.shown, "demand", "audit", self.place_of("inlined"))
        # The other threads are there too, each with a state.
        self.assertIn(line_of("verdicts", "join"), self.lines(finding["threads"][0]))
        self.assertTrue(all(thread["state"] for thread in finding["threads"]))

    def test_abort_is_an_assertion(self):
        finding = self.find("abort", "assertion")
        self.assert_words(finding["message"], "abort")

    def test_exit_code_says_both_codes(self):
        finding = self.find("exit", "exit-code")
        self.assert_words(finding["message"], "7", "0")
        # main returns: no other function may be blamed.
        self.assertIn(finding["site"]["function"], ("main", ""))

    def test_livelock_shows_its_cycle(self):
        finding = self.find("livelock", "livelock", "--max-steps", 20000)
        text = finding["message"] + self.shown
        self.assert_words(text, "T1", "T2", "wants", self.place_of("polite"))
        self.assertRegex(finding["message"], r"(?i)cycle|times|again|repeat|same")

    def test_threads_of_scoped_lock_may_keep_in_step(self):
        for level in ("-O0", "-O2"):
            program = self.place("scoped_locks", level)
            data = self.campaign("--strategy", "round-robin", "--schedules", 2, "--max-steps",
                                 20000, program, code=0)
            self.assertGreater(data["limited"], 0, "the threads fell out of step")
            self.assertEqual(data["findings"], [])

    def test_time_passes_for_a_sleeper_while_others_work(self):
        data = self.campaign("--strategy", "random", "--schedules", 3,
                             self.place("works_until_slept"), code=0)
        self.assertEqual((data["limited"], data["schedules"]), (0, 3))

    def test_a_hang_is_named_with_its_line(self):
        finding = self.find("hang", "hang", "--run-timeout", "0.3")
        self.assertEqual(finding["site"]["line"], line_of("verdicts", "hang"))

    def test_a_hang_that_blocks_signals_has_stacks_too(self):
        finding = self.find("deaf", "hang", "--run-timeout", "0.3")
        self.assertIn(line_of("verdicts", "deaf"), self.lines(finding["threads"][1]))

    def test_threads_have_their_names(self):
        finding = self.find("abba", "deadlock")
        self.assertEqual([thread["name"] for thread in finding["threads"]],
                         ["main", "forward", ""])
        self.assert_words(self.shown, "T1 forward")


class Output(CliTest):
    def test_that_waits_in_a_buffer_before_main_is_each_runs_own(self):
        program = self.place("early_output")
        check = 'echo "early late" | cmp -s - "$RADDLE_STDOUT"'
        self.campaign("--schedules", 10, "--check", check, program, code=0)
        self.campaign("--schedules", 10, "--check", "! (" + check + ")", program, code=1)

    def test_of_the_failing_run_is_kept_and_that_of_others_is_not(self):
        data = self.campaign("--check", "grep -q 'winner 1' \"$RADDLE_STDOUT\"",
                             self.place("surroundings"), "winner", code=1)
        self.assertGreater(data["schedules"], 1)
        folder = self.dir / ".raddle/findings/1"
        self.assertEqual((folder / "stdout.txt").read_text(), "winner 2\n")
        self.raddle("test", self.place("account"), code=1)
        folder = self.dir / ".raddle/findings/2"
        self.assertIn("balance >= 0", (folder / "stderr.txt").read_text())


if __name__ == "__main__":
    unittest.main()
