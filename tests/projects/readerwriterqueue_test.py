# SPDX-License-Identifier: Apache-2.0
"""moodycamel's ReaderWriterQueue, Debian's libreaderwriterqueue-dev: correct use is clean, two
producers are found."""

import unittest

from project import ProjectTest, compile_program


class ReaderWriterQueue(ProjectTest):
    def test_one_producer_and_one_consumer_are_clean(self):
        program = compile_program("readerwriterqueue_spsc", self.dir / "spsc")
        self.assert_clean(self.campaign("--schedules", 1000, program), 1000)

    def test_waiting_for_elements_and_for_room_is_clean(self):
        program = compile_program("readerwriterqueue_blocking", self.dir / "blocking")
        self.assert_clean(self.campaign("--schedules", 1000, program), 1000)

    def test_two_producers_lose_elements_and_race(self):
        program = compile_program("readerwriterqueue_two_producers", self.dir / "two")
        result = self.campaign("--schedules", 200, program, code=1)
        self.assert_found(result, "assertion", "data-race")
        messages = " ".join(finding["message"] for finding in result["findings"])
        self.assertIn("count == 2 * kEach", messages)


if __name__ == "__main__":
    unittest.main()
