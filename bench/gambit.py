#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How soon each strategy finds the bugs of the unit tests of bench/gambit, as in table 2 of Coons,
Burckhardt, Musuvathi: GAMBIT (PPoPP 2010): schedules and seconds up to the first bug. Every test is
explored in process, by a process of its own.

    bench/gambit.py --raddle build/bin/raddle --build-dir DIR
    bench/gambit.py ... --quick           a shorter budget, fewer seeds
    bench/gambit.py ... --only port,bag --strategies "dfs+bf mdpor,pb"
    bench/gambit.py ... --json FILE       the figures of every exploration too
    bench/gambit.py ... --smoke           auto finds every bug and nothing in the twins without;
                                          exit 1 if not

In the tables `-` is a bug that was not found within the budget, `none` one that a search has not
found and was through; strategies with seeds have avg/min/max over them, where `>` says that some
seed has not found it. In totals, and in averages, a bug that was not found counts as the whole time
of the budget. Strategies that this build does not have are `n/a`; where the program itself did not
end as it should, the cell is `failed`.

The bars, at the end: best-first without a bound finds every bug that any strategy finds; the total
of `auto` is at most twice that of the best single strategy. Exit 1 if one is missed."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "bench" / "gambit"
FLAGS = ["-std=c++20", "-g", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}"]
GRACE_S = 60  # beside the budget: a run has its own time-out
SMOKE_FIXED_RUNS = 2_000
SMOKE_BUGGY_RUNS = 50_000
AUTO_BAR = 2.0


@dataclass(frozen=True)
class Column:
    name: str
    strategy: str
    priority: str = ""
    bound: int = 0
    seeded: bool = False


# ss is about points that DPOR leaves out anyway, so as in the paper it goes with a bound.
COLUMNS = [
    Column("dfs", "dfs"),
    Column("pb 2", "preemption-bound"),  # 2 unless something is said
    Column("dpor", "dpor"),
    Column("bf pb", "best-first", "pb"),
    Column("bf mdpor,pb", "best-first", "mdpor,pb"),
    Column("bf ss,mdpor 2", "best-first", "ss,mdpor", bound=2),
    Column("bf rand", "best-first", "rand", seeded=True),
    Column("random", "random", seeded=True),
    Column("pct", "pct", seeded=True),
    Column("pos", "pos", seeded=True),
    Column("auto", "auto", seeded=True),
]
EXHAUSTIVE = ("bf pb", "bf mdpor,pb")  # must find what any finds


@dataclass
class Outcome:
    """One exploration of one test."""
    schedules: int = 0
    seconds: float = 0.0
    steps: int = 0
    end: str = "-"  # a kind of finding, `-`, `complete`, `n/a`, or `failed`
    message: str = ""

    @property
    def found(self):
        return self.end not in ("-", "complete", "n/a", "failed")


@dataclass
class Cell:
    outcomes: list = field(default_factory=list)

    @property
    def missing(self):
        return any(outcome.end == "n/a" for outcome in self.outcomes)

    @property
    def failed(self):
        return any(outcome.end == "failed" for outcome in self.outcomes)

    @property
    def found_once(self):
        return any(outcome.found for outcome in self.outcomes)

    @property
    def found_always(self):
        return all(outcome.found for outcome in self.outcomes)

    def cost(self, budget_s):
        """Mean seconds; what was not found counts as the budget."""
        return statistics.mean(outcome.seconds if outcome.found else budget_s
                               for outcome in self.outcomes)

    def text(self, figure, write, missed):
        """`figure` of an outcome, or of each seed: mean, least, most. `missed` is what an outcome
        without a finding counts in the mean."""
        if self.missing or self.failed:
            return "n/a" if self.missing else "failed"
        found = [figure(outcome) for outcome in self.outcomes if outcome.found]
        if not found:
            over = all(outcome.end == "complete" for outcome in self.outcomes)
            return "none" if over else "-"
        if len(self.outcomes) == 1:
            return write(found[0])
        mean = statistics.mean(figure(outcome) if outcome.found else missed(outcome)
                               for outcome in self.outcomes)
        most = write(max(found)) if self.found_always else "-"
        return f"{'' if self.found_always else '>'}{write(mean)}/{write(min(found))}/{most}"


