#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What resident runs save: runs a second of `raddle test --strategy random`, each by a fork and as
it is by default, in alternating rounds on one core, as ratios.

    bench/resident.py --raddle build-release/bin/raddle --build-dir DIR
    bench/resident.py ... --quick       one short round
    bench/resident.py ... --programs    also every program of tests/programs (a quarter of an hour)

The rows have bars where there is one; exit code 1 if one is missed. A row without a bar says what
else there is to know: both sides on processors of their own, and what is kept in memory.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests"))
from programs.directives import load_programs  # noqa: E402
from run_programs import Build, Failed  # noqa: E402

ROUNDS = 3
SECONDS = 2.0
PROGRAM_SECONDS = 0.4
SLOWEST = 12


class Case:
    """A program and how it is run."""

    def __init__(self, name, command, *, bar=0.0, environment=(), one_core=True, options=(),
                 seconds=SECONDS):
        self.name = name
        self.command = [str(word) for word in command]
        self.bar = bar
        self.environment = dict(environment)
        self.one_core = one_core
        self.options = list(options)
        self.seconds = seconds


class Bench:
    def __init__(self, options):
        self.options = options
        self.raddle = options.raddle.resolve()
        self.folder = options.build_dir.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)

    def compile(self, name):
        target = self.folder / name
        source = ROOT / "bench" / "programs" / f"{name}.cpp"
        subprocess.run([self.raddle, "c++", "-g", "-O1", source, "-o", target], check=True)
        return target

    def command(self, case, seconds):
        prefix = ["taskset", "-c", "0"] if case.one_core else []
        return [*prefix, str(self.raddle), "test", "--no-memo", "--quiet", "--keep-going",
                "--strategy", "random", "--time", f"{int(seconds * 1000)}ms", "--out",
                str(self.folder / "out"), "--json", "-", *case.options, "--", *case.command]

    def environment(self, case, executor):
        return {**os.environ, **case.environment, "RADDLE_EXECUTOR": executor}

    def rate(self, case, executor, seconds):
        """Runs a second, and why they were forked if they were."""
        done = subprocess.run(self.command(case, seconds), capture_output=True, text=True,
                              env=self.environment(case, executor), stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 1):
            raise Failed(f"{case.name}: exit code {done.returncode}: {done.stderr.strip()[-300:]}")
        report = json.loads(done.stdout)
        runs = report["schedules"] + report["limited"]
        return runs / max(report["seconds"], 1e-6), report.get("forked_because", "")

    def compare(self, case, seconds, rounds):
        best = {"fork": 0.0, "auto": 0.0}
        why = ""
        for _ in range(rounds):
            for executor in best:
                rate, reason = self.rate(case, executor, seconds)
                best[executor] = max(best[executor], rate)
                why = reason or why
        return best["fork"], best["auto"], why

    def row(self, case, rounds):
        forked, resident, why = self.compare(case, case.seconds, rounds)
        ratio = resident / forked
        bar = f">= {case.bar:g}" if case.bar else ""
        met = not case.bar or ratio >= case.bar
        verdict = "" if not case.bar else "met" if met else "MISSED"
        print(f"{case.name:<44} {forked:>9.0f}/s {resident:>9.0f}/s {ratio:>8.1f}  {bar:<7} "
              f"{verdict} {why}".rstrip(), flush=True)
        return met

    def memory(self, case):
        """Kilobytes of all processes of a campaign, shared pages counted once."""
        sums = {}
        for executor in ("fork", "auto"):
            process = subprocess.Popen(self.command(case, SECONDS), stdout=subprocess.DEVNULL,
                                       env=self.environment(case, executor), start_new_session=True)
            most = 0
            while process.poll() is None:
                most = max(most, sum(map(proportional_kb, descendants(process.pid))))
                time.sleep(0.05)
            sums[executor] = most
        return sums["fork"], sums["auto"]


def descendants(root):
    """All below it but the engine itself, which is the first of them that is called raddle."""
    parents = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = entry.read_text().split("(", 1)[1].rsplit(")", 1)
        except (OSError, IndexError):
            continue
        parents[int(entry.parent.name)] = (int(rest.split()[1]), name)
    found, growing = {root}, True
    while growing:
        fresh = {pid for pid, (parent, _) in parents.items() if parent in found} - found
        growing = bool(fresh)
        found |= fresh
    return [pid for pid in found if parents.get(pid, (0, "raddle"))[1] not in ("raddle", "taskset")]


def proportional_kb(process):
    try:
        text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))


def rows(bench, rounds):
    tiny, slow = bench.compile("tiny"), bench.compile("slow_start")
    heap = {"TINY_HEAP_MB": "100"}
    cases = [
        Case("tiny", [tiny], bar=12),
        # The copy of the memory is a part of it.
        Case("tiny, 100 MB heap, 6 s", [tiny], bar=100, environment=heap, seconds=6.0),
        Case("20 ms before the first thread", [slow, 20]),
        Case("increments", [bench.compile("increments"), 20]),
        Case("tiny, as many cores as there are", [tiny], one_core=False),
        Case("tiny, 2 jobs", [tiny], one_core=False, options=["--jobs", "2"]),
    ]
    met = [bench.row(case, rounds) for case in cases]
    forked, resident = bench.memory(cases[1])
    own = 100 * 1024
    print(f"{'memory, 100 MB heap, kB':<44} {forked:>11} {resident:>11} "
          f"{resident / forked:>8.1f}  beside the program's own {own} kB: "
          f"{(resident - forked) / own:.2f} times that")
    return all(met)


def programs(bench, only):
    """Every program of tests/programs; the bars are those of the median and of the slowest."""
    options = argparse.Namespace(raddle=bench.raddle, build_dir=bench.folder / "programs")
    build = Build(options, "g++", "-O1")
    ratios = []
    for program in load_programs(only):
        words = program.words("TEST")
        if "STDIN" in program.directives:
            text = bench.folder / "stdin.txt"
            text.write_text(program.directives["STDIN"] + "\n")
            words += ["--stdin", str(text)]
        case = Case(program.name, [build.binary(program), *program.words("ARGS")], options=words)
        forked, resident, why = bench.compare(case, PROGRAM_SECONDS, 1)
        if resident < 0.9 * forked:  # perhaps the machine had other things to do
            forked, resident, why = bench.compare(case, 2 * PROGRAM_SECONDS, 3)
        ratios.append((resident / max(forked, 1e-6), program.name, forked, resident, why))
    ratios.sort()
    print(f"\nthe {SLOWEST} programs of {len(ratios)} that gain least")
    for ratio, name, forked, resident, why in ratios[:SLOWEST]:
        print(f"{name:<44} {forked:>9.0f}/s {resident:>9.0f}/s {ratio:>8.2f}  {why}".rstrip())
    values = [row[0] for row in ratios]
    median, least = statistics.median(values), values[0]
    tenth = values[len(values) // 10]
    below = sum(value < 2 for value in values)
    print(f"median {median:.1f} (bar 10), a tenth below {tenth:.1f}, {below} below 2, "
          f"least {least:.2f} (bar 0.9)")
    return median >= 10 and least >= 0.9


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--raddle", type=pathlib.Path, required=True)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--programs", action="store_true", help="tests/programs, too")
    parser.add_argument("--only", action="append", default=[], help="these programs alone")
    options = parser.parse_args()
    bench = Bench(options)
    print(f"{'':<44} {'forked':>11} {'default':>11} {'ratio':>8}  bar")
    met = options.only or rows(bench, 1 if options.quick else ROUNDS)
    if options.programs or options.only:
        met = programs(bench, options.only) and met
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
