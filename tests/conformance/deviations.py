# SPDX-License-Identifier: Apache-2.0
"""The lists of expected deviations: a line for each test that is not clean, with its verdict, why
that is so, and a reason in words. Both ways are errors: a deviation without a row, and a row whose
test does not deviate like that any more."""

import dataclasses

# Why a test is not clean. `true`: the test itself does what raddle says. The others are raddle's.
CAUSES = ("true", "refused", "limit", "defect")


@dataclasses.dataclass
class Row:
    test: str
    verdict: str
    cause: str
    reason: str


def read(path):
    """Lines `cause: reason`, each with the tests it is for below it, indented: `test | verdict`. #
    begins a comment."""
    rows, cause, reason = {}, "", ""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            cause, _, reason = (part.strip() for part in line.partition(":"))
            if cause not in CAUSES or not reason:
                raise SystemExit(f"{where}: expected `cause: reason`, the cause one of "
                                 f"{', '.join(CAUSES)}")
            continue
        test, _, verdict = (part.strip() for part in line.partition("|"))
        if not verdict or not reason:
            raise SystemExit(f"{where}: expected `test | verdict`, below a reason")
        if test in rows:
            raise SystemExit(f"{where}: a second row for {test}")
        rows[test] = Row(test, verdict, cause, reason)
    return rows


def complaints(results, rows, known, all_tests):
    """What the list and the results do not agree on. `known` are the names of all tests; rows of
    tests that were not run count only if all were."""
    lines = []
    for result in results:
        row = rows.get(result["test"])
        if row is None and result["verdict"] != "clean":
            lines.append(f"{result['test']}: {result['verdict']}, and the list has no row for it: "
                         f"{result['detail']}")
        elif row and result["verdict"] != row.verdict:
            lines.append(f"{result['test']}: {result['verdict']}, but the list says {row.verdict}: "
                         f"{result['detail'] or 'remove its row'}")
    ran = {result["test"] for result in results}
    for name in rows:
        if name not in known:
            lines.append(f"{name}: the list has a row for it, but there is no such test")
        elif all_tests and name not in ran:
            lines.append(f"{name}: the list has a row for it, but the test was not run")
    return lines
