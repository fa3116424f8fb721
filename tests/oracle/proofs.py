# SPDX-License-Identifier: Apache-2.0
"""Holds what raddle's systematic searches promise against brute force.

raddle_oracle generates programs with few executions: racing accesses, exits beside running threads,
frees beside uses, reader-writer locks, deadlocks. It knows by brute force how each can end, which
pairs of operations can race, and how many traces there are. Each program is searched by `dpor`, and
some by all other strategies that can come to an end. Then

- every run, also one that was cut short, ended in a state that the program can be in, and every
  deadlock, misuse of the heap, race and exit status reported is one that the program can have;
- if the search says that it is complete, it has shown every final state, every failing end and
  every variable that races, and `dpor` has made as many runs as there are traces (unless runs end
  before their time, by a misuse of the heap or a circle of locks that not all threads are part of);
- a search that is not complete does not promise all, and no more than the part INCOMPLETE of those
  of systematic strategies is: nothing in these programs yields or spins;
- findings replay.

    tests/oracle/proofs.py --raddle build/bin/raddle --oracle build/bin/raddle_oracle

`--seed` gives other programs, `--programs` more of them, `--strategies` names those to use, `--only
N` looks at one program under all of them and keeps its files. A failing case prints the program,
what was wrong, and how to repeat it."""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

PART = 50  # programs in one file
INCOMPLETE = 0.0
FEW = 400  # executions, of programs for strategies that make all of them
OTHERS = 200  # programs are searched by other strategies than dpor
SCHEDULES = 100000
STRATEGIES = ("dpor", "dfs", "best-first", "preemption-bound", "context-bound", "delay-bound",
              "random-walk", "portfolio", "auto")
REDUCED = ("dpor", "best-first")  # they make one execution of each trace
MIXED = {"portfolio": 2000, "auto": 2000}  # runs; they may not come to an end
BOUNDED = ("preemption-bound", "delay-bound")
RACES = ("fail", "report", "off")
WARNINGS = ("leaked-thread", "potential-deadlock", "inconsistent-locks", "atomicity-violation")
CUTS = ("use-after-free", "double-free")


class Wrong(Exception):
    """raddle showed or promised something that brute force rules out."""

    def __init__(self, kind, words):
        super().__init__(f"{kind}: {words}")
        self.kind = kind


def run(command, **options):
    # Runs that begin at a checkpoint would overwrite each other's records.
    environment = os.environ | {"RADDLE_CHECKPOINTS": "off"}
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=300,
                          env=environment, stdin=subprocess.DEVNULL, **options)


class Part:
    """One file of programs, generated, explored and compiled."""

    def __init__(self, options, folders, first, end):
        folder, self.cases = folders
        self.binary = folder / f"part_{first}"
        made = run([options.oracle, "proofs", options.seed, first, end, folder])
        if made.returncode != 0:
            sys.exit(f"raddle_oracle failed: {made.stderr}")
        self.programs = [json.loads(line) for line in made.stdout.splitlines()]
        compiled = run([*options.compiler.split(), options.level, "-g", "-Wall", "-Werror",
                        f"{self.binary}.c", "-o", self.binary])
        if compiled.returncode != 0:
            sys.exit(f"cannot compile {self.binary}.c:\n{compiled.stderr}")


class Program:
    """What brute force knows of one program."""

    def __init__(self, known):
        self.number, self.text, self.traces = known["number"], known["text"], known["traces"]
        self.executions, self.features = known["executions"], known["features"]
        self.finals = set(known["possible"]["finals"])
        self.failures = set(known["possible"]["failures"])
        self.racing = {(a, b): set(cells) for a, b, cells in known["possible"]["races"]}
        self.certain_finals = set(known["certain"]["finals"])
        self.certain_failures = set(known["certain"]["failures"])
        self.certain_cells = {cell for _, _, cells in known["certain"]["races"] for cell in cells}
        digits = known["records"]
        self.records = {int(digits[i:i + 8], 16) for i in range(0, len(digits), 8)}
        self.uncertain = known["early"] or known["stuck"]
        if known["stuck"]:
            self.certain_failures.discard("deadlock")
        cut = any(failure.startswith(CUTS) for failure in self.failures)
        self.counted = not cut and not self.uncertain

    def suits(self, strategy):
        if strategy in REDUCED:
            return True
        if strategy in MIXED:
            return self.traces <= FEW
        return self.executions <= FEW


