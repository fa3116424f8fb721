#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What tests gain when sleeps become event schedules: builds every test of bench/sleeps with its
sleeps and with its schedule, both plain (the second with libraddle_light.a), and prints how long
they take and how often they fail, on an idle machine and beside busy processes. With --raddle, the
schedule versions are also compiled by `raddle c++` and run under `raddle test`.

    bench/sleeps.py --light build/lib/libraddle_light.a --build-dir DIR [--raddle build/bin/raddle]
    bench/sleeps.py ... --quick      fewer runs
    bench/sleeps.py ... --smoke      every schedule version a few times; exit 1 if one fails

The document that event schedules are from (Jagannath 2012, table 3.4) reports 3.39 as the geometric
mean of the ratios of its tests.
"""

import argparse
import math
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "bench" / "sleeps"
FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", f"-I{ROOT / 'include'}"]
# As a schedule must be checked a good deal more often than it takes to see a sleep fail.
RUNS_OF_SCHEDULE = 10
LOAD_SECONDS_MAX = 120
RUN_SECONDS_MAX = 60


@dataclass
class Count:
    runs: int = 0
    failures: int = 0
    seconds: float = 0.0
    output: str = ""

    def __str__(self):
        return f"{self.failures}/{self.runs}"

    @property
    def milliseconds(self):
        return 1000 * self.seconds / self.runs


@dataclass
class Row:
    name: str
    counts: dict = field(default_factory=dict)
    raddle: str = ""

    @property
    def ratio(self):
        return self.counts["sleep"].seconds / self.counts["sleep"].runs / (
            self.counts["schedule"].seconds / self.counts["schedule"].runs)


class Builder:
    """Compiles the versions of a test: sleep, schedule, raddle."""

    def __init__(self, options):
        self.directory = Path(options.build_dir).resolve()
        self.directory.mkdir(parents=True, exist_ok=True)
        compiler = options.compiler
        light = str(Path(options.light).resolve())
        self.versions = {
            "schedule": ([compiler, "-DRADDLE_LIGHT"], [light]),
        }
        if not options.smoke:
            self.versions["sleep"] = ([compiler, "-DSLEEPS"], [])
            if options.raddle:
                self.versions["raddle"] = ([str(Path(options.raddle).resolve()), "c++", "-g"], [])

    def program(self, name, version):
        return self.directory / f"{name}.{version}"

    def build(self, names, jobs):
        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(self._build_main, self.versions))
            work = [(name, version) for name in names for version in self.versions]
            list(pool.map(lambda item: self._build_one(*item), work))

    def _build_main(self, version):
        command, _ = self.versions[version]
        self._make(command, ["-c", TESTS / "sleeps_main.cc"], self._main(version))

    def _build_one(self, name, version):
        command, libraries = self.versions[version]
        self._make(command, [TESTS / f"{name}.cpp", self._main(version), *libraries],
                   self.program(name, version))

    def _main(self, version):
        return self.directory / f"sleeps_main.{version}.o"

    @staticmethod
    def _make(command, inputs, output):
        """Not if it is there already and newer than what it is made of."""
        headers = [TESTS / "sleeps.h", *(ROOT / "include" / "raddle").glob("*.h")]
        files = [Path(item) for item in [*inputs, *headers, command[0]] if item != "-c"]
        files = [file for file in files if file.exists()]
        if output.exists() and all(file.stat().st_mtime < output.stat().st_mtime
                                   for file in files):
            return
        run_or_exit([*command, *FLAGS, *(str(item) for item in inputs), "-o", str(output)])


def run_or_exit(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"sleeps.py: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")


def measure(program, runs):
    """The program repeats its test itself; if it dies or hangs, that is one failed run."""
    try:
        done = subprocess.run([str(program), str(runs)], capture_output=True, text=True,
                              timeout=RUN_SECONDS_MAX)
    except subprocess.TimeoutExpired:
        return Count(1, 1, RUN_SECONDS_MAX, f"no end after {RUN_SECONDS_MAX} s")
    words = done.stdout.split()
    if done.returncode not in (0, 1) or len(words) != 2:
        return Count(1, 1, 0, done.stdout + done.stderr)
    return Count(runs, int(words[0]), float(words[1]), done.stdout + done.stderr)


class Load:
    """Busy processes beside the tests, ended for certain."""

    def __init__(self, count):
        self.count = count

    def __enter__(self):
        self.processes = [
            subprocess.Popen(["timeout", str(LOAD_SECONDS_MAX), sys.executable, "-c",
                              "while True: pass"]) for _ in range(self.count)
        ]

    def __exit__(self, *_):
        if any(process.poll() is not None for process in self.processes):
            print(f"sleeps.py: the load ended after {LOAD_SECONDS_MAX} s, before the tests did")
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()


def under_raddle(raddle, program, directory):
    """`raddle test`: so many schedules satisfied the test's own one, or what was found."""
    done = subprocess.run([raddle, "test", "--schedules", "200", str(program)], cwd=directory,
                          capture_output=True, text=True, timeout=RUN_SECONDS_MAX)
    if done.returncode == 0:
        found = re.search(r"(\d[\d,]*) runs", done.stdout + done.stderr)
        return f"0/{found.group(1)}" if found else "ok"
    first = (done.stdout + done.stderr).strip().split("\n")[0]
    return f"exit {done.returncode}: {first[:40]}"


