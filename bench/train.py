#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Work for a runtime that was built to be watched (RADDLE_PROFILE=generate, see script/release):
the unit tests of bench/gambit without their bugs, in process, under strategies of every sort, and
the programs of bench/train, whose accesses are looked at in every way. They are other programs than
those that raddle_bench measures.

    bench/train.py --raddle build-release/bin/raddle --build-dir DIR"""

import argparse
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
from gambit import Column, Program  # noqa: E402

# Seconds for each test: most for the strategies that hooks ask without a call.
STRATEGIES = {"random": 0.3, "dfs": 0.3, "pct": 0.1, "pos": 0.1, "dpor": 0.1}
KERNELS = {"stencil": ["256", "4"]}


def run_kernels(raddle, build_dir):
    for name, arguments in KERNELS.items():
        source = pathlib.Path(__file__).resolve().parent / "train" / f"{name}.cpp"
        program = pathlib.Path(build_dir).resolve() / name
        compile = [raddle, "c++", "-std=c++20", "-O1", "-g", source, "-o", program]
        subprocess.run(compile, check=True)
        for points in ["sync", "shared"]:
            for strategy in ["nonpreemptive", "random"]:
                subprocess.run(
                    [raddle, "test", "--no-memo", "--quiet", "--strategy", strategy, "--points",
                     points, "--schedules", "1", "--out", program.with_suffix(".out"), program,
                     *arguments], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--raddle", required=True)
    parser.add_argument("--build-dir", required=True)
    arguments = parser.parse_args()
    program = Program(arguments)
    program.build()
    runs = 0
    for test in program.tests():
        for strategy, seconds in STRATEGIES.items():
            made = program.explore(test, Column(strategy, strategy), seconds=seconds, fixed=True)
            if made.end not in ("-", "complete"):
                sys.exit(f"train.py: {test}, {strategy}: {made.end}\n{made.message}")
            runs += made.schedules
    run_kernels(arguments.raddle, arguments.build_dir)
    print(f"train.py: {runs:,} runs of tests")
    return 0


if __name__ == "__main__":
    sys.exit(main())
