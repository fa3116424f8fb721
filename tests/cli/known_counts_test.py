#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The strategy dpor on compiled programs: it makes exactly one run for each trace (a class of
interleavings that differ in the order of independent steps only). The counts are derived by hand,
and checked by a brute force over a model of the programs, written here independently of raddle.

Dependent are: accesses to one variable of which one writes (a read-modify-write and a
compare-exchange do), and all operations on one lock or semaphore unless both take or give back a
read lock. Creating, ending and joining threads orders but is dependent on nothing, so it is left
out of the counts. The process ends when its threads have come to their ends."""

import unittest

from harness import CliTest

READS = ("load", "read_lock", "read_unlock")


def traces(*threads):
    """(traces, how many of them end in a deadlock) of threads that are lists of (kind, object).
    Enumerates all interleavings, and tells them apart by the order of dependent steps."""

    def enabled(what, held, tokens):
        kind, item = what
        readers = tokens.get(item, 0)
        if kind == "lock":
            return item not in held and (item != "rw" or readers == 0)
        if kind == "read_lock":
            return item not in held
        return kind != "take" or tokens.get(item, 0) > 0

    def dependent(a, b):
        return a[1] == b[1] and not (a[0] in READS and b[0] in READS)

    seen = {}

    def go(pcs, held, tokens, past):
        """`past`: the steps so far as (thread, number)."""
        able = [t for t, pc in enumerate(pcs)
                if pc < len(threads[t]) and enabled(threads[t][pc], held, tokens)]
        if not able:
            stuck = any(pc < len(threads[t]) for t, pc in enumerate(pcs))
            order = frozenset(
                (a, b) for i, a in enumerate(past) for b in past[i + 1:]
                if a[0] != b[0] and dependent(threads[a[0]][a[1]], threads[b[0]][b[1]]))
            seen[(order, frozenset(past))] = stuck
        for t in able:
            kind, item = threads[t][pcs[t]]
            next_held = held | {item} if kind == "lock" else (
                held - {item} if kind == "unlock" else held)
            change = {"post": 1, "take": -1, "read_lock": 1, "read_unlock": -1}.get(kind, 0)
            next_tokens = {**tokens, item: tokens.get(item, 0) + change} if change else tokens
            go(pcs[:t] + (pcs[t] + 1,) + pcs[t + 1:], next_held, next_tokens,
               past + [(t, pcs[t])])

    go(tuple(0 for _ in threads), frozenset(), {}, [])
    return len(seen), sum(seen.values())


def locked(turns):
    return [("lock", "m"), ("rmw", "n"), ("unlock", "m")] * turns


def eat(first, second):
    return [("lock", first), ("lock", second), ("unlock", second), ("unlock", first)]


class Model(unittest.TestCase):
    """The brute force and the hand agree."""

    def test_critical_sections(self):
        # Orders of the sections that keep those of one thread in order: (3K)! / K!^3.
        self.assertEqual(traces(*[locked(1)] * 3), (6, 0))
        self.assertEqual(traces(*[locked(2)] * 3), (90, 0))

    def test_forks(self):
        # Who of its two neighbours has a fork first: 2^3. If all have their first fork first, it is
        # a deadlock. If all have their second fork first, each has eaten before its neighbour
        # takes anything, all the way round: that cannot be.
        self.assertEqual(traces(eat(0, 1), eat(1, 2), eat(2, 0)), (7, 1))
        # Two locks in both orders: 2^2 minus the one that cannot be, in the same way.
        self.assertEqual(traces(eat(0, 1), eat(1, 0)), (3, 1))

    def test_litmus(self):
        # Two pairs of dependent accesses, each in two orders; one of the four combinations is a
        # circle with the order of the threads' own steps.
        wx, wy, rx, ry = ("store", "x"), ("store", "y"), ("load", "x"), ("load", "y")
        self.assertEqual(traces([wx, ry], [wy, rx]), (3, 0))
        self.assertEqual(traces([wx, wy], [ry, rx]), (3, 0))
        self.assertEqual(traces([rx, wy], [ry, wx]), (3, 0))

    def test_accesses(self):
        add, read, write = ("rmw", "x"), ("load", "x"), ("store", "x")
        # Nothing is dependent.
        self.assertEqual(traces(*[[("rmw", n), ("rmw", n)] for n in "abc"]), (1, 0))
        # All of it is: 4! / (2! 2!), and 3!.
        self.assertEqual(traces([add] * 2, [add] * 2), (6, 0))
        self.assertEqual(traces([add], [add], [add]), (6, 0))
        # Each reader is before or after the store; the readers do not matter to each other: 2^3.
        self.assertEqual(traces([read], [read], [read], [write]), (8, 0))
        # Each of two readers is before, between or after two stores: 3^2.
        self.assertEqual(traces([read], [read], [write, write]), (9, 0))
        # Only the second steps are dependent.
        self.assertEqual(traces([("rmw", "a"), add], [("rmw", "b"), add]), (2, 0))
        # r1 w1 and r2 w2 have 6 interleavings; r1 r2 and r2 r1 are the same, before w1 w2 and
        # before w2 w1.
        self.assertEqual(traces([read, write], [read, write]), (4, 0))

    def test_semaphores_and_read_locks(self):
        # 3! orders of two posts and a wait, without the 2! in which the wait would be first.
        self.assertEqual(traces([("post", "s")], [("post", "s")], [("take", "s")]), (4, 0))
        # Readers do not matter to each other.
        reader = [("read_lock", "rw"), ("load", "x"), ("read_unlock", "rw")]
        self.assertEqual(traces(reader, reader), (1, 0))
        # Each of them is before or after the writer, as a whole: 2^2.
        writer = [("lock", "rw"), ("store", "x"), ("unlock", "rw")]
        self.assertEqual(traces(reader, reader, writer), (4, 0))
        self.assertEqual(traces(reader, writer, writer), (6, 0))

    def test_several_accesses_of_one_thread(self):
        # The store comes before, between or after the reads.
        read, write = ("load", "x"), ("store", "x")
        self.assertEqual(traces([read] * 2, [write]), (3, 0))
        self.assertEqual(traces([read] * 4, [write]), (5, 0))


class Compiled(CliTest):
    """dpor makes as many runs as there are traces, and says that these were all."""

    def count(self, *arguments, traces, deadlocks=0, points="sync", learning=0):
        program = self.place("traced")
        data = self.campaign("--strategy", "dpor", "--keep-going", "--schedules", 5000,
                             "--points", points, "--races", "off", program, *arguments,
                             code=1 if deadlocks else 0)
        self.assertEqual(data["schedules"], traces + learning, data)
        self.assertTrue(data["complete"], data)
        self.assertEqual(data["limited"], 0, data)
        kinds = [finding["kind"] for finding in data["findings"]]
        self.assertEqual(kinds, ["deadlock"] * deadlocks)
        return data

    def test_critical_sections(self):
        self.count("locked", 1, traces=6)
        self.count("locked", 2, traces=90)

    def test_critical_sections_with_their_accesses_as_points(self):
        # They are ordered by the lock, so there are no more traces.
        self.count("locked", 1, traces=6, points="shared")
        self.count("locked", 2, traces=90, points="shared")

    def test_philosophers(self):
        self.count("philosophers", traces=7, deadlocks=1)

    def test_locks_in_both_orders(self):
        self.count("crossed", traces=3, deadlocks=1)

    def test_a_lock_that_is_tried(self):
        # Before the other's critical section (with its own), within it (in vain), or after it.
        self.count("trylock", traces=3)

    def test_read_locks(self):
        self.count("read_locks", traces=1)
        self.count("readers_and_writer", traces=4)
        self.count("reader_and_writers", traces=6)

    def racing(self, *arguments, traces, races="report", **options):
        """Racing accesses become points one after the other, so how many runs that takes does not
        matter: what the search made since."""
        data = self.campaign("--strategy", "dpor", "--keep-going", "--schedules", 5000, "--races",
                             races, self.place("traced"), *arguments, **options)
        self.assertEqual(data["search"]["runs"], traces, data)
        self.assertTrue(data["complete"], data)
        return data

    def test_several_racing_accesses_of_one_thread(self):
        for races in ("report", "fail"):
            with self.subTest(races):
                code = 1 if races == "fail" else 0
                self.racing("reads", 2, traces=3, races=races, code=code)
                self.racing("reads", 4, traces=5, races=races, code=code)

    def test_the_end_of_the_process(self):
        # As many as if the threads had been joined, 6! / 2!^3 and 9! / 3!^3: the end is put off.
        self.count("detached", 2, traces=90)
        self.count("detached", 3, traces=1680)
        # Who exits first, of two threads and main.
        self.count("exits", traces=3)

    def test_a_condition_is_handed_over(self):
        # Whose critical section is first decides it all: the waiter's (it waits, and goes on when
        # the other has unlocked) or the other's (it does not wait).
        self.count("condition", traces=2)

    def test_a_semaphore(self):
        self.count("semaphore", traces=4)

    def test_disjoint_atomics(self):
        data = self.count("disjoint", traces=1)
        self.assertEqual(data["blocked"], 0)

    def test_litmus(self):
        for name in ("store_buffer", "message", "load_buffer"):
            with self.subTest(name):
                self.count(name, traces=3)

    def test_read_modify_writes(self):
        self.assertEqual(self.count("adders", traces=6)["blocked"], 0)
        self.assertEqual(self.count("claims", traces=6)["blocked"], 0)

    def test_readers_and_a_writer(self):
        self.count("readers", 1, traces=2)
        self.count("readers", 3, traces=8)
        self.count("two_stores", traces=9)

    def test_only_dependent_steps_matter(self):
        self.count("apart_and_together", traces=2)

    def test_plain_accesses(self):
        # The first run finds out that they race.
        self.count("plain", traces=4, points="shared", learning=1)

    def test_every_access_is_a_point(self):
        # Those of one thread only add nothing.
        for arguments, traces in ((("locked", 2), 90), (("adders",), 6), (("two_stores",), 9),
                                  (("store_buffer",), 3), (("plain",), 4), (("disjoint",), 1)):
            with self.subTest(arguments):
                self.count(*arguments, traces=traces, points="all")

    def test_a_search_that_was_cut_short_is_not_complete(self):
        program = self.place("traced")
        data = self.campaign("--strategy", "dpor", "--schedules", 89, "--points", "sync", program,
                             "locked", 2, code=0)
        self.assertEqual(data["schedules"], 89)
        self.assertFalse(data["complete"])


if __name__ == "__main__":
    unittest.main()
