#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scripts of bench/ on figures that are made up: what stands in a table's cell, which bars are
met, and what becomes of a search's log."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

sys.dont_write_bytecode = True  # the source tree stays as it is
BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench"
sys.path.insert(0, str(BENCH))
import gambit  # noqa: E402
import space  # noqa: E402

HEADER = "schedules,seconds,nodes,bytes,done_bytes,fringe\n"


def found(schedules, seconds):
    return gambit.Outcome(schedules, seconds, 10, "deadlock")


def missed(schedules=100, end="-"):
    return gambit.Outcome(schedules, 5.0, 10, end)


def quietly(judge, *arguments):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        result = judge(*arguments)
    return result, out.getvalue()


class Cells(unittest.TestCase):
    def text(self, *outcomes):
        return gambit.Cell(list(outcomes)).text(lambda outcome: outcome.schedules,
                                                lambda number: f"{number:.0f}",
                                                lambda outcome: outcome.schedules)

    def test_one_exploration(self):
        self.assertEqual(self.text(found(7, 0.1)), "7")
        self.assertEqual(self.text(missed()), "-")
        self.assertEqual(self.text(missed(end="complete")), "none")
        self.assertEqual(self.text(missed(end="n/a")), "n/a")
        self.assertEqual(self.text(missed(end="failed")), "failed")

    def test_seeds_have_mean_least_and_most(self):
        self.assertEqual(self.text(found(2, 0.1), found(10, 0.1)), "6/2/10")
        self.assertEqual(self.text(found(2, 0.1), missed(100)), ">51/2/-")

    def test_what_was_not_found_costs_the_budget(self):
        self.assertAlmostEqual(gambit.Cell([found(2, 1.0), missed(end="complete")]).cost(5), 3.0)


class Bars(unittest.TestCase):
    def table(self, **columns):
        names = {"bf_pb": "bf pb", "bf_mdpor_pb": "bf mdpor,pb"}
        return {names.get(name, name): {"port": gambit.Cell([outcome])}
                for name, outcome in columns.items()}

    def test_best_first_has_to_find_what_any_finds(self):
        table = self.table(bf_pb=found(9, 1), bf_mdpor_pb=missed(), random=found(5, 1))
        met, text = quietly(gambit.judge_best_first, table, ["port"])
        self.assertFalse(met)
        self.assertIn("bf mdpor,pb finds every bug that any strategy finds: 0 of 1, not port",
                      text)
        table = self.table(bf_pb=missed(), bf_mdpor_pb=missed(), random=missed())
        self.assertTrue(quietly(gambit.judge_best_first, table, ["port"])[0])

    def test_auto_is_held_against_the_best_single_strategy(self):
        for seconds, expected in ((1.9, True), (2.1, False)):
            table = self.table(dfs=found(1, 3.0), pos=found(1, 1.0), auto=found(1, seconds))
            met, text = quietly(gambit.judge_auto, table, ["port"], 5)
            self.assertEqual(met, expected, text)
            self.assertIn("(pos)", text)

    def test_strategies_that_are_not_there_do_not_count(self):
        table = self.table(bf_pb=missed(end="n/a"), pos=missed(end="n/a"), auto=found(1, 1))
        met, text = quietly(gambit.judge_auto, table, ["port"], 5)
        self.assertTrue(met)
        self.assertIn("n/a", text)


class Space(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="raddle-bench-")
        self.addCleanup(folder.cleanup)
        self.log = pathlib.Path(folder.name) / "log.csv"

    def plot(self, text):
        self.log.write_text(text)
        picture = self.log.with_suffix(".svg")
        done = subprocess.run([sys.executable, BENCH / "space.py", "--plot", self.log, "--svg",
                               picture], capture_output=True, text=True)
        return done, picture

    def test_a_log_becomes_a_picture(self):
        rows = "".join(f"{i * 1000},{i / 10},{i % 90},{16 * (i % 90)},{i},{i % 50}\n"
                       for i in range(5000))
        done, picture = self.plot(HEADER + rows)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = xml.dom.minidom.parse(str(picture))
        paths = document.getElementsByTagName("path")
        self.assertEqual(len(paths), 4)  # nodes, fringe, tree, sets
        for path in paths:
            points = path.getAttribute("d").split(" ")
            self.assertLess(len(points) // 2, 1.2 * space.POINTS_MAX)
        # The highest number of nodes, 89 of 100 on the axis, is still there.
        heights = [float(word) for word in paths[0].getAttribute("d").split(" ")[1::2]]
        top = space.HEIGHT - space.BOTTOM - 0.89 * (space.HEIGHT - space.TOP - space.BOTTOM)
        self.assertAlmostEqual(min(heights), top, delta=0.1)

    def test_a_bad_log_is_named_with_its_line(self):
        for text, message in (("", "log.csv:1: expected the header"),
                              (HEADER, "no rows after the header"),
                              (HEADER + "1,2,3,4,5,6\n1,2\n", "log.csv:3: expected 6 numbers"),
                              (HEADER + "1,2,3,four,5,6\n", "log.csv:2: expected 6 numbers")):
            done, _ = self.plot(text)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)

    def test_nodes_must_be_small_and_gone_at_the_end(self):
        def log(*rows):
            columns = ("schedules", "seconds", "nodes", "bytes", "done_bytes", "fringe")
            return space.Log("search", [dict(zip(columns, row)) for row in rows])

        self.assertTrue(quietly(space.judge, log((1, 1, 2, 32, 0, 1), (2, 2, 0, 0, 0, 0)), True)[0])
        self.assertTrue(quietly(space.judge, log((1, 1, 2, 32, 0, 1)), False)[0])
        self.assertFalse(quietly(space.judge, log((1, 1, 2, 32, 0, 1)), True)[0])
        self.assertTrue(quietly(space.judge, log((1, 1, 200, 4800, 0, 100)), False)[0])
        self.assertFalse(quietly(space.judge, log((1, 1, 200, 6000, 0, 100)), False)[0])

    def test_ticks_are_round_and_reach_the_top(self):
        self.assertEqual(space.ticks(89), [0, 20, 40, 60, 80, 100])
        self.assertEqual(space.ticks(0), [0, 1])
        for most in (0.003, 0.7, 1, 5, 13, 999, 1234567):
            found = space.ticks(most)
            self.assertGreaterEqual(found[-1], most * (1 - 1e-9))
            self.assertTrue(3 <= len(found) <= 7, found)


if __name__ == "__main__":
    unittest.main()
