#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the thread tests of libstdc++ or glibc under raddle and holds the results against the list
of expected deviations (docs/conformance.md)."""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import pathlib
import sys
import time

import campaign
import deviations
import glibc
import libstdcxx
import suite

SUITES = {"libstdcxx": libstdcxx, "glibc": glibc}
APART = "apart"  # the verdict on tests that say nothing on this system


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/conformance", description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--only", metavar="PATTERN", action="append", default=[],
                        help="tests whose name matches, such as 'tst-cancel*'; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="so many tests at a time, default 1")
    parser.add_argument("--list", action="store_true", help="name the tests and run none")
    parser.add_argument("--results", type=pathlib.Path, help="write all verdicts as JSON")
    return parser.parse_args()


def selected(tests, patterns):
    return [test for test in tests
            if not patterns or any(fnmatch.fnmatch(test.name, one) for one in patterns)]


def say(text):
    print(text, file=sys.stderr, flush=True)


def try_both(test, native, controlled):
    """The test without raddle, and if that says something, with it."""
    reason = test.left_out or native.reason_against(test)
    if reason:
        return {"test": test.name, "verdict": APART, "detail": reason}
    return campaign.try_test(test, controlled)


def run_all(tests, native, controlled, jobs):
    results = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(try_both, test, native, controlled) for test in tests]
        for done in concurrent.futures.as_completed(futures):
            row = done.result()
            results.append(row)
            effort = f" ({row['schedules']} runs, {row['seconds']} s)" if "seconds" in row else ""
            say(f"[{len(results)}/{len(tests)}] {row['test']}: {row['verdict']}{effort} "
                f"{row['detail'][:160]}")
    return sorted(results, key=lambda row: row["test"])


def table(name, results, apart, rows):
    """The counts, as they are in docs/conformance.md."""
    causes = collections.Counter("clean" if row["verdict"] == campaign.CLEAN else
                                 rows[row["test"]].cause if row["test"] in rows else "unexpected"
                                 for row in results)
    print(f"\n| {name} | tests |\n|---|---|")
    print(f"| run under raddle | {len(results)} |")
    for cause in ("clean", *deviations.CAUSES, "unexpected"):
        print(f"| {cause} | {causes[cause]} |")
    print(f"| counted apart | {len(apart)} |")


def main():
    options = parse_arguments()
    module = SUITES[options.suite]
    every = module.tests()
    tests = selected(every, options.only)
    if options.list:
        print("\n".join(test.name for test in tests))
        return 0
    begin = time.monotonic()
    folder = suite.project.CACHE / "conformance" / options.suite
    plain = suite.Builder(folder / "plain", plain=True)
    controlled = suite.Builder(folder / "raddle", plain=False)
    for builder in (plain, controlled):
        module.prepare(builder)
    say(f"{len(tests)} tests")
    everything = run_all(tests, suite.Native(plain), controlled, options.jobs)
    apart = [row for row in everything if row["verdict"] == APART]
    results = [row for row in everything if row["verdict"] != APART]
    rows = deviations.read(suite.HERE / f"{options.suite}.txt")
    lines = deviations.complaints(results, rows, {test.name for test in every}, not options.only)
    for row in apart:
        print(f"apart: {row['test']}: {row['detail']}")
    for line in lines:
        print(f"unexpected: {line}")
    table(options.suite, results, apart, rows)
    say(f"{time.monotonic() - begin:.0f} s")
    if options.results:
        options.results.write_text(json.dumps(everything, indent=1) + "\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
