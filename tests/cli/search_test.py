# SPDX-License-Identifier: Apache-2.0
"""Systematic searches on compiled programs: their options, what --method and --var point at, and
what is said about a search at its end."""

import json
import unittest

from harness import CliTest, line_of

BUGS = {line_of("focused", name): name for name in ("add", "stack", "queue", "count")}


class Focus(CliTest):
    def found(self, priority, option, names, *more):
        """The bugs in the order in which they were found, and what was said beside them."""
        result = self.raddle("test", "--strategy", "best-first", "--bound", 1, "--keep-going",
                             "--schedules", 2000, "--priority", priority, option, names, *more,
                             "--json", "result.json", self.place("focused"), code=1)
        data = json.loads((self.dir / "result.json").read_text())
        self.assertTrue(data["complete"], data["guarantee"])
        order = sorted(data["findings"], key=lambda finding: finding["schedule_index"])
        self.assertEqual([finding["kind"] for finding in order], ["assertion"] * 4)
        return [BUGS[finding["site"]["line"]] for finding in order], result.err

    def test_functions_by_their_names_and_parts_of_them(self):
        for name, bug in (("Queue::push", "queue"), ("store::Queue::push(int)", "queue"),
                          ("Stack::push", "stack"), ("store::Stack<char>::push", "stack"),
                          ("fill", "stack"), ("count", "count"), ("add", "add")):
            with self.subTest(name=name):
                order, said = self.found("method", "--method", name)
                self.assertEqual(order[0], bug)
                self.assertNotIn(name, said)

    def test_two_functions_come_before_the_others(self):
        order, _ = self.found("method,pb", "--method", "Queue::push(int), add")
        self.assertEqual(set(order[:2]), {"queue", "add"})

    def test_variables_and_members(self):
        for name, bug in (("total", "add"), ("Queue::size", "queue"), ("queue", "queue"),
                          ("store::Stack::depth_", "stack"), ("depth_", "stack"),
                          ("counter::value", "count"), ("struct counter.value", "count")):
            with self.subTest(name=name):
                order, said = self.found("var", "--var", name)
                self.assertEqual(order[0], bug)
                self.assertNotIn(name, said)

    def test_names_that_nothing_has_are_named(self):
        _, said = self.found("method", "--method", "Frob,add")
        self.assert_words(said, "--method Frob: no function of that name was seen")
        self.assertNotIn("add:", said)
        _, said = self.found("method", "--method", "push(long)")
        self.assert_words(said, "--method push(long): no step")
        _, said = self.found("var", "--var", "Queue::frobs,tally")
        self.assert_words(said, "--var Queue::frobs: no variable or member of that name")


class NothingIsLost(CliTest):
    """What the reduced search finds is what trying every interleaving finds."""

    def found(self, strategy, mode):
        data = self.campaign("--strategy", strategy, "--keep-going", "--schedules", 5000,
                             "--out", f"{strategy}-{mode}", self.place("sudden"), mode, code=1)
        self.assertTrue(data["complete"], data["guarantee"])
        return sorted({(f["kind"], f["message"][:30]) for f in data["findings"]})

    def test_where_the_program_ends_while_others_live(self):
        for mode in ("_exit", "_Exit", "quick_exit", "exit"):
            with self.subTest(mode=mode):
                found = self.found("dpor", mode)
                self.assertEqual(len(found), 3)
                self.assertEqual(found, self.found("dfs", mode))

    def test_races_of_runs_that_fail_in_a_known_way(self):
        found = self.found("dpor", "known")
        self.assertEqual([kind for kind, _ in found], ["assertion", "data-race", "data-race"])
        self.assertEqual(found, self.found("dfs", "known"))

    def test_what_goes_on_while_the_program_exits(self):
        # The handler's store and the thread's are in either order.
        data = self.campaign("--strategy", "dpor", self.place("sudden"), "handler", code=0)
        self.assertTrue(data["complete"], data["guarantee"])
        self.assertEqual(data["search"]["runs"], 2)

    def test_a_doubtful_search_is_not_complete(self):
        data = self.campaign("--strategy", "dpor", "--spurious", 1, self.place("enumerated"),
                             "independent", 2, 2, code=0)
        self.assertFalse(data["complete"])
        self.assertIn("spurious", data["guarantee"])


class Summary(CliTest):
    def campaign_of(self, *arguments):
        result = self.raddle("test", *arguments, "--json", "result.json",
                             self.place("enumerated"), "independent", 2, 2, code=0)
        return json.loads((self.dir / "result.json").read_text()), result.out

    def test_of_a_search_of_the_tree(self):
        data, text = self.campaign_of("--strategy", "dpor")
        search = data["search"]
        self.assertTrue(data["complete"])
        self.assertEqual((search["runs"], search["blocked"]), (6, 0))  # of 4 steps, which 2
        self.assertEqual((search["nodes"], search["open"], search["bytes"],
                          search["set_bytes"]), (0, 0, 0, 0))
        self.assertGreater(search["peak_nodes"], 0)
        self.assertGreater(search["peak_bytes"], 0)
        self.assertRegex(text, r"\nsearch: 6 runs, 0 blocked; at most \d+ nodes, \d+ B \(\+ \d+ B")

    def test_of_an_unfinished_one(self):
        data, text = self.campaign_of("--strategy", "random-walk", "--schedules", 20)
        search = data["search"]
        self.assertEqual(search["runs"], 20)
        self.assertGreater(search["open"], 0)
        self.assertGreaterEqual(search["peak_nodes"], search["nodes"])
        self.assertIn("search: 20 runs, 0 blocked; at most ", text)

    def test_others_have_none(self):
        for strategy in ("random", "dfs"):
            data, text = self.campaign_of("--strategy", strategy, "--schedules", 5)
            self.assertNotIn("search", data)
            self.assertNotIn("search:", text)


class Priorities(CliTest):
    def test_all_are_listed_and_each_can_be_used(self):
        listed = self.raddle("list", "priorities", code=0).out
        names = [line.split()[0] for line in listed.splitlines()]
        self.assertLessEqual({"pb", "dpor", "mdpor", "ss", "rand", "method", "var"}, set(names))
        for name in names:
            focus = {"method": ["--method", "main"], "var": ["--var", "balance"]}.get(name, [])
            with self.subTest(priority=name):
                for bound in ([], ["--bound", 1]):
                    self.raddle("test", "--strategy", "best-first", "--priority", name, *focus,
                                *bound, "--schedules", 20, self.place("account"), "fixed", code=0)


if __name__ == "__main__":
    unittest.main()
