#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how many runs each strategy needs until it finds the bug of each program of
tests/programs/fail, and which rotation of `auto` these figures speak for.

    bench/tune_auto.py --raddle build/bin/raddle --build-dir build/programs --results tune.json

measures (what --results already holds is not measured again) and prints, for every strategy, the
mean number of runs over programs and seeds (a campaign that finds nothing counts as --cap runs),
the share of campaigns that found the bug, the mean of each program's mean on a logarithmic scale
(so that programs with rare bugs do not outweigh all others), and the programs whose bug a strategy
never found. Runs that only learn are part of the count.

From the same figures the chance of a strategy to find a program's bug in one run is estimated, and
with it the mean number of runs of every rotation of up to --turns turns. The best ones are printed:
the rotation of src/search/portfolio.cc is chosen among them.

Figures depend on seeds and programs, not on the machine."""

import argparse
import itertools
import json
import math
import pathlib
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from run_programs import Build, Failed, Tester, load_programs  # noqa: E402

# name: options of `raddle test`; those that can be turns of the rotation.
TURNS = {
    "random": [],
    "pct-2": ["--depth", "2"],
    "pct-3": ["--depth", "3"],
    "pos": [],
    "urw": [],
    "surw": [],
}
OTHERS = {"round-robin": [], "auto": []}
LEARNING_RUNS = 1  # of a single strategy


def strategy_of(name):
    return "pct" if name.startswith("pct-") else name


def usable(program):
    """A bug that is a matter of scheduling, and whose runs take no real time."""
    return program.expect["kind"] not in ("limit", "hang", "data-race") and not (
        "--run-timeout" in program.words("TEST"))


def measure(options, programs):
    """{strategy: {program: [runs until the bug, or null, for each seed]}}"""
    build = Build(options, "g++", "-O1")
    tester = Tester(options, [])
    results = json.loads(options.results.read_text()) if options.results.exists() else {}
    for program, name in itertools.product(programs, [*TURNS, *OTHERS]):
        known = results.setdefault(name, {}).setdefault(program.name, [])
        for seed in range(len(known) + 1, options.seeds + 1):
            out = tester.out_dir(program, build, "tune")
            # Races are found beside the bug that they lead to, mostly in the first run.
            extra = ["--races", "off", "--seed", str(seed), *{**TURNS, **OTHERS}[name]]
            result, report = tester.test(
                program, build, strategy_of(name), options.cap, out, extra)
            if result.code not in (0, 1):
                raise Failed(f"exit code {result.code}", result)
            found = report["findings"]
            known.append(found[0]["schedule_index"] if found else None)
        options.results.write_text(json.dumps(results, indent=1) + "\n")
    return results


def print_strategies(results, programs, cap):
    print("| strategy | mean runs | mean runs, logarithmic | found | never found |")
    print("|---|---|---|---|---|")
    for name, by_program in results.items():
        runs = {p.name: [r or cap for r in by_program[p.name]] for p in programs}
        found = [r is not None for p in programs for r in by_program[p.name]]
        means = [sum(r) / len(r) for r in runs.values()]
        never = [p.name.split("/")[-1] for p in programs if not any(by_program[p.name])]
        mean = sum(means) / len(means)
        logarithmic = math.exp(sum(map(math.log, means)) / len(means))
        share = 100 * sum(found) / len(found)
        print(f"| `{name}` | {mean:.1f} | {logarithmic:.1f} | {share:.1f} % "
              f"| {', '.join(never) or '–'} |")


def chances(results, programs, cap):
    """{program: {turn: chance of the bug in one run}}; without programs that learning settles."""
    table = {}
    for program in programs:
        row = {}
        for name in TURNS:
            runs = results[name][program.name]
            tried = sum((r or cap) - LEARNING_RUNS for r in runs)
            row[name] = sum(r is not None for r in runs) / tried if tried else 1.0
        if not all(results[name][program.name][0] == 1 for name in TURNS):
            table[program.name] = row
    return table


def expected_runs(rotation, row, cap):
    """The mean number of runs, at most cap, if turns are taken in this order."""
    survival, total = 1.0, 0.0
    for turn in itertools.islice(itertools.cycle(rotation), cap):
        total += survival
        survival *= 1 - min(row[turn], 1.0)
        if survival < 1e-6:
            break
    return total


def print_rotations(table, options):
    scored = []
    for size in range(1, options.turns + 1):
        for rotation in itertools.combinations_with_replacement(TURNS, size):
            if size > 1 and len({rotation.count(t) for t in set(rotation)}) == 1 and (
                    rotation.count(rotation[0]) > 1):
                continue  # a smaller one, repeated
            runs = [expected_runs(rotation, row, options.cap) for row in table.values()]
            scored.append((math.exp(sum(map(math.log, runs)) / len(runs)),
                           sum(runs) / len(runs), max(runs), rotation))
    print(f"\nrotations, by {len(table)} programs: logarithmic mean, mean, worst program")
    for by, key in (("logarithmic mean", lambda s: s[0]), ("mean", lambda s: s[1])):
        print(f"best by {by}:")
        for score in sorted(scored, key=key)[: options.best]:
            print(f"  {score[0]:6.2f} {score[1]:6.2f} {score[2]:6.1f}  {' '.join(score[3])}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--raddle", type=pathlib.Path, required=True)
    parser.add_argument("--build-dir", type=pathlib.Path, required=True)
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--cap", type=int, default=500, help="runs of a campaign at most")
    parser.add_argument("--turns", type=int, default=6, help="of a rotation at most")
    parser.add_argument("--best", type=int, default=8, help="rotations to print")
    options = parser.parse_args()
    options.raddle = options.raddle.absolute()
    options.build_dir = options.build_dir.absolute()
    programs = [p for p in load_programs([]) if p.fails and usable(p)]
    try:
        results = measure(options, programs)
    except Failed as failure:
        sys.exit(f"{failure.reason}\n{failure.result.shell() if failure.result else ''}")
    print(f"{len(programs)} programs, {options.seeds} seeds, at most {options.cap} runs\n")
    print_strategies(results, programs, options.cap)
    print_rotations(chances(results, programs, options.cap), options)


if __name__ == "__main__":
    main()