class Search:
    """One program under one strategy."""

    def __init__(self, options, part, program, strategy):
        self.options, self.part, self.program = options, part, program
        self.strategy = strategy
        self.races = RACES[(program.number + STRATEGIES.index(strategy)) % len(RACES)]
        self.folder = part.cases / f"case_{program.number}_{strategy}"
        self.file = self.folder / "records"
        self.seen, self.failures, self.statuses = set(), set(), set()
        self.pairs, self.runs, self.incomplete = set(), 0, ""

    def command(self):
        more = ["--bound", 99] if self.strategy in BOUNDED else []
        more += ["--races", self.races] if self.races != "fail" else []
        return [self.options.raddle, "test", "--strategy", self.strategy, "--keep-going",
                "--no-memo", "--json", "-", "--quiet", "--schedules",
                MIXED.get(self.strategy, SCHEDULES), *more, "--out",
                self.folder / "kept", self.part.binary, self.program.number, self.file]

    def check(self):
        self.folder.mkdir()
        done = run(self.command())
        if done.returncode not in (0, 1):
            raise Wrong("exit code", f"raddle's is {done.returncode}\n{done.stderr}")
        result = json.loads(done.stdout)
        if "nondeterminism" in result:
            raise Wrong("non-deterministic", result["nondeterminism"])
        if result["limited"]:
            raise Wrong("limited", "a run was cut by the step limit")
        self.runs = result["schedules"]
        self.check_records(result)
        for finding in result["findings"]:
            self.check_finding(finding)
        if self.program.number % 10 == 0:
            self.replay(result["findings"])
        self.check_promise(result)

    def check_records(self, result):
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        lines = [line.rstrip() for line in lines]
        for line in lines:
            if zlib.crc32(line.encode()) not in self.program.records:
                raise Wrong("impossible state", line)
        self.seen = self.program.finals & set(lines)
        if len(lines) < self.runs:
            raise Wrong("runs", f"{self.runs} were counted, but {len(lines)} left a record")
        shown = [f for f in result["findings"] if f["kind"] in ("deadlock", *CUTS)]
        if not shown and not result["blocked"]:
            for line in lines:
                if line not in self.program.finals:
                    raise Wrong("no end", f"a run ended in the middle: {line}")

    def check_finding(self, finding):
        kind, message = finding["kind"], finding["message"]
        line = finding.get("site", {}).get("line", 0)
        where = f"{message}\nreplay it: raddle replay {finding['directory']}/schedule.raddle"
        if kind in WARNINGS:
            return
        if kind in ("deadlock", *CUTS):
            failure = kind if kind == "deadlock" else f"{kind} {line}"
            if failure not in self.program.failures:
                raise Wrong(f"impossible {kind}", where)
            self.failures.add(failure)
        elif kind == "exit-code":
            self.statuses.add(int(re.search(r"exit code (\d+)", message).group(1)))
        elif kind == "data-race":
            lines = tuple(sorted(t["stack"][0]["line"] for t in finding["threads"]))
            if lines not in self.program.racing:
                raise Wrong("impossible race", f"{lines}: {where}")
            self.pairs.add(lines)
        else:
            raise Wrong("finding", f"{kind}: {where}")

    def replay(self, findings):
        for finding in [f for f in findings if f["kind"] not in WARNINGS][:2]:
            schedule = pathlib.Path(finding["directory"]) / "schedule.raddle"
            done = run([self.options.raddle, "replay", schedule])
            if done.returncode != 1:
                raise Wrong("replay", f"that of {schedule} ended with {done.returncode}:\n"
                            f"{done.stdout}{done.stderr}")

    def check_promise(self, result):
        statuses = {int(line.partition("exit ")[2].partition("|")[0]) for line in self.seen
                    if "exit " in line} - {0}
        if statuses != self.statuses:
            raise Wrong("exit status", f"runs had {sorted(statuses)}, found were "
                        f"{sorted(self.statuses)}")
        words = result["guarantee"]
        if not result["complete"]:
            if re.search(r"\b(all|the only)\b", re.sub(r"\([^)]*\)", "", words)):
                raise Wrong("words", f"not complete, but: {words}")
            if self.strategy not in MIXED:
                self.incomplete = words or "no promise"
            return
        missing = sorted(self.program.certain_finals - self.seen)
        if missing:
            raise Wrong("missing final state", f"{missing[0]} and {len(missing) - 1} more, "
                        f"although {words}")
        missing = sorted(self.program.certain_failures - self.failures)
        if missing:
            raise Wrong(f"missing {missing[0].split()[0]}", f"{missing}, although {words}")
        self.check_races(words)
        runs = result["search"]["runs"] if self.strategy in REDUCED else 0
        if self.strategy == "dpor" and self.program.counted and runs != self.program.traces:
            raise Wrong("number of traces", f"{runs} runs of {self.program.traces} traces")

    def check_races(self, words):
        if self.races == "off":
            return
        found = {cell for pair in self.pairs for cell in self.program.racing[pair]}
        # Of the accesses to an atomic variable not all are remembered.
        missing = sorted(cell for cell in self.program.certain_cells - found if cell[0] != "a")
        if missing:
            raise Wrong("missing race", f"on {missing}, although {words}")

    def report(self, wrong):
        program = self.program
        print(f"FAILED: program {program.number} of seed {self.options.seed}, {self.strategy}, "
              f"races {self.races}: {wrong}\n{program.text}{program.traces} traces, "
              f"{program.executions} executions")
        for final in sorted(program.finals)[:20]:
            print(f"  {final}   {'seen' if final in self.seen else 'not seen'}")
        print(f"failing ends: {sorted(program.failures)}, found: {sorted(self.failures)}\n"
              f"races: {sorted(program.racing)}, found: {sorted(self.pairs)}\n"
              f"by: RADDLE_CHECKPOINTS=off {' '.join(str(c) for c in self.command())}\n"
              f"again: {sys.argv[0]} --seed {self.options.seed} --only {program.number} "
              f"--strategies {self.strategy} --raddle {self.options.raddle} --oracle "
              f"{self.options.oracle}", flush=True)


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
        self.searches[search.strategy] += 1
        self.runs += search.runs
        if search.incomplete:
            self.incomplete += 1
            self.words[re.sub(r"\d[\d,.]*", "N", search.incomplete)] += 1

    def add_wrong(self, search, wrong):
        self.wrong[wrong.kind, search.strategy] += 1
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
        for kind, (size, number) in sorted(self.smallest.items()):
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
                        help="programs for strategies other than dpor")
    parser.add_argument("--strategies", default=",".join(STRATEGIES))
    parser.add_argument("--only", type=int, help="this program only; its files are kept")
    parser.add_argument("--compiler", help="default: raddle cc")
    parser.add_argument("--level", default="-O1", help="of optimisation")
    options = parser.parse_args()
    options.compiler = options.compiler or f"{options.raddle} cc"
    options.strategies = options.strategies.split(",")
    unknown = set(options.strategies) - set(STRATEGIES)
    if unknown:
        parser.error(f"unknown strategies: {sorted(unknown)}")
    if options.programs < 1:
        parser.error("--programs must be at least 1")
    return options


def searches(options, part, program):
    for strategy in options.strategies:
        chosen = strategy == "dpor" or program.number < options.others
        if options.only is not None or (chosen and program.suits(strategy)):
            yield Search(options, part, program, strategy)


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
        for known in part.programs:
            program = Program(known)
            tally.add_program(program)
            for search in searches(options, part, program):
                try:
                    search.check()
                    if options.only is None:
                        shutil.rmtree(search.folder)
                except Wrong as wrong:
                    search.report(wrong)
                    tally.add_wrong(search, wrong)
                tally.add(search)
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