class Program:
    """bench/gambit, compiled."""

    def __init__(self, options):
        self.raddle = str(Path(options.raddle).resolve())
        self.directory = Path(options.build_dir).resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        self.path = self.directory / "gambit"

    def build(self):
        sources = sorted([*TESTS.glob("*.cpp"), *TESTS.glob("*.cc")])
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            objects = list(pool.map(self._compile, sources))
        self._make(objects, self.path, objects)

    def _compile(self, source):
        headers = [TESTS / "gambit.h", *(ROOT / "include" / "raddle").glob("*.h")]
        output = self.directory / f"{source.stem}.o"
        self._make(["-c", source], output, [source, *headers])
        return output

    def _make(self, inputs, output, files):
        """Not if it is there already and newer than what it is made of."""
        files = [*files, Path(self.raddle)]
        if output.exists() and all(file.stat().st_mtime < output.stat().st_mtime
                                   for file in files):
            return
        command = [self.raddle, "c++", *FLAGS, *map(str, inputs), "-o", str(output)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"gambit.py: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")

    def tests(self):
        """name: (kind, bug)"""
        done = subprocess.run([str(self.path), "--list"], capture_output=True, text=True,
                              check=True)
        rows = (line.split("\t") for line in done.stdout.splitlines())
        return {name: (kind, bug) for name, kind, bug in rows}

    def strategies(self):
        done = subprocess.run([self.raddle, "list", "strategies"], capture_output=True, text=True,
                              check=True)
        return {line.split()[0] for line in done.stdout.splitlines() if line}

    def heeds(self, variable, strategy):
        """Whether raddle reads the environment variable: a word that it cannot mean is an error."""
        environment = {"RADDLE_STRATEGY": strategy, "RADDLE_SCHEDULES": "1",
                       variable: "no-such-word", "PATH": os.environ.get("PATH", "")}
        done = subprocess.run([str(self.path), next(iter(self.tests()))], capture_output=True,
                              text=True, env=environment, cwd=self.directory)
        return done.returncode == 2

    def can(self, column, known):
        """Whether this build has the strategy of the column, with its priority and bound."""
        if column.strategy not in known:
            return False
        needs = (("RADDLE_PRIORITY", column.priority), ("RADDLE_BOUND", column.bound))
        return all(self.heeds(name, column.strategy) for name, value in needs if value)

    def explore(self, test, column, *, seconds, schedules=0, seed=1, fixed=False):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("RADDLE")}
        environment |= {"RADDLE_STRATEGY": column.strategy, "RADDLE_SEED": str(seed),
                        "RADDLE_TIME": f"{round(1000 * seconds)}ms",
                        "RADDLE_FAIL_ON": "lockstep-livelock",
                        "RADDLE_LOCK_ORDER": "off"}  # what the strategy finds by itself
        if schedules:
            environment["RADDLE_SCHEDULES"] = str(schedules)
        if column.priority:
            environment["RADDLE_PRIORITY"] = column.priority
        if column.bound:
            environment["RADDLE_BOUND"] = str(column.bound)
        out = tempfile.mkdtemp(prefix="raddle-gambit-")
        environment["RADDLE_OUT"] = out
        try:
            done = subprocess.run([str(self.path), test, *(["fixed"] if fixed else [])],
                                  capture_output=True, text=True, env=environment,
                                  timeout=seconds + GRACE_S)
        except subprocess.TimeoutExpired:
            return Outcome(end="failed", message=f"{test}, {column.name}: no end after "
                           f"{seconds + GRACE_S} s")
        finally:
            shutil.rmtree(out, ignore_errors=True)
        if done.returncode == 2:
            return Outcome(end="n/a", message=done.stderr.strip())
        words = done.stdout.split()
        if done.returncode != 0 or len(words) != 4:
            return Outcome(end="failed", message=f"{test}, {column.name}: exit code "
                           f"{done.returncode}\n{done.stdout}{done.stderr}")
        return Outcome(int(words[0]), float(words[1]), int(words[2]), words[3], done.stderr)


