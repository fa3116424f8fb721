# SPDX-License-Identifier: Apache-2.0
"""pbzip2, once as Debian's binary with the runtime preloaded, once built from Debian's source with
the wrapper: compressing and decompressing under control gives what pbzip2 gives by itself, byte for
byte, in every schedule."""

import random
import shutil
import subprocess
import unittest

from project import ProjectTest, run, source, wrapper

STOCK = "/usr/bin/pbzip2"
SIZE = 300_000  # three blocks of 100 kB, for three threads


def text(size):
    """Compressible, and the same every time."""
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9)))
             for _ in range(500)]
    return " ".join(draw.choice(words) for _ in range(size // 4))[:size].encode()


class Pbzip2(ProjectTest):
    def setUp(self):
        super().setUp()
        self.plain = self.dir / "input"
        self.plain.write_bytes(text(SIZE))
        self.packed = self.dir / "native.bz2"
        with open(self.packed, "wb") as out:
            subprocess.run([STOCK, "-k", "-c", "-p3", "-b1", self.plain], stdout=out, check=True)
        self.assertNotEqual(self.packed.stat().st_size, 0)

    def both_ways(self, program, schedules):
        same = "cmp {} $RADDLE_STDOUT"
        packing = self.campaign("--schedules", schedules, "--check", same.format(self.packed),
                                program, "-k", "-c", "-p3", "-b1", self.plain)
        self.assert_clean(packing, schedules)
        self.assertGreater(packing["behaviours"], schedules // 2)
        unpacking = self.campaign("--schedules", schedules, "--check", same.format(self.plain),
                                  program, "-k", "-c", "-d", "-p3", self.packed)
        self.assert_clean(unpacking, schedules)

    def test_the_stock_binary_gives_the_native_result(self):
        self.both_ways(STOCK, 20)

    def test_the_stock_binary_writes_files_too(self):
        result = self.campaign("--schedules", 10, "--before", f"rm -f {self.plain}.bz2",
                               "--check", f"cmp {self.packed} {self.plain}.bz2", STOCK, "-k", "-q",
                               "-p3", "-b1", self.plain)
        self.assert_clean(result, 10)

    def test_the_check_can_fail(self):
        self.packed.write_bytes(self.packed.read_bytes()[:-1])
        result = self.campaign("--schedules", 2, "--check", f"cmp {self.packed} $RADDLE_STDOUT",
                               STOCK, "-k", "-c", "-p3", "-b1", self.plain, code=1)
        self.assert_found(result, "check")

    def test_built_with_the_wrapper_it_is_clean_of_races_too(self):
        folder = self.dir / "pbzip2"
        shutil.copytree(source("pbzip2"), folder)
        run(["make", "pbzip2", f"CXX={wrapper('c++')}", "CXXFLAGS=-g -O1 -w"], folder)
        self.both_ways(folder / "pbzip2", 60)


if __name__ == "__main__":
    unittest.main()
