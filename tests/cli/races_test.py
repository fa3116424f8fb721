# SPDX-License-Identifier: Apache-2.0
"""What is said of data races: the values of both sides, where they are known, and --races."""

import unittest

from harness import CliTest


class Races(CliTest):
    def states(self, shape, *options):
        """What the threads of the first race did, the writer's first."""
        data = self.campaign("--strategy", "nonpreemptive", *options, self.place("racing"), shape,
                             code=1)
        race = next(f for f in data["findings"] if f["kind"] == "data-race")
        return [thread["state"] for thread in race["threads"]]

    def test_both_sides_show_what_they_found_or_left(self):
        self.assertEqual(self.states("number"),
                         ["wrote `number` before, leaving 7", "reads `number` = 7"])

    def test_of_a_part_of_what_was_written_the_value_is_not_known(self):
        self.assertEqual(self.states("array"),
                         ["wrote `array[0]` before", "reads `array[0]` = 1"])

    def test_the_last_of_two_writes_is_named_with_its_value(self):
        self.assertEqual(self.states("twice"),
                         ["wrote `number` before, leaving 2", "reads `number` = 2"])

    def test_where_accesses_are_only_checked_the_earlier_value_is_not_known(self):
        self.assertEqual(self.states("twice", "--points", "sync"),
                         ["wrote `number` before", "reads `number` = 2"])

    def test_they_can_be_reported_without_failing_or_not_be_looked_for(self):
        program = self.place("racing")
        data = self.campaign("--schedules", 20, "--races", "report", program, code=0)
        self.assertEqual({finding["kind"] for finding in data["findings"]}, {"data-race"})
        data = self.campaign("--schedules", 20, "--races", "off", program, code=0)
        self.assertEqual(data["findings"], [])


if __name__ == "__main__":
    unittest.main()