def smoke(program, tests):
    """Every twin is clean; every bug is found as what it is, but not without a preemption."""
    auto = next(column for column in COLUMNS if column.name == "auto")

    def judge(test):
        kind = tests[test][0]
        clean = program.explore(test, auto, seconds=20, schedules=SMOKE_FIXED_RUNS, fixed=True)
        if clean.end not in ("-", "complete") or clean.schedules == 0:
            return f"{test}, fixed: {clean.end} after {clean.schedules} runs\n{clean.message}"
        shallow = program.explore(test, Column("nonpreemptive", "nonpreemptive"), seconds=20)
        if shallow.end not in ("-", "complete"):
            return f"{test}: {shallow.end} without a preemption\n{shallow.message}"
        bug = program.explore(test, auto, seconds=20, schedules=SMOKE_BUGGY_RUNS)
        if bug.end != kind:
            return (f"{test}: {bug.end} after {bug.schedules} runs, expected {kind}\n"
                    f"{bug.message}")
        return None

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        problems = [problem for problem in pool.map(judge, tests) if problem]
    for problem in problems:
        print(f"gambit.py: {problem}")
    print(f"gambit.py: {len(tests) - len(problems)} of {len(tests)} tests show their bug, "
          "and only that")
    return 1 if problems else 0


def explore_seeds(program, test, column, options):
    cell = Cell()
    for seed in range(1, (options.seeds if column.seeded else 1) + 1):
        cell.outcomes.append(program.explore(test, column, seconds=options.time,
                                             schedules=options.schedules, seed=seed))
        if cell.missing:
            break
    return cell


def measure(program, tests, columns, options):
    """{column name: {test: Cell}}; test by test, so that all strategies see the same machine."""
    known = program.strategies()
    able = {column.name for column in columns if program.can(column, known)}
    table = {column.name: {} for column in columns}
    told = set()
    for number, test in enumerate(tests, 1):
        for column in columns:
            if column.name not in able:
                table[column.name][test] = Cell([Outcome(end="n/a")])
                continue
            cell = table[column.name][test] = explore_seeds(program, test, column, options)
            for outcome in cell.outcomes:
                if outcome.message and not outcome.found and outcome.message not in told:
                    told.add(outcome.message)
                    print(f"gambit.py: {outcome.message}", file=sys.stderr)
        print(f"gambit.py: {test} ({number} of {len(tests)})", file=sys.stderr)
    return table


def print_markdown(lines):
    for number, line in enumerate(lines):
        print(f"| {' | '.join(line)} |")
        if number == 0:
            print("|" + "---|" * len(line))
    print()


def print_lines(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  ".join(text.ljust(width) if i < 2 else text.rjust(width)
                        for i, (text, width) in enumerate(zip(line, widths))).rstrip())
    print()


def total_text(cells, budget_s):
    if any(cell.missing for cell in cells):
        return "n/a"
    return f"{sum(cell.cost(budget_s) for cell in cells):.2f}"


def found_text(cells):
    if any(cell.missing for cell in cells):
        return "n/a"
    always = sum(cell.found_always for cell in cells)
    once = sum(cell.found_once for cell in cells)
    return str(always) if always == once else f"{always} to {once}"


def print_tables(table, tests, options):
    figures = (
        ("schedules to the first bug", lambda outcome: outcome.schedules,
         lambda number: f"{number:.0f}", lambda outcome: outcome.schedules),
        ("seconds to the first bug", lambda outcome: outcome.seconds,
         lambda number: f"{number:.2f}", lambda outcome: options.time),
    )
    for title, figure, write, missed in figures:
        lines = [(title, "bug", *table)]
        for test, (kind, _) in tests.items():
            lines.append((test, kind, *(row[test].text(figure, write, missed)
                                        for row in table.values())))
        cells = [[row[test] for test in tests] for row in table.values()]
        if title.startswith("seconds"):
            lines.append(("total", "", *(total_text(column, options.time) for column in cells)))
        lines.append(("bugs found", "", *(found_text(column) for column in cells)))
        (print_markdown if options.markdown else print_lines)(lines)


