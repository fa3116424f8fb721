#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Work for a runtime that was built to be watched (RADDLE_PROFILE=generate, see script/release):
the unit tests of bench/gambit without their bugs, in process, under strategies of every sort. They
are other programs than those that raddle_bench measures.

    bench/train.py --raddle build-release/bin/raddle --build-dir DIR"""

import argparse
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
from gambit import Column, Program  # noqa: E402

STRATEGIES = ["random", "pct", "pos", "dfs", "dpor"]
SECONDS = 0.2  # for each test and strategy


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--raddle", required=True)
    parser.add_argument("--build-dir", required=True)
    program = Program(parser.parse_args())
    program.build()
    runs = 0
    for test in program.tests():
        for strategy in STRATEGIES:
            made = program.explore(test, Column(strategy, strategy), seconds=SECONDS, fixed=True)
            if made.end not in ("-", "complete"):
                sys.exit(f"train.py: {test}, {strategy}: {made.end}\n{made.message}")
            runs += made.schedules
    print(f"train.py: {runs:,} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
