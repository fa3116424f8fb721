# SPDX-License-Identifier: Apache-2.0
"""Holds raddle against a brute-force interpreter on random small programs.

raddle_oracle generates the programs and knows by brute force every outcome they can have and every
pair of operations that can race. Each program is run by `raddle test --strategy random`. Then

- every outcome that a run had, replays included, is one of the interpreter's, and so is deadlock;
- every race reported is between two operations that race in some execution, so that a program
  without races gives no alarm;
- of programs without waits and barriers, every run is followed operation by operation on the
  interpreter's machine: it must be possible and end as it did, every race reported must be one of
  these runs, and every plain variable with a race in one of them must have been reported;
- nothing else is found, and nothing is called non-deterministic;
- over all programs, raddle has seen most of what is possible: SEEN of the outcomes of programs that
  have no more than FEW, and races in RACY of the programs that have one. Programs with outcomes
  left over get a second campaign, by `urw`. Programs that yield do not count: a thread that yields
  gives way to others, which the interpreter does not demand. Nor do the third of the programs in
  which only synchronisation is a point: there it is the races that count.

    tests/oracle/compare.py --raddle build/bin/raddle --oracle build/bin/raddle_oracle

`--seed` gives other programs, `--programs` more of them, `--only N` looks at one and keeps its
files. A failing case prints the program, what was wrong, and how to replay it."""

import argparse
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

PART = 50  # programs in one file
FEW = 8
SEEN = 0.92  # 0.96 of the programs of seed 1
RACY = 0.95


class Wrong(Exception):
    """raddle did something that the interpreter says is impossible."""


def run(command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=120,
                          **({"stdin": subprocess.DEVNULL} | options))


class Part:
    """One file of programs, generated, interpreted and compiled."""

    def __init__(self, options, folder, first, end):
        self.folder, self.binary = folder, folder / f"part_{first}"
        made = run([options.oracle, "generate", options.seed, first, end, folder])
        if made.returncode != 0:
            sys.exit(f"raddle_oracle failed: {made.stderr}")
        self.programs = [json.loads(line) for line in made.stdout.splitlines()]
        compiled = run([*options.compiler.split(), options.level, "-Wall", "-Werror",
                        f"{self.binary}.c", "-o", self.binary])
        if compiled.returncode != 0:
            sys.exit(f"cannot compile {self.binary}.c:\n{compiled.stderr}")


class Case:
    """One program under raddle."""

    def __init__(self, options, part, program):
        self.options, self.part, self.program = options, part, program
        self.number = program["number"]
        self.possible = set(program["outcomes"])
        self.racing = {(a, b): variable for a, b, variable in program["races"]}
        self.outcomes = collections.Counter()
        self.pairs = set()
        self.lines = []
        self.followed = False
        self.runs = 0
        # Where only synchronisation is a point, races are found by another path of the runtime.
        self.points = ("shared", "all", "sync")[self.number % 3]
        self.counts = (len(self.possible) <= FEW and "yield()" not in program["text"]
                       and self.points != "sync")
        self.folder = part.folder / f"case_{self.number}"
        self.file = self.folder / "outcomes"

    def campaign(self, strategy, forbidden="-"):
        schedules = self.options.schedules * (1 if strategy == "random" else 4)
        return [self.options.raddle, "test", "--strategy", strategy, "--seed", self.number + 1,
                "--schedules", schedules, "--keep-going", "--points", self.points,
                "--timers", self.program["timers"], "--out", self.folder / "kept", "--no-memo",
                "--json", "-", "--quiet", self.part.binary, self.number, self.file, forbidden]

    def check(self):
        self.folder.mkdir()
        self.explore("random")
        if self.counts and set(self.outcomes) != self.possible:
            self.explore("urw")
        if self.program["exact"]:
            self.follow()

    def explore(self, strategy):
        done = run(self.campaign(strategy))
        if done.returncode not in (0, 1):
            raise Wrong(f"raddle's exit code is {done.returncode}\n{done.stderr}")
        result = json.loads(done.stdout)
        if "nondeterminism" in result:
            raise Wrong(f"called non-deterministic: {result['nondeterminism']}")
        if result["limited"]:
            raise Wrong("a run was cut by the step limit")
        for finding in result["findings"]:
            self.check_finding(finding)
        if self.number % 10 == 0:
            self.replay(result["findings"])
        self.check_outcomes(strategy, result)

    def check_finding(self, finding):
        if finding["kind"] == "deadlock":
            self.outcomes["deadlock"] += 1
            if "deadlock" not in self.possible:
                raise Wrong(f"a deadlock that cannot happen, see {finding['directory']}")
        elif finding["kind"] == "data-race":
            lines = tuple(sorted(t["stack"][0]["line"] for t in finding["threads"]))
            self.pairs.add(lines)
            if lines not in self.racing:
                raise Wrong(f"a race that does not exist: {finding['message']}\n"
                            f"replay it: raddle replay {finding['directory']}/schedule.raddle")
        else:
            raise Wrong(f"{finding['kind']}: {finding['message']}, see {finding['directory']}")

    def replay(self, findings):
        for finding in findings[:2]:
            schedule = pathlib.Path(finding["directory"]) / "schedule.raddle"
            done = run([self.options.raddle, "replay", schedule])
            if done.returncode != 1:
                raise Wrong(f"replay of {schedule} ended with {done.returncode}:\n{done.stdout}"
                            f"{done.stderr}")

    def check_outcomes(self, strategy, result):
        lines = self.file.read_text().splitlines(keepends=True) if self.file.exists() else []
        self.file.unlink(missing_ok=True)
        self.lines += lines
        self.outcomes.update(line.partition(" @")[0] for line in lines)
        self.runs += result["schedules"]
        if "deadlock" not in self.outcomes and len(lines) < result["schedules"]:
            raise Wrong(f"{result['schedules']} runs, but only {len(lines)} outcomes")
        for outcome in self.outcomes:
            if outcome not in self.possible:
                raise Wrong(f"an impossible outcome: {outcome}\n{self.find(strategy, outcome)}")

    def follow(self):
        """Every run, operation by operation; and its races, if it ended."""
        done = run([self.options.oracle, "follow", self.options.seed, self.number], stdin=None,
                   input="".join(set(self.lines)))
        if done.returncode != 0:
            raise Wrong(f"a run that cannot be: {done.stdout}{done.stderr}")
        seen = {(a, b): variable for a, b, variable in json.loads(done.stdout)}
        if "deadlock" not in self.possible and not self.pairs <= seen.keys():
            raise Wrong(f"reported races are in no run: {sorted(self.pairs - seen.keys())}")
        # Of the accesses to an atomic variable not all are remembered.
        expected = {variable for variable in seen.values() if variable.startswith("p")}
        missed = expected - {self.racing[pair] for pair in self.pairs}
        if missed:
            pairs = sorted(pair for pair in seen if seen[pair] in missed)
            raise Wrong(f"runs have races on {sorted(missed)} that were not reported: {pairs}")
        self.followed = True

    def find(self, strategy, outcome):
        """The schedule that leads to an outcome: the same campaign, with this outcome an error."""
        findings = json.loads(run(self.campaign(strategy, outcome)).stdout)["findings"]
        for finding in findings:
            if finding["kind"] == "exit-code":
                return f"replay it: raddle replay {finding['directory']}/schedule.raddle"
        return "it did not come again"

    def report(self, wrong):
        print(f"FAILED: program {self.number} of seed {self.options.seed}: {wrong}\n"
              f"{self.program['text']}possible outcomes:")
        for outcome in sorted(self.possible):
            print(f"  {outcome}   seen {self.outcomes[outcome]} times")
        print(f"possible races: {sorted(self.racing)}, reported: {sorted(self.pairs)}")
        print(f"again: {sys.argv[0]} --seed {self.options.seed} --only {self.number} --raddle "
              f"{self.options.raddle} --oracle {self.options.oracle}")