def conclude(what, met, detail):
    print(f"{what}: {detail}  {'met' if met else 'MISSED'}")
    return met


def judge_best_first(table, tests):
    found = {test for row in table.values() for test in tests if row[test].found_once}
    met = True
    for name in EXHAUSTIVE:
        what = f"{name} finds every bug that any strategy finds"
        if name not in table or any(cell.missing for cell in table[name].values()):
            print(f"{what}: n/a")
            continue
        missed = sorted(test for test in found if not table[name][test].found_always)
        met &= conclude(what, not missed, f"{len(found) - len(missed)} of {len(found)}"
                        + (f", not {', '.join(missed)}" if missed else ""))
    return met


def judge_auto(table, tests, budget_s):
    def total(row):
        return sum(row[test].cost(budget_s) for test in tests)

    singles = {name: total(row) for name, row in table.items()
               if name != "auto" and not any(cell.missing for cell in row.values())}
    if "auto" not in table or not singles:
        print("auto / the best single strategy: n/a")
        return True
    best = min(singles, key=singles.get)
    ours = total(table["auto"])
    return conclude(f"auto / the best single strategy ({best}), at most {AUTO_BAR:.0f}",
                    ours <= AUTO_BAR * singles[best],
                    f"{ours:.2f} s / {singles[best]:.2f} s = {ours / singles[best]:.2f}")


def write_json(path, table, tests):
    data = {name: {test: [vars(outcome) | {"message": ""} for outcome in row[test].outcomes]
                   for test in tests} for name, row in table.items()}
    Path(path).write_text(json.dumps(data, indent=1) + "\n")


def chosen(all_names, wanted, what):
    if wanted is None:
        return list(all_names)
    names = wanted.split("+") if what == "strategy" else wanted.split(",")
    for name in names:
        if name not in all_names:
            sys.exit(f"gambit.py: there is no {what} `{name}`; there are: {', '.join(all_names)}")
    return names


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raddle", required=True)
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--time", type=float, help="seconds for each test (5)")
    parser.add_argument("--schedules", type=int, default=0, help="at most so many for each test")
    parser.add_argument("--seeds", type=int, help="of strategies that have some (10)")
    parser.add_argument("--only", help="these tests, separated by commas")
    parser.add_argument("--strategies", help="these columns, separated by `+`: dfs+bf mdpor,pb")
    parser.add_argument("--json", help="a file for all figures")
    parser.add_argument("--markdown", action="store_true", help="tables for a document")
    parser.add_argument("--quick", action="store_true", help="1 second and 3 seeds")
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    options.time = options.time or (1 if options.quick else 5)
    options.seeds = options.seeds or (3 if options.quick else 10)
    if options.time <= 0 or options.seeds < 1 or options.schedules < 0:
        parser.error("--time, --seeds and --schedules are positive numbers")
    return options


def main():
    options = parse_arguments()
    program = Program(options)
    program.build()
    every = program.tests()
    tests = {name: every[name] for name in chosen(every, options.only, "test")}
    if options.smoke:
        return smoke(program, tests)
    by_name = {column.name: column for column in COLUMNS}
    columns = [by_name[name] for name in chosen(by_name, options.strategies, "strategy")]
    table = measure(program, tests, columns, options)
    if options.json:
        write_json(options.json, table, tests)
    print(f"{len(tests)} tests, {options.time:g} s for each, seeded strategies {options.seeds} "
          "times: avg/min/max\n")
    print_tables(table, tests, options)
    met = judge_best_first(table, tests)
    met &= judge_auto(table, tests, options.time)
    met &= not any(cell.failed for row in table.values() for cell in row.values())
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
