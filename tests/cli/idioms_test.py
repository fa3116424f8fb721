#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interleaving idioms of real programs, whose sets are known by hand: what runs have shown, and
what was predicted. The programs are in programs/idioms.cpp; each access is a function."""

import json
import re
import unittest

from harness import CliTest

# Of locks that nothing else depends on: [unlock > lock], and both ways.
MUTEX = {"Um>Lm2", "Um2>Lm"}


class Idioms(CliTest):
    def roots(self, mode, code=0):
        """What was covered and what was only predicted: sets of texts, by the idiom's number."""
        self.place("idioms")
        self.campaign("--strategy", "random", "--schedules", 150, "--races", "report",
                      "--keep-going", "./idioms", mode, code=code)
        exported = self.raddle("memo", "export", code=0).out
        records = [json.loads(line) for line in exported.splitlines()]
        shown = {record["hash"]: record["first_run"] > 0 for record in records
                 if record["type"] == "coverage"}
        covered = {idiom: set() for idiom in range(1, 7)}
        predicted = {idiom: set() for idiom in range(1, 7)}
        for record in records:
            if record["type"] != "property" or not record["criterion"].startswith("idiom"):
                continue
            idiom = int(record["criterion"][-1])
            names = re.findall(r"::(\w+)\(int\)\+", record["accesses"])
            self.assertEqual(len(names), {1: 2, 2: 3}.get(idiom, 4), record)
            text = ">".join(names) if idiom < 3 else "{}>{} {}>{}".format(*names)
            (covered if shown[record["hash"]] else predicted)[idiom].add(text)
        return covered, predicted

    def assert_roots(self, mode, **expected):
        """Exactly these are covered, and all that was predicted is."""
        covered, predicted = self.roots(mode)
        for idiom in range(1, 7):
            self.assertEqual(covered[idiom], expected.get(f"idiom{idiom}", set()), idiom)
            self.assertEqual(predicted[idiom], set(), idiom)

    def test_two_orders(self):
        self.assert_roots("order", idiom1={"Wx>Rx", "Rx>Wx"})

    def test_one_order(self):
        self.assert_roots("signalled", idiom1={"Wx>Rx"})

    def test_one_between(self):
        self.assert_roots("one_between", idiom1={"Wx>Rx", "Wx>Rx2", "Rx>Wx", "Rx2>Wx"},
                          idiom2={"Rx>Wx>Rx2"})

    def test_two_between(self):
        self.assert_roots(
            "two_between",
            idiom1={f"{a}>{b}" for r in ("Rx", "Rx2") for w in ("Wx", "Wx2")
                    for a, b in ((r, w), (w, r))},
            idiom2={"Rx>Wx>Rx2", "Rx>Wx2>Rx2", "Wx>Rx>Wx2", "Wx>Rx2>Wx2"},
            idiom3={"Rx>Wx Wx2>Rx2", "Wx>Rx Rx2>Wx2"})

    def test_a_lock_keeps_them_out(self):
        # The last write is what the first read gets, the last read comes before the first write.
        self.assert_roots("locked", idiom1=MUTEX | {"Wx2>Rx", "Rx2>Wx"})

    def test_two_variables(self):
        self.assert_roots("two_variables", idiom1={"Wx>Rx", "Rx>Wx", "Wy>Ry", "Ry>Wy"},
                          idiom4={"Wx>Rx Wy>Ry", "Rx>Wx Ry>Wy"},
                          idiom6={"Wx>Rx Ry>Wy", "Rx>Wx Wy>Ry"})

    def test_crossing(self):
        covered, predicted = self.roots("crossing")
        self.assertEqual(covered[1], {"Wx>Rx", "Rx>Wx", "Wy>Ry", "Ry>Wy"})
        # Which of the two comes first depends on where the compiler puts them.
        self.assertEqual(len(covered[5]), 1)
        self.assertLessEqual(covered[5], {"Wx>Rx Wy>Ry", "Wy>Ry Wx>Rx"})
        for idiom in (2, 3, 4, 6):
            self.assertEqual(covered[idiom], set())
        for idiom in range(1, 7):
            self.assertEqual(predicted[idiom], set())

    def test_a_deadlock_is_an_idiom_five(self):
        covered, predicted = self.roots("deadlock", code=1)
        self.assertEqual(len(covered[5]), 1)
        self.assertLessEqual(covered[5], {"Lm>Lm2 Ln2>Ln", "Ln2>Ln Lm>Lm2"})
        self.assertEqual(predicted[5], set())

    def test_no_deadlock_where_the_order_is_the_same(self):
        covered, predicted = self.roots("same_order")
        self.assertEqual(covered[1], MUTEX | {"Un>Ln2", "Un2>Ln"})
        self.assertEqual(covered[5] | predicted[5], set())


if __name__ == "__main__":
    unittest.main()