class Tally:
    def __init__(self):
        self.programs = self.outcomes = self.seen = self.few = self.few_seen = 0
        self.racy = self.racy_seen = self.pairs = self.pairs_seen = self.runs = self.clean = 0
        self.deadlocks = self.deadlocks_seen = self.complete = self.followed = 0

    def add(self, case):
        possible, seen = len(case.possible), len(case.outcomes)
        self.programs += 1
        self.runs += case.runs
        self.outcomes += possible
        self.seen += seen
        self.complete += possible == seen
        self.followed += case.followed
        if case.counts:
            self.few += possible
            self.few_seen += seen
        self.clean += not case.racing
        self.racy += bool(case.racing)
        self.racy_seen += bool(case.pairs)
        self.pairs += len(case.racing)
        self.pairs_seen += len(case.pairs)
        self.deadlocks += "deadlock" in case.possible
        self.deadlocks_seen += "deadlock" in case.outcomes

    def __str__(self):
        return (f"{self.programs} programs, {self.runs} runs; in {self.followed} programs every "
                "run followed\n"
                f"outcomes: {self.seen} of {self.outcomes} seen, all of them in {self.complete} "
                f"programs; in programs with at most {FEW} and no yield: {self.few_seen} of "
                f"{self.few}\n"
                f"deadlocks: in {self.deadlocks_seen} of {self.deadlocks} programs that have one\n"
                f"races: in {self.racy_seen} of {self.racy} programs that have one, "
                f"{self.pairs_seen} of {self.pairs} pairs; no alarm in {self.clean} without")

    def good(self):
        return self.few_seen >= SEEN * self.few and self.racy_seen >= RACY * self.racy


def arguments():
    parser = argparse.ArgumentParser(description="raddle against brute force")
    parser.add_argument("--raddle", required=True, type=os.path.abspath)
    parser.add_argument("--oracle", required=True, type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--schedules", type=int, default=60)
    parser.add_argument("--only", type=int, help="this program only; its files are kept")
    parser.add_argument("--compiler", help="default: raddle cc")
    parser.add_argument("--level", default="-O1", help="of optimisation")
    options = parser.parse_args()
    options.compiler = options.compiler or f"{options.raddle} cc"
    if options.programs < 1 or options.schedules < 1:
        parser.error("--programs and --schedules must be at least 1")
    return options


def main():
    options = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="raddle-oracle-"))
    tally, failures, start = Tally(), 0, time.monotonic()
    first, end = 0, options.programs
    if options.only is not None:
        first, end = options.only, options.only + 1
    for begin in range(first, end, PART):
        part = Part(options, folder, begin, min(begin + PART, end))
        for program in part.programs:
            case = Case(options, part, program)
            try:
                case.check()
                if options.only is None:
                    shutil.rmtree(case.folder)
            except Wrong as wrong:
                case.report(wrong)
                failures += 1
            tally.add(case)
    print(f"{tally}\n{time.monotonic() - start:.0f} s")
    if not failures and not tally.good():
        print(f"FAILED: raddle has seen less than {SEEN:.0%} of the outcomes of programs with few, "
              f"or races in less than {RACY:.0%} of the programs that have one")
    if failures or options.only is not None:
        print(f"files: {folder}")
    else:
        shutil.rmtree(folder)
    sys.exit(1 if failures or not tally.good() else 0)


if __name__ == "__main__":
    main()
