# SPDX-License-Identifier: Apache-2.0
"""moodycamel's ConcurrentQueue 1.0.3, Debian's libconcurrentqueue-dev. The version in Debian 12 has
a bug: the consumer that empties a block of an implicit producer counts with a release only, so what
other consumers have read of the block is not ordered before its reuse. raddle reports that race;
with an acquire, as in later versions, the queue is clean."""

import pathlib
import re
import unittest

from project import ProjectTest, compile_program, functions

HEADER = pathlib.Path("/usr/include/concurrentqueue/concurrentqueue.h")
COUNTING = "elementsCompletelyDequeued.fetch_add(1, std::memory_order_release)"


class ConcurrentQueue(ProjectTest):
    def test_waiting_consumers_are_clean(self):
        program = compile_program("concurrentqueue_blocking", self.dir / "blocking")
        self.assert_clean(self.campaign("--schedules", 1000, program), 1000)

    def test_reuse_of_an_implicit_producers_block_races(self):
        program = compile_program("concurrentqueue_tokens", self.dir / "tokens")
        result = self.campaign("--schedules", 500, program, code=1)
        self.assert_found(result, "data-race")
        readers = []
        for finding in result["findings"]:
            writer, reader = sorted(functions(finding), key=lambda names: "dequeue" in names[0])
            self.assertRegex(writer[0], r"enqueue")
            # Who counts last may not have seen the last item come, either: then the producer that
            # gets the block races with the one that had it.
            self.assertRegex(reader[0], r"ImplicitProducer::dequeue|enqueue")
            readers.append(reader[0])
        self.assertRegex(" ".join(readers), r"ImplicitProducer::dequeue")

    def test_with_an_acquire_there_it_is_clean(self):
        text = HEADER.read_text()
        self.assertIn(COUNTING, text, "another version: look again at what it does")
        fixed = self.dir / "concurrentqueue"
        fixed.mkdir()
        (fixed / HEADER.name).write_text(
            text.replace(COUNTING, re.sub("release", "acq_rel", COUNTING)))
        program = compile_program("concurrentqueue_tokens", self.dir / "fixed",
                                  include=[self.dir])
        self.assert_clean(self.campaign("--schedules", 1000, program), 1000)


if __name__ == "__main__":
    unittest.main()
