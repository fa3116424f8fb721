# SPDX-License-Identifier: Apache-2.0
"""`raddle replay`: exact from the schedule alone, and honest when the program has changed."""

import re
import shutil
import unittest

from harness import CliTest

REPLAYS = 20


class Exact(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.campaign(self.place("account"), code=1)
        self.schedule = self.dir / ".raddle/findings/1/schedule.raddle"

    def events(self, reference, **options):
        dump = self.dir / "events"
        dump.unlink(missing_ok=True)
        result = self.raddle("replay", reference, "--dump-events", dump, code=1, **options)
        return result, dump.read_bytes()

    def test_by_number_directory_and_file(self):
        for reference in ("1", ".raddle/findings/1", ".raddle/findings/1/", self.schedule):
            with self.subTest(reference=reference):
                result = self.raddle("replay", reference, code=1)
                self.assert_words(result.out, "assertion", "happened again")
                self.assertNotIn("warning", result.err)

    def test_of_a_copied_schedule_alone_twenty_times(self):
        elsewhere = self.dir / "elsewhere"
        elsewhere.mkdir()
        shutil.copy(self.schedule, elsewhere / "copy")
        shutil.rmtree(self.dir / ".raddle")
        first, expected = self.events("copy", cwd=elsewhere)
        self.assertGreater(len(expected), 100)
        for _ in range(REPLAYS - 1):
            result, events = self.events("copy", cwd=elsewhere)
            self.assertEqual(result.out, first.out)
            self.assertTrue(events == expected, "the events differ")

    def test_with_another_out_directory(self):
        shutil.move(self.dir / ".raddle", self.dir / "kept")
        self.raddle("replay", "--out", "kept", 1, code=1)
        result = self.raddle("replay", 1, code=2)
        self.assert_words(result.err, "1", ".raddle")

    def test_repeats_the_whole_campaign(self):
        """Options that shape a run are in the schedule, none has to be repeated."""
        program = self.place("surroundings")
        (self.dir / "numbers").write_text("1 2\n")
        self.raddle("test", "--out", "other", "--stdin", "numbers", "--before", "touch prepared",
                    "--expect-exit", 0, program, "sum", 15, code=1)
        (self.dir / "prepared").unlink()
        result = self.raddle("replay", "--out", "other", 1, code=1)
        self.assert_words(result.out, "exit-code", "sum 3")
        self.assertTrue((self.dir / "prepared").exists())

    def test_with_the_program_named(self):
        result = self.raddle("replay", 1, "--", "./account", code=1)
        self.assertNotIn("warning", result.err)

    def test_of_a_missing_finding_lists_those_there_are(self):
        result = self.raddle("replay", 7, code=2)
        self.assert_words(result.err, "7", "there are 1")
        result = self.raddle("replay", "no/such/file", code=2)
        self.assert_words(result.err, "no/such/file", "schedule")
        self.assert_words(self.raddle("replay", code=2).err, "which finding")
        self.assert_words(self.raddle("show", 7, code=2).err, "7", "there are 1")


class Changed(CliTest):
    def setUp(self):
        super().setUp()
        self.campaign(self.place("account"), code=1)
        self.schedule = self.dir / ".raddle/findings/1/schedule.raddle"
        self.text = self.schedule.read_text()

    def edited(self, pattern, replacement, code, count=1):
        text, replaced = re.subn(pattern, replacement, self.text, count=count, flags=re.M)
        self.assertGreater(replaced, 0, self.text)
        (self.dir / "edited").write_text(text)
        result = self.raddle("replay", "edited", code=code)
        # Errors name the line in question.
        self.changed_line = next((i for i, (a, b) in enumerate(
            zip(self.text.splitlines(), text.splitlines()), 1) if a != b), None)
        return result

    def test_another_operation_is_a_divergence_with_step_expected_and_happened(self):
        result = self.edited(r"@(\d+) atomic-rmw", r"@\1 unlock", 4)
        step = re.search(r"@(\d+) atomic-rmw", self.text).group(1)
        self.assert_words(result.err, f"step {step}", "expected", "unlock", "atomic-rmw")

    def test_a_thread_that_cannot_run_is_a_divergence(self):
        first = re.search(r"^T\d+  @(\d+)", self.text, flags=re.M).group(1)
        result = self.edited(r"^T\d+(?=  @)", "T7", 4)
        self.assert_words(result.err, f"step {first}", "expected T7")

    def test_another_step_is_a_divergence(self):
        result = self.edited(r"@(\d+) atomic-load", r"@900\1 atomic-load", 4)
        self.assert_words(result.err, "step", "atomic-load", "900")

    def test_a_schedule_of_open_choices_is_followed(self):
        head = self.text[:self.text.index("choices\n")]
        head = "".join(line for line in head.splitlines(True)
                       if not line.startswith(("steps", "events-hash")))
        (self.dir / "by-hand").write_text(
            head + "choices\nT0  @- - x9\nT1  @- - x99\nT2  @- - x99\nend\n")
        result = self.raddle("replay", "by-hand")
        self.assertIn(result.code, (0, 4), result)
        (self.dir / "by-hand").write_text(
            head + "choices\n" + re.sub(r"@\d+ [a-z-]+/\d+", "@- -",
                                        self.text.split("choices\n")[1]))
        self.raddle("replay", "by-hand", code=1)

    def test_a_rebuilt_equivalent_program_warns_and_works(self):
        self.place("account", "-Wl,--build-id=0x0123456789abcdef")
        result = self.raddle("replay", 1, code=1)
        self.assert_words(result.err, "warning", "account", "rebuilt")

    def test_a_fixed_program_is_0_or_4(self):
        result = self.raddle("replay", 1, "--", "./account", "fixed")
        self.assertIn(result.code, (0, 4), result)
        self.assertTrue(result.out + result.err)

    def test_another_program_is_bad_input(self):
        self.place("surroundings")
        result = self.raddle("replay", 1, "--", "./surroundings", code=2)
        self.assert_words(result.err, "another program", "account", "surroundings")

    def test_a_program_that_is_gone_is_bad_input(self):
        (self.dir / "account").unlink()
        result = self.raddle("replay", 1, code=2)
        self.assert_words(result.err, "account")

    def test_rubbish_is_refused_with_file_and_line(self):
        result = self.edited(r"^points shared", "points everywhere", 2)
        self.assert_words(result.err, f"edited:{self.changed_line}", "everywhere", "sync")
        result = self.edited(r"@(\d+) atomic-load", r"@\1 atomic-lode", 2)
        self.assert_words(result.err, f"edited:{self.changed_line}", "atomic-lode")
        result = self.edited(r"^seed .*", "sead 1", 2)
        self.assert_words(result.err, f"edited:{self.changed_line}", "sead")

    def test_a_truncated_file_is_refused(self):
        for size in (len(self.text) - 4, len(self.text) // 2, 30):
            with self.subTest(size=size):
                (self.dir / "cut").write_text(self.text[:size])
                result = self.raddle("replay", "cut", code=2)
                self.assertRegex(result.err, r"cut:\d+")

    def test_a_newer_format_is_refused_by_name(self):
        result = self.edited(r"^raddle-schedule 1$", "raddle-schedule 2", 2)
        self.assert_words(result.err, "edited", "schedule format 2", "newer")

    def test_other_files_are_refused(self):
        (self.dir / "binary").write_bytes(bytes(range(256)) * 10)
        (self.dir / "empty").write_text("")
        for name in ("binary", "empty"):
            with self.subTest(name=name):
                result = self.raddle("replay", name, code=2)
                self.assert_words(result.err, name, "schedule")


if __name__ == "__main__":
    unittest.main()
