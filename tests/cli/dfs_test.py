#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The strategy dfs on compiled programs: the number of interleavings is the one that a brute force
over a model of the program gives, written here independently of raddle."""

import functools
import json
import pathlib
import subprocess
import unittest

from harness import RADDLE, CliTest

FAIL = pathlib.Path(__file__).resolve().parent.parent / "programs" / "fail"


def interleavings(*threads):
    """How many interleavings threads have that are lists of operations, the first one from the
    beginning, the others when some operation (create, N) has been carried out. Each ends, or waits
    for ever. A condition variable's wait is two steps; a signal for several waiters chooses one."""

    def can_run(state, t):
        pcs, alive, owner, tokens, waiting = state
        if t not in alive or pcs[t] == len(threads[t]):
            return False
        what = threads[t][pcs[t]]
        if what[0] == "join":
            return what[1] in alive and pcs[what[1]] == len(threads[what[1]])
        if what[0] in ("lock", "wake"):
            return owner is None and t not in waiting
        return what[0] != "take" or tokens > 0

    def results(state, t):
        """The states after a step of the thread: more than one if a value is chosen."""
        pcs, alive, owner, tokens, waiting = state
        what = threads[t][pcs[t]]
        pcs = pcs[:t] + (pcs[t] + 1,) + pcs[t + 1:]
        kind = what[0]
        if kind == "create":
            alive = alive | {what[1]}
        elif kind in ("lock", "wake"):
            owner = t
        elif kind in ("unlock", "wait"):
            owner = None
            waiting = waiting | {t} if kind == "wait" else waiting
        elif kind == "post":
            tokens += 1
        elif kind == "take":
            tokens -= 1
        elif kind == "signal" and waiting:
            return [(pcs, alive, owner, tokens, waiting - {chosen}) for chosen in waiting]
        return [(pcs, alive, owner, tokens, waiting)]

    @functools.lru_cache(maxsize=None)
    def count(state):
        able = [t for t in range(len(threads)) if can_run(state, t)]
        return sum(count(after) for t in able for after in results(state, t)) if able else 1

    return count((tuple(0 for _ in threads), frozenset([0]), None, 0, frozenset()))


START, STEP, LOCK, UNLOCK = ("start",), ("step",), ("lock",), ("unlock",)


def with_main(*bodies):
    """The bodies as threads of a main that creates them all and joins them in order."""
    numbers = range(1, len(bodies) + 1)
    main = [("create", n) for n in numbers] + [("join", n) for n in numbers]
    return [main, *([START, *body] for body in bodies)]


class Enumeration(CliTest):
    def enumerate(self, *arguments, options=(), code=0):
        program = self.place("enumerated")
        return self.campaign("--strategy", "dfs", "--schedules", 5000, *options, program,
                             *arguments, code=code)

    def assert_all(self, data, expected, learning=0):
        """All `expected` interleavings were run, after some runs that only learned sites."""
        self.assertEqual(data["schedules"], expected + learning, data)
        self.assertTrue(data["complete"])
        self.assertIn(f"all {expected:,} interleavings of", data["guarantee"])
        self.assertEqual(data["findings"], [])

    def test_the_model_agrees_with_counts_derived_by_hand(self):
        self.assertEqual(interleavings([STEP] * 3), 1)
        both = [("create", 1), ("create", 2)]
        # After main: two threads of two steps each. Before that the first may already run: orders
        # of create, b1, b2 (in this order) and a1, a2.
        self.assertEqual(interleavings(both, [STEP] * 2, [STEP] * 2), 10)
        self.assertEqual(interleavings(both, [LOCK, UNLOCK], [LOCK, UNLOCK]), 4)

    def test_independent_steps_of_two_and_three_threads(self):
        for lengths, expected in (((1, 1), 19), ((2, 2), 69), ((1, 3), 55), ((1, 1, 1), 1121)):
            self.assertEqual(
                interleavings(*with_main(*([STEP] * length for length in lengths))), expected)
            self.assert_all(self.enumerate("independent", *lengths), expected)

    def test_critical_sections(self):
        body = [STEP, LOCK, UNLOCK]
        expected = interleavings(*with_main(body, body))
        self.assert_all(self.enumerate("locked", options=["--points", "sync"]), expected)

    def test_shared_accesses_are_points_once_they_are_known(self):
        body = [STEP, LOCK, STEP, STEP, UNLOCK]
        self.assert_all(self.enumerate("locked"), interleavings(*with_main(body, body)), 1)

    def test_the_waiter_that_a_signal_wakes_is_chosen(self):
        waiter = [LOCK, ("post",), ("wait",), ("wake",), UNLOCK]
        main, *threads = with_main(waiter, waiter)
        main[2:2] = [("take",), ("take",), LOCK, ("signal",), ("signal",), UNLOCK]
        expected = interleavings(main, *threads)
        self.assert_all(self.enumerate("signalled", options=["--points", "sync"]), expected)

    def test_fewer_runs_than_there_are_promise_nothing(self):
        data = self.enumerate("independent", 2, 2, options=["--schedules", 68])
        self.assertEqual(data["schedules"], 68)
        self.assertFalse(data["complete"])
        self.assertIn("68 interleavings of", data["guarantee"])
        self.assertIn("there are more", data["guarantee"])

    def test_spin_loops_are_finite_and_the_promise_names_fairness(self):
        data = self.enumerate("spinning")
        self.assertTrue(data["complete"])
        self.assertIn("does not give way", data["guarantee"])

    def test_the_step_limit_makes_it_incomplete(self):
        data = self.enumerate("independent", 2, 2, options=["--max-steps", 7])
        self.assertFalse(data["complete"])
        self.assertEqual(data["schedules"], 0)
        self.assertIn(f"{data['limited']} of them up to a limit only", data["guarantee"])

    def test_a_site_that_shows_late_begins_the_enumeration_anew(self):
        data = self.enumerate("surprised", options=["--races", "off"])
        self.assertTrue(data["complete"])
        self.assertIn("begun anew", data["guarantee"])

    def test_two_campaigns_make_the_same_runs(self):
        dumps = []
        for name in ("one", "two"):
            self.enumerate("independent", 2, 1, options=["--dump-events", name])
            dumps.append((self.dir / name).read_bytes())
        self.assertTrue(dumps[0])
        self.assertEqual(*dumps)

    def test_a_finding_of_dfs_replays(self):
        data = self.enumerate("racing", options=["--races", "off"], code=1)
        self.assertEqual(data["findings"][0]["kind"], "exit-code")
        self.assertFalse(data["complete"])
        self.assertIn("it happened again", self.raddle("replay", 1, code=1).out)


class Bugs(CliTest):
    def test_it_finds_the_bugs_of_small_programs(self):
        for name, kind in (("lost_update.cpp", "assertion"), ("abba_mutex.cpp", "deadlock"),
                           ("atomic_load_store.c", "assertion"), ("if_not_while.c", "assertion")):
            program = self.dir / name.partition(".")[0]
            compiler = "cc" if name.endswith(".c") else "c++"
            subprocess.run([RADDLE, compiler, "-g", "-O1", "-pthread", FAIL / name, "-o", program],
                           check=True)
            result = self.raddle("test", "--strategy", "dfs", "--schedules", 2000, "--json", "-",
                                 "--races", "off", program, code=1)
            kinds = [finding["kind"] for finding in json.loads(result.out)["findings"]]
            self.assertEqual(kinds, [kind], name)


if __name__ == "__main__":
    unittest.main()