def geometric_mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def print_table(rows):
    header = ("test", "sleep ms", "schedule ms", "ratio", "sleep idle", "sleep load", "sched. idle",
              "sched. load", "raddle")
    lines = [header]
    for row in rows:
        counts = row.counts
        lines.append((row.name, f"{counts['sleep'].milliseconds:.2f}",
                      f"{counts['schedule'].milliseconds:.2f}", f"{row.ratio:.1f}",
                      str(counts["sleep"]), str(counts["sleep load"]), str(counts["schedule"]),
                      str(counts["schedule load"]), row.raddle or "-"))

    def total(version):
        return Count(sum(row.counts[version].runs for row in rows),
                     sum(row.counts[version].failures for row in rows))

    sleep = sum(row.counts["sleep"].milliseconds for row in rows)
    schedule = sum(row.counts["schedule"].milliseconds for row in rows)
    lines.append(("all, once", f"{sleep:.1f}", f"{schedule:.1f}", f"{sleep / schedule:.1f}",
                  *(str(total(version))
                    for version in ("sleep", "sleep load", "schedule", "schedule load")), ""))
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for line in lines:
        print("  ".join(text.ljust(width) if column == 0 else text.rjust(width)
                        for column, (text, width) in enumerate(zip(line, widths))).rstrip())
    print(f"geometric mean of the ratios: {geometric_mean([row.ratio for row in rows]):.2f} "
          "(the document: 3.39)")
    flaky = sum(1 for row in rows
                if row.counts["sleep"].failures + row.counts["sleep load"].failures > 0)
    print(f"tests that failed at least once: {flaky} of {len(rows)} with sleeps, "
          f"{len(broken(rows))} with schedules")


def broken(rows):
    return [row for row in rows for version, count in row.counts.items()
            if version.startswith("schedule") and count.failures > 0]


def smoke(builder, names):
    failed = []
    for name in names:
        count = measure(builder.program(name, "schedule"), RUNS_OF_SCHEDULE)
        if count.failures > 0:
            failed.append(name)
            print(f"sleeps.py: {name}: {count} failed\n{count.output}")
    print(f"sleeps.py: {len(names) - len(failed)} of {len(names)} tests pass by their schedules")
    return 1 if failed else 0


def full(builder, names, options):
    runs = 8 if options.quick else 30
    rows = [Row(name) for name in names]
    plan = [("sleep", "sleep", runs), ("schedule", "schedule", runs * RUNS_OF_SCHEDULE)]
    for key, version, count in plan:
        for row in rows:
            row.counts[key] = measure(builder.program(row.name, version), count)
    with Load(2 * (os.cpu_count() or 1)):
        for key, version, count in plan:
            for row in rows:
                row.counts[f"{key} load"] = measure(builder.program(row.name, version), count)
    if options.raddle:
        for row in rows:
            row.raddle = under_raddle(str(Path(options.raddle).resolve()),
                                      builder.program(row.name, "raddle"), builder.directory)
    print_table(rows)
    for row in broken(rows):
        for version, count in row.counts.items():
            if version.startswith("schedule") and count.failures > 0:
                print(f"\n{row.name}, {version}:\n{count.output}")
    return 1 if broken(rows) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--light", required=True, help="libraddle_light.a")
    parser.add_argument("--build-dir", required=True)
    parser.add_argument("--raddle")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--only", help="tests whose name contains this")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    names = sorted(path.stem for path in TESTS.glob("*.cpp"))
    names = [name for name in names if options.only is None or options.only in name]
    if not names:
        sys.exit(f"sleeps.py: no test of bench/sleeps has `{options.only}` in its name")
    builder = Builder(options)
    builder.build(names, os.cpu_count() or 1)
    if options.smoke:
        return smoke(builder, names)
    return full(builder, names, options)


if __name__ == "__main__":
    sys.exit(main())
