#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of transcript.py: a documentation test that cannot fail would be worse than none."""

import unittest

import transcript
from transcript import PageError, abridged_like, matches, parse_page, renewed


def page(*lines):
    return "\n".join(lines) + "\n"


class Parsing(unittest.TestCase):
    def test_commands_take_the_lines_after_them_and_the_exit_code(self):
        items = parse_page(page("# T", "```console", "$ a", "one", "two", "$ b \\", "> c", "three",
                                "[exit 3]", "```"))
        first, second = (item.step for item in items)
        self.assertEqual(("a", ["one", "two"], 0), (first.command, first.expected, first.exit_code))
        self.assertEqual(("b \\\nc", ["three"], 3),
                         (second.command, second.expected, second.exit_code))
        self.assertEqual((7, 9), (second.first, second.last))

    def test_other_blocks_are_left_alone(self):
        self.assertEqual([], parse_page(page("```sh", "$ rm -rf /", "```")))

    def test_directives_apply_to_the_next_block(self):
        items = parse_page(page("<!-- setup: cp x . -->", "<!-- save: a.c -->", "", "```c",
                                "int x;", "```", "<!-- excerpt: b.c -->", "```c", "int y;", "```"))
        self.assertEqual([("setup", "cp x .", ""), ("save", "a.c", "int x;\n"),
                          ("excerpt", "b.c", "int y;\n")],
                         [(item.kind, item.argument, item.text) for item in items])

    def test_bad_pages_are_refused(self):
        for text in (page("```console", "$ a"), page("```console", "no command", "```"),
                     page("```console", "```"), page("<!-- save: a.c -->", "text"),
                     page("<!-- save: a.c -->")):
            with self.assertRaises(PageError, msg=text):
                parse_page(text)


class Comparing(unittest.TestCase):
    def test_lines_must_agree(self):
        self.assertTrue(matches(["a", "b"], ["a", "b"]))
        for actual in (["a"], ["a", "c"], ["a", "b", "c"], ["b", "a"], []):
            self.assertFalse(matches(["a", "b"], actual), actual)

    def test_dots_stand_for_any_lines(self):
        self.assertTrue(matches(["a", "...", "b"], ["a", "b"]))
        self.assertTrue(matches(["a", "...", "b"], ["a", "b", "x", "b"]))
        self.assertTrue(matches(["...", "b", "...", "c"], ["b", "x", "b", "c"]))
        self.assertFalse(matches(["a", "...", "b"], ["a", "b", "c"]))
        self.assertFalse(matches(["...", "b", "...", "a"], ["a", "b"]))

    def test_what_varies_is_not_compared_and_the_rest_is(self):
        line = "nothing found in 100 runs, 7 distinct behaviours, {} (seed 1)"
        self.assertTrue(matches([line.format("0.05 s")], [line.format("1 min 12 s")]))
        self.assertFalse(matches([line.format("0.05 s")], [line.format("0.05 steps")]))
        self.assertFalse(matches(["7 steps"], ["8 steps"]))
        self.assertTrue(matches(["raddle: 10 runs, 1,024/s"], ["raddle: 10 runs, 99/s"]))
        self.assertTrue(matches(["site bank+0x1a42"], ["site bank+0x77"]))

    def test_progress_is_no_output(self):
        self.assertEqual(["raddle: note: x"], transcript.without_progress(
            ["raddle: 473 runs, 94/s, 1 behaviours, 5 s left", "raddle: note: x"]))

    def test_the_exit_code_counts(self):
        step = transcript.Step("a", 1, 2, 3, ["out"], 1)
        self.assertEqual([], transcript.difference(step, ["out"], 1))
        self.assertIn("+[exit 0]", transcript.difference(step, ["out"], 0))
        self.assertIn("+other", transcript.difference(step, ["other"], 1))


class Renewing(unittest.TestCase):
    def test_an_output_that_still_fits_is_kept_word_for_word(self):
        step = transcript.Step("a", 1, 2, 3, ["took 1 s", "..."], 0)
        self.assertEqual(["took 1 s", "...", "[exit 2]"], renewed(step, ["took 9 s", "x"], 2))

    def test_only_what_changed_is_rewritten(self):
        step = transcript.Step("a", 1, 2, 3, ["old", "took 1 s"], 0)
        self.assertEqual(["new", "took 1 s"], renewed(step, ["new", "took 9 s"], 0))

    def test_the_middle_stays_left_out(self):
        self.assertEqual(["A", "...", "Y", "Z"],
                         abridged_like(["a", "...", "y", "z"], ["A", "B", "C", "Y", "Z"]))
        self.assertEqual(["A", "..."], abridged_like(["a", "..."], ["A", "B"]))
        self.assertEqual(["A", "B"], abridged_like(["a", "...", "b"], ["A", "B"]))

    def test_a_renewed_page_passes(self):
        for old in (["a", "...", "z"], ["a"], []):
            actual = ["b", "c", "took 3 s", "d"]
            step = transcript.Step("x", 1, 2, 3, old, 0)
            step.expected = renewed(step, actual, 0)
            self.assertEqual([], transcript.difference(step, actual, 0))


if __name__ == "__main__":
    unittest.main()
