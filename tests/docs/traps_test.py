# SPDX-License-Identifier: Apache-2.0
"""Every row of docs/traps.md names tests, and every test it names exists and is one that is run."""

import pathlib
import re
import sys
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUN = re.compile(r"tests/programs/(fail|pass)/\w+\.(c|cpp)|tests/(cli|check)/\w+_test\.py|"
                 r"tests/cc/\w+_test\.sh|tests/run_programs\.py|src/\w+/\w+_test\.cc|"
                 r"tests/light/\w+_test\.cc|tests/oracle/(compare|proofs)\.py|"
                 r"tests/resident/programs/\w+\.cpp")


def rows():
    for line in (ROOT / "docs/traps.md").read_text().splitlines():
        if line.startswith("| ") and not line.startswith("| trap "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


class Traps(unittest.TestCase):
    def test_every_trap_has_a_test(self):
        self.assertGreater(len(list(rows())), 30)
        for trap, _, tests in rows():
            named = re.findall(r"`([^`]+)`", tests)
            self.assertTrue(named, trap)
            for name in named:
                self.assertRegex(name, RUN, trap)
                self.assertTrue((ROOT / name).is_file(), f"{trap}: there is no {name}")


if __name__ == "__main__":
    unittest.main()
