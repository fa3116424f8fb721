# SPDX-License-Identifier: Apache-2.0
"""Which accesses to shared data are events: what others can depend on, in its order, however much a
thread does to its own data in between."""

import re
import struct
import subprocess
import unittest

from harness import HERE, CliTest

KINDS = re.findall(r"^  X\((\w+),", (HERE.parent.parent / "src/wire/op.h").read_text(), re.M)
EVENT = struct.Struct("<IIQIIHBBHBB")
REMEMBERED = 8
GLOBAL = 1  # Region::global


class SharedAccesses(CliTest):
    def events(self, shape, *flags, code=0):
        """Of the first run, those of `data`: thread, R or W, in brackets if it was published
        later."""
        program = self.place("phases", *flags)
        symbols = subprocess.run(["nm", self.dir / program], capture_output=True, text=True).stdout
        offset = int(re.search(r"^(\w+) b _ZL4(?:data|both)$", symbols, re.M)[1], 16)
        dump = self.dir / "events"
        dump.unlink(missing_ok=True)
        self.result = self.campaign("--strategy", "nonpreemptive", "--schedules", 1,
                                    "--dump-events", dump, program, shape, code=code)
        raw = dump.read_bytes()
        count = struct.unpack_from("<Q", raw)[0]
        words = []
        for i in range(count):
            region, where, _, _, _, thread, kind, flags, *_ = EVENT.unpack_from(raw, 8 + 32 * i)
            name = KINDS[kind]
            if not name.startswith("plain_") or region >> 28 != GLOBAL or where != offset:
                continue
            word = f"T{thread}{'W' if name == 'plain_write' else 'R'}"
            words.append(f"({word})" if flags & REMEMBERED else word)
        return " ".join(words)

    def test_what_was_done_before_comes_in_its_order(self):
        self.assertEqual(self.events("read-write"), "(T1R) (T1W) T2R")
        self.assertEqual(self.events("write-read"), "(T1W) (T1R) T2W")

    def test_every_reader_is_shown_to_a_writer(self):
        for flags in [], ["-DNEIGHBOURS"]:
            with self.subTest(flags):
                self.assertEqual(sorted(self.events("readers", *flags).replace("(", "")
                                        .replace(")", "").split()), ["T1R", "T2R", "T3W"])

    def test_so_is_what_a_thread_itself_did_before_it_meets_others(self):
        self.assertEqual(self.events("own"), "(T1W) T2R (T2R) T2W")

    def test_so_is_what_a_new_thread_did_to_what_its_creator_goes_on_with(self):
        for shape, events in ("set-again", "(T0W) (T1R) T0W"), ("get-again", "(T0R) (T1W) T0R"):
            with self.subTest(shape):
                self.assertEqual(self.events(shape, code=1), events)
                races = [f["message"] for f in self.result["findings"]]
                self.assertTrue(any("`data`" in message for message in races), races)

    def test_of_what_nobody_else_sees_the_last_is_enough(self):
        self.assertEqual(self.events("loops"), "(T1W) (T1R) T2W (T2W) (T2R) T3R")


class Overlaps(CliTest):
    """Repeated accesses are looked at again when somebody may have come; checking without
    publishing (--points sync) says what is to be found."""

    SHAPES = ("halves-of-a-child locked-halves a-part-in-between an-atomic-in-between "
              "after-an-atomic beside-an-atomic beside-a-handler beside-a-copy").split()

    def test_races_are_the_same_whether_accesses_are_published_or_only_checked(self):
        program = self.place("overlaps")
        for shape in self.SHAPES:
            with self.subTest(shape):
                run = ["--strategy", "nonpreemptive", "--schedules", 1, "--out", shape]
                for points in "shared", "sync":
                    data = self.campaign(*run, "--points", points, program, shape, code=1)
                    self.assertIn("data-race", {f["kind"] for f in data["findings"]}, points)
                # With call stacks recorded, the same events come.
                result = self.raddle("replay", "--out", shape, 1, code=1)
                self.assertNotIn("recorded ones", result.err)


if __name__ == "__main__":
    unittest.main()
