# SPDX-License-Identifier: Apache-2.0
"""Schedules that earlier versions of raddle have recorded still show their findings."""

import re
import subprocess
import unittest

from harness import HERE, RADDLE, CliTest

REPLAYS = HERE.parent / "replays"
SOURCES = [REPLAYS / "programs", HERE.parent / "programs" / "fail"]


def source_of(name):
    return next(path for folder in SOURCES for path in sorted(folder.glob(f"{name}.c*")))


class OlderSchedules(CliTest):
    def build(self, name):
        source = source_of(name)
        compiler = ["cc"] if source.suffix == ".c" else ["c++", "-std=c++20"]
        command = [RADDLE, *compiler, "-g", "-O1", "-pthread", source, "-o", self.dir / name]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_show_their_findings(self):
        schedules = sorted(REPLAYS.glob("*.raddle"))
        self.assertGreaterEqual(len(schedules), 20)
        for schedule in schedules:
            with self.subTest(schedule.stem):
                self.build(schedule.stem)
                kind = re.search(r"^kind (\S+)$", schedule.read_text(), re.MULTILINE)[1]
                result = self.raddle("replay", schedule, "--", f"./{schedule.stem}", code=1)
                self.assertRegex(result.out, rf"(?m)^it happened again: {kind}: ")


if __name__ == "__main__":
    unittest.main()
