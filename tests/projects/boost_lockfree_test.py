# SPDX-License-Identifier: Apache-2.0
"""Boost.Lockfree 1.74, Debian's libboost-dev. The ring for one producer and one consumer is clean.
queue and stack read nodes that another thread may be recycling, and throw the result away if it
did: by the letter these are data races, and raddle reports them, all inside the library, and
nothing else. Two consumers on the ring are found."""

import unittest

from project import ProjectTest, compile_program, functions


class BoostLockfree(ProjectTest):
    def test_the_ring_is_clean(self):
        program = compile_program("lockfree_spsc", self.dir / "spsc")
        self.assert_clean(self.campaign("--schedules", 1000, program), 1000)

    def test_two_consumers_on_the_ring_are_found(self):
        program = compile_program("lockfree_spsc_two_consumers", self.dir / "two")
        result = self.campaign("--schedules", 200, program, code=1)
        self.assert_found(result, "assertion")

    def test_queue_and_stack_race_inside_the_library_only(self):
        program = compile_program("lockfree_queue", self.dir / "queue")
        result = self.campaign("--schedules", 500, program, code=1)
        self.assert_found(result, "data-race")
        for finding in result["findings"]:
            for names in functions(finding):
                self.assertRegex(" ".join(names), r"boost::lockfree|tagged_ptr|freelist")

    def test_with_those_suppressed_queue_and_stack_are_clean(self):
        program = compile_program("lockfree_queue", self.dir / "queue")
        known = self.dir / "known.txt"
        known.write_text("race:boost::lockfree\n")
        result = self.campaign("--schedules", 500, "--suppressions", known, program)
        self.assert_clean(result, 500)


if __name__ == "__main__":
    unittest.main()
