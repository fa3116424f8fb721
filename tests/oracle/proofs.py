# SPDX-License-Identifier: Apache-2.0
"""Holds what raddle's systematic searches promise against brute force.

raddle_oracle generates programs with few executions: racing accesses, exits beside running threads,
frees beside uses, reader-writer locks, deadlocks. It knows by brute force how each can end, which
pairs of operations can race, and how many traces there are. Each program is searched by `dpor`,
some by all other strategies that can come to an end, and some as unit tests in process. Then

- every run, also one that was cut short, ended in a state that the program can be in, and every
  deadlock, misuse of the heap, race and exit status reported is one that the program can have;
- if the search says that it is complete, it has shown every final state, every failing end and
  every variable that races, and `dpor` has made as many runs as there are traces (unless runs end
  before their time, by a misuse of the heap or a circle of locks that not all threads are part of);
- a search that is not complete does not promise all, and no more than the part INCOMPLETE of those
  of systematic strategies that have shown no failure is: nothing in these programs yields or spins.
  What others would have done after a failure need not be known;
- findings replay.

    tests/oracle/proofs.py --raddle build/bin/raddle --oracle build/bin/raddle_oracle

`--seed` gives other programs, `--programs` more of them, `--others` more for the other strategies,
`--strategies` names those to use, `--only N` looks at one program under all of them and keeps its
files. A failing case prints the program, what was wrong, and how to repeat it."""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from proof_cases import InProcess, Program, STRATEGIES, Whole, Wrong, run

HERE = pathlib.Path(__file__).resolve().parent
PART = 50  # programs in one file
INCOMPLETE = 0.0
OTHERS = 200  # programs are searched by other strategies than dpor, and in process
IN_PROCESS = ("dpor", "dfs")


class Part:
    """One file of programs, generated, explored and compiled."""

    def __init__(self, options, folders, first, end):
        folder, self.cases = folders
        self.options = options
        self.binary, self.checks = folder / f"part_{first}", folder / f"checks_{first}"
        made = run([options.oracle, "proofs", options.seed, first, end, folder])
        if made.returncode != 0:
            sys.exit(f"raddle_oracle failed: {made.stderr}")
        self.programs = [Program(json.loads(line)) for line in made.stdout.splitlines()]
        self.compile("cc", f"{self.binary}.c", "-o", self.binary)
        if options.only is not None or first < options.others:
            self.compile("cc", "-DIN_PROCESS", "-Wno-unused-function", "-c", f"{self.binary}.c",
                         "-o", f"{self.checks}.o")
            include = pathlib.Path(options.raddle).parent.parent / "include"
            self.compile("c++", "-std=c++20", f"-I{include}", HERE / "check_proofs.cpp",
                         f"{self.checks}.o", "-o", self.checks)

    def compile(self, compiler, *arguments):
        compiled = run([self.options.raddle, compiler, self.options.level, "-g", "-Wall", "-Werror",
                        *arguments])
        if compiled.returncode != 0:
            sys.exit(f"cannot compile {self.binary}.c:\n{compiled.stderr}")

    def searches(self, program):
        only = self.options.only is not None
        for strategy in self.options.strategies:
            few = only or program.suits(strategy)
            if few and (only or strategy == "dpor" or program.number < self.options.others):
                yield Whole(self.options, self, program, strategy)
            if few and program.in_process and strategy in IN_PROCESS and (
                    only or program.number < self.options.others):
                yield InProcess(self.options, self, program, strategy)


class Tally:
    def __init__(self):
        self.features, self.wrong = collections.Counter(), collections.Counter()
        self.searches, self.smallest = collections.Counter(), {}
        self.words = collections.Counter()
        self.programs = self.traces = self.finals = self.runs = self.incomplete = self.counted = 0

    def add_program(self, program):
        self.programs += 1
        self.features.update(program.features)
        self.traces += program.traces
        self.finals += len(program.finals)
        self.counted += program.counted

    def add(self, search):
        self.searches[search.name()] += 1
        self.runs += search.runs
        if search.incomplete:
            self.incomplete += 1
            self.words[re.sub(r"\d[\d,.]*", "N", search.incomplete)] += 1

    def add_wrong(self, search, wrong):
        self.wrong[wrong.kind, search.name()] += 1
        size = len(search.program.text.splitlines()), search.program.number
        self.smallest[wrong.kind] = min(self.smallest.get(wrong.kind, size), size)

    def good(self):
        return not self.wrong and self.incomplete <= INCOMPLETE * self.searches.total()

    def __str__(self):
        lines = [f"{self.programs} programs, {self.finals} final states, {self.traces} traces "
                 f"(to be met exactly in {self.counted}); {self.runs} runs"]
        lines.append("programs with " + ", ".join(f"{name} {count}" for name, count in
                                                  self.features.most_common()))
        lines.append("searches: " + ", ".join(f"{name} {count}" for name, count in
                                              self.searches.most_common()))
        lines.append(f"not complete: {self.incomplete}")
        lines += [f"  {count} times: {words}" for words, count in self.words.most_common(10)]
        lines.append(f"failures: {self.wrong.total()}")
        for kind, (_, number) in sorted(self.smallest.items()):
            by = ", ".join(f"{strategy} {count}" for (other, strategy), count in
                           self.wrong.most_common() if other == kind)
            lines.append(f"  {kind}: {by}; smallest: program {number}")
        return "\n".join(lines)


def arguments():
    parser = argparse.ArgumentParser(description="raddle's proofs against brute force")
    parser.add_argument("--raddle", required=True, type=os.path.abspath)
    parser.add_argument("--oracle", required=True, type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--others", type=int, default=OTHERS,
                        help="so many of them by other strategies than dpor and in process, too")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--only", type=int, help="this program only; its files are kept")
    parser.add_argument("--level", default="-O1", help="of optimisation")
    options = parser.parse_args()
    options.strategies = options.strategies.split(",")
    unknown = set(options.strategies) - set(STRATEGIES)
    if unknown:
        parser.error(f"unknown strategies: {sorted(unknown)}")
    if options.programs < 1:
        parser.error("--programs must be at least 1")
    return options


def check(search, tally):
    options = search.options
    try:
        search.check()
        if options.only is None:
            shutil.rmtree(search.folder)
    except Wrong as wrong:
        search.report(wrong)
        print(f"again: {sys.argv[0]} --seed {options.seed} --only {search.program.number} "
              f"--strategies {search.strategy} --raddle {options.raddle} --oracle "
              f"{options.oracle}", flush=True)
        tally.add_wrong(search, wrong)
    tally.add(search)


def main():
    options = arguments()
    # Findings are kept by thousands, and each is synced to its disk: better one in memory.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folders = [pathlib.Path(tempfile.mkdtemp(prefix="raddle-proofs-", dir=where))
               for where in (None, memory)]
    tally, start = Tally(), time.monotonic()
    first, end = 0, options.programs
    if options.only is not None:
        first, end = options.only, options.only + 1
    for begin in range(first, end, PART):
        part = Part(options, folders, begin, min(begin + PART, end))
        for program in part.programs:
            tally.add_program(program)
            for search in part.searches(program):
                check(search, tally)
    print(f"{tally}\n{time.monotonic() - start:.0f} s")
    if not tally.good() and not tally.wrong:
        print("FAILED: too many searches were not complete")
    if tally.wrong or options.only is not None:
        print(f"files: {folders[0]}, {folders[1]}")
    else:
        for folder in folders:
            shutil.rmtree(folder)
    sys.exit(0 if tally.good() else 1)


if __name__ == "__main__":
    main()
