#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The conformance scripts themselves, without sources from Debian: what the directives of tests
mean, what a campaign amounts to, and that the list of deviations is checked both ways."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # the source tree stays as it is
import campaign
import deviations
import glibc
import libstdcxx
import suite


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="raddle-conformance-")
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)

    def write(self, name, text):
        (self.dir / name).write_text(text)
        return self.dir / name


class Directives(Folder):
    def read(self, *directives):
        text = "".join(f"// {{ {one} }}\n" for one in directives)
        return libstdcxx.read_test(self.dir, self.write("t.cc", text))

    def test_only_tests_that_run(self):
        self.assertIsNone(self.read('dg-do compile { target c++11 }'))
        self.assertEqual(self.read("dg-do run").name, "t.cc")

    def test_options_and_libraries(self):
        test = self.read("dg-do run", 'dg-options "-std=gnu++2a -O0"', "dg-add-options libatomic",
                         'dg-additional-options "-pthread" { target pthread }',
                         'dg-additional-options "-march=i486" { target ia32 }')
        self.assertIn("-O0", test.command)
        self.assertIn("-std=gnu++2a", test.command)
        self.assertNotIn("-march=i486", test.command)
        self.assertEqual(test.command[-1], "-latomic")

    def test_standards(self):
        for target, wanted in (("c++11", 17), ("c++20", 20), ("c++23", 23),
                               ("{ c++11_only || c++14_only }", 14)):
            test = self.read(f"dg-do run {{ target {target} }}")
            self.assertIn(f"-std=gnu++{wanted}", test.command)
            self.assertEqual(test.left_out, "")

    def test_other_targets_are_left_out(self):
        self.assertTrue(self.read("dg-do run { target arm*-*-* }").left_out)
        self.assertFalse(self.read("dg-do run { target *-*-linux* *-*-gnu* }").left_out)


class Expectations(Folder):
    def test_of_the_test_that_is_included(self):
        self.write("tst-a.c", "#define EXPECTED_STATUS 9\n")
        source = self.write("tst-ax.c", '#include "tst-a.c"\n')
        test = suite.Test("tst-ax")
        glibc.expectation(test, glibc.whole_text(source))
        self.assertEqual(test.exit_code, 9)


class Verdicts(unittest.TestCase):
    def verdict(self, *findings, code=1, test=suite.Test("t"), **result):
        found = [{"kind": kind, "message": message} for kind, message in findings]
        return campaign.verdict(test, code, "last line", {"findings": found, "schedules": 3,
                                                          "limited": 0, **result})[0]

    def test_kinds_are_sorted_and_warnings_do_not_count(self):
        self.assertEqual(self.verdict(("hang", ""), ("data-race", ""), ("leaked-thread", "")),
                         "data-race hang")
        self.assertEqual(self.verdict(("leaked-thread", ""), code=0), campaign.CLEAN)

    def test_what_is_not_clean_without_findings(self):
        self.assertEqual(self.verdict(code=3), campaign.REFUSED)
        self.assertEqual(self.verdict(code=None), "limit")
        self.assertEqual(self.verdict(code=70), "error")
        self.assertEqual(self.verdict(code=0, limited=1), "limit")
        self.assertEqual(self.verdict(code=0, schedules=0), "limit")

    def test_the_signal_that_a_test_is_killed_by(self):
        test = suite.Test("t", signal="SIGUSR1")
        self.assertEqual(self.verdict(("crash", "SIGUSR1 in f"), test=test), campaign.CLEAN)
        self.assertEqual(self.verdict(("crash", "SIGSEGV in f"), test=test), "crash")
        self.assertEqual(self.verdict(code=0, test=test), "no-signal")


ROW = "limit: slow\n a | hang\n"


class Deviations(Folder):
    def complaints(self, text, *results, everything=True):
        rows = deviations.read(self.write("list.txt", text))
        found = [{"test": test, "verdict": verdict, "detail": ""} for test, verdict in results]
        return deviations.complaints(found, rows, {"a", "b"}, everything)

    def test_agreement(self):
        self.assertEqual(self.complaints("# why\n" + ROW, ("a", "hang"),
                                         ("b", "clean")), [])

    def test_both_ways(self):
        for text, results in (("", [("a", "hang")]), (ROW, [("a", "clean")]),
                              (ROW, [("a", "crash")]), (ROW, []),
                              (ROW.replace("a |", "c |"), [])):
            self.assertEqual(len(self.complaints(text, *results)), 1, text)
        self.assertEqual(self.complaints(ROW, everything=False), [])

    def test_rows_that_are_none(self):
        for text in (" a | hang\n", "whim: slow\n a | hang\n", "limit:\n a | hang\n",
                     "limit: slow\n a\n", ROW + " a | hang\n"):
            with self.assertRaises(SystemExit):
                self.complaints(text)

    def test_the_lists(self):
        for name in ("glibc", "libstdcxx"):
            deviations.read(suite.HERE / f"{name}.txt")


if __name__ == "__main__":
    unittest.main()
