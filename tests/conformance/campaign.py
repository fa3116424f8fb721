# SPDX-License-Identifier: Apache-2.0
"""One test under raddle: a campaign, and what its result amounts to.

The budget of a test is a few schedules and a few seconds: most tests have no more than a handful of
threads, and a model that is wrong shows in the first runs. All findings are kept, so that a true
race of a test does not hide another finding."""

import json
import pathlib
import re
import shutil
import time

import suite
from suite import project

SCHEDULES = 30
SECONDS = 20
RUN_TIMEOUT_S = 15
MAX_STEPS = 6_000_000  # the longest tests that end need four million
# One run, its repetition and replays of findings may come on top of the campaign's time.
LIMIT_S = SECONDS + 100
CLEAN = "clean"
REFUSED = "refused"
WARNINGS = {"leaked-thread", "potential-deadlock", "atomicity-violation", "inconsistent-locks"}


def command(test, builder, program, out):
    return [project.RADDLE, "test", "--schedules", SCHEDULES, "--time", f"{SECONDS}s",
            "--run-timeout", RUN_TIMEOUT_S, "--max-steps", MAX_STEPS, "--keep-going", "--quiet",
            "--no-memo", "--coverage", "off", "--expect-exit", test.exit_code, "--out", out,
            "--json", out / "result.json", program, *builder.arguments(test, program)]


def expected_end(test, finding):
    """The test is to be killed by a signal, and was."""
    return bool(test.signal) and finding["kind"] == "crash" and test.signal in finding["message"]


def verdict(test, code, output, result):
    """One word for each sort of what was found, and a line about it."""
    last = (output.strip().splitlines() or ["no output"])[-1][:300]
    if code is None:
        return "limit", f"the campaign took more than {LIMIT_S} s"
    if code == 3:
        return REFUSED, last
    if code not in (0, 1) or result is None:
        return "error", f"raddle ended with exit code {code}: {last}"
    bad = [finding for finding in result["findings"]
           if finding["kind"] not in WARNINGS and not expected_end(test, finding)]
    if bad:
        return (" ".join(sorted({finding["kind"] for finding in bad})),
                "; ".join(place(finding) for finding in bad[:4]))
    if test.signal and not result["findings"]:
        return "no-signal", f"the test was not killed by {test.signal}"
    if result["schedules"] == 0:
        return "limit", f"not one run came to its end: {last}"
    if result["limited"]:
        return "limit", f"{result['limited']} of {result['schedules']} runs were cut"
    return CLEAN, ""


def place(finding):
    site = finding.get("site") or {}
    where = f"{site['file'].rsplit('/', 1)[-1]}:{site['line']}" if site.get("file") else "?"
    printed = pathlib.Path(finding.get("directory") or "nowhere") / "stdout.txt"
    said = ""
    if finding["kind"] == "exit-code" and printed.exists():
        said = " ".join(printed.read_text(errors="replace").split("\n")[-5:])[-300:]
    return f"{finding['kind']} at {where}: {finding['message']} {said}".strip()


def try_test(test, builder):
    """Builds and runs a test; what came of it, as it goes into the results."""
    begin = time.monotonic()
    row = {"test": test.name, "schedules": 0}
    try:
        program = builder.program(test)
    except suite.CannotBuild as error:
        return {**row, "verdict": "build", "detail": str(error)}
    out = builder.folder / "out" / re.sub(r"\W", "-", test.name)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    code, output = suite.run_bounded(command(test, builder, program, out), builder.folder, LIMIT_S,
                                     builder.environment(test))
    (out / "output.txt").write_text(output)
    file = out / "result.json"
    result = json.loads(file.read_text()) if file.exists() else None
    word, detail = verdict(test, code, output, result)
    return {**row, "verdict": word, "detail": detail,
            "schedules": result["schedules"] if result else 0,
            "seconds": round(time.monotonic() - begin, 1)}
