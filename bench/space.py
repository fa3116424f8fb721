#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a long search without a bug keeps in memory over time, as in figure 5 of Coons, Burckhardt,
Musuvathi: GAMBIT (PPoPP 2010), as CSV and plotted as SVG. The test is the blocking collection of
bench/gambit without its bug; the searches are best-first by mdpor,pb over DPOR, and by mdpor with
at most two preemptions.

    bench/space.py --raddle build/bin/raddle --build-dir DIR [--out DIR] [--time 60]
    bench/space.py ... --quick           10 seconds for each search
    bench/space.py --plot LOG... --svg FILE    only plots logs that are there

Searches write the log themselves (RADDLE_SEARCH_LOG): a header, and then rows of numbers. Exit 1 if
a node costs more than 16 bytes, its place in the queue more than 16 (beside a kilobyte for the bins
of the queue), or if a search that came to its end has left some."""

import argparse
import csv
import html
import math
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, str(Path(__file__).resolve().parent))
from gambit import GRACE_S, Program  # noqa: E402

TEST = "blocking_collection"
HEADER = ["schedules", "seconds", "nodes", "bytes", "done_bytes", "fringe"]
NODE_BYTES = 16
OPEN_BYTES_MAX = 16
BINS_BYTES_MAX = 1000
SEARCHES = [
    ("dpor", "best-first by mdpor,pb, over DPOR",
     {"RADDLE_STRATEGY": "best-first", "RADDLE_PRIORITY": "mdpor,pb"}),
    ("bound", "best-first by mdpor, at most 2 preemptions",
     {"RADDLE_STRATEGY": "best-first", "RADDLE_PRIORITY": "mdpor", "RADDLE_BOUND": "2"}),
]

# Of one panel, in the units of the picture.
WIDTH, HEIGHT = 560, 220
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 34, 40
POINTS_MAX = 1000
STYLE = """text { font: 12px sans-serif; fill: #222 }
.title { font-weight: bold }
.grid { stroke: #ddd }
.axis { stroke: #222 }
path { fill: none; stroke-width: 1.5 }
.a { stroke: #1f5fa8; fill: none } text.a { fill: #1f5fa8; stroke: none }
.b { stroke: #c0531b; fill: none } text.b { fill: #c0531b; stroke: none }"""


@dataclass
class Log:
    title: str
    rows: list  # of {column: number}

    def peak(self, column):
        return max(row[column] for row in self.rows)


def read_log(path, title):
    with open(path, newline="") as file:
        reader = csv.reader(file)
        header = next(reader, None)
        if header != HEADER:
            sys.exit(f"space.py: {path}:1: expected the header {','.join(HEADER)}, "
                     f"found {','.join(header or [])}")
        rows = []
        for line in reader:
            try:
                numbers = [float(word) for word in line]
            except ValueError:
                numbers = []
            if len(numbers) != len(HEADER):
                sys.exit(f"space.py: {path}:{reader.line_num}: expected {len(HEADER)} numbers, "
                         f"found {','.join(line)}")
            rows.append(dict(zip(HEADER, numbers)))
    if not rows:
        sys.exit(f"space.py: {path}: no rows after the header")
    return Log(title, rows)


def thinned(points):
    """About POINTS_MAX of them: of each stretch the lowest and the highest, so that peaks stay."""
    if len(points) <= POINTS_MAX:
        return points
    stretch = math.ceil(2 * len(points) / POINTS_MAX)
    kept = []
    for begin in range(0, len(points), stretch):
        part = points[begin:begin + stretch]
        ends = {min(part, key=lambda p: p[1]), max(part, key=lambda p: p[1])}
        kept += sorted(ends)
    return [points[0], *kept, points[-1]]


def ticks(most):
    """Round numbers from 0 to at least `most`, three to seven of them."""
    if most <= 0:
        return [0, 1]
    step = 10 ** math.floor(math.log10(most))
    for factor in (0.2, 0.5, 1, 2):
        if most / (step * factor) <= 5:
            break
    step *= factor
    return [step * i for i in range(math.ceil(most / step - 1e-9) + 1)]


def number_text(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:g}"


class Panel:
    """A plot over time with up to two curves, as SVG."""

    def __init__(self, title, unit, curves, seconds, top):
        self.title, self.unit, self.curves, self.top = title, unit, curves, top
        self.x_ticks = ticks(seconds)
        self.y_ticks = ticks(max((y for _, points in curves for _, y in points), default=0))

    def x(self, seconds):
        return LEFT + (WIDTH - LEFT - RIGHT) * seconds / self.x_ticks[-1]

    def y(self, value):
        return self.top + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.y_ticks[-1]

    def _axes(self):
        low, left, right = self.y(0), self.x(0), self.x(self.x_ticks[-1])
        for tick in self.y_ticks:
            y = self.y(tick)
            yield f'<line class="grid" x1="{left}" y1="{y:.1f}" x2="{right:.1f}" y2="{y:.1f}"/>'
            yield (f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">'
                   f"{number_text(tick)}</text>")
        for tick in self.x_ticks:
            yield (f'<text x="{self.x(tick):.1f}" y="{low + 16:.1f}" text-anchor="middle">'
                   f"{number_text(tick)}</text>")
        yield f'<line class="axis" x1="{left}" y1="{low:.1f}" x2="{right:.1f}" y2="{low:.1f}"/>'
        yield (f'<text x="{(left + right) / 2:.1f}" y="{low + 32:.1f}" text-anchor="middle">'
               "seconds</text>")

    def svg(self):
        yield (f'<text class="title" x="{LEFT}" y="{self.top + 16}">'
               f"{html.escape(self.title)}, {html.escape(self.unit)}</text>")
        yield from self._axes()
        for (name, points), style in zip(self.curves, "ab"):
            line = " ".join(f"{'L' if i else 'M'}{self.x(x):.1f} {self.y(y):.1f}"
                            for i, (x, y) in enumerate(thinned(points)))
            yield f'<path class="{style}" d="{line}"/>'
            at = self.top + TOP + (10 if style == "a" else 26)
            yield (f'<text class="{style}" x="{WIDTH - RIGHT - 4}" y="{at}" text-anchor="end">'
                   f"{html.escape(name)}</text>")


def plot(logs):
    """Two panels for each log: what there is, and what it takes."""
    parts, top = [], 0
    for log in logs:
        def curve(name, column, divisor=1.0, log=log):
            return name, [(row["seconds"], row[column] / divisor) for row in log.rows]

        seconds = log.rows[-1]["seconds"]
        schedules = log.rows[-1]["schedules"]
        title = f"{log.title}: {number_text(schedules)} schedules"
        for panel in (
                Panel(title, "number", [curve("nodes", "nodes"), curve("fringe", "fringe")],
                      seconds, top),
                Panel(title, "MB", [curve("execution tree", "bytes", 1e6),
                                    curve("done and sleep sets", "done_bytes", 1e6)],
                      seconds, top + HEIGHT)):
            parts += panel.svg()
        top += 2 * HEIGHT
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" '
        f'width="{WIDTH}" height="{top}">', f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{top}" fill="white"/>', *parts, "</svg>", ""])


def search(program, log, settings, seconds):
    """Runs one search; returns whether it came to its end. None: this build cannot."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("RADDLE")}
    out = tempfile.mkdtemp(prefix="raddle-space-")
    environment |= settings | {"RADDLE_SEARCH_LOG": str(log), "RADDLE_OUT": out,
                               "RADDLE_TIME": f"{round(1000 * seconds)}ms"}
    log.unlink(missing_ok=True)
    try:
        done = subprocess.run([str(program.path), TEST, "fixed"], capture_output=True, text=True,
                              env=environment, timeout=seconds + GRACE_S)
    finally:
        shutil.rmtree(out, ignore_errors=True)
    words = done.stdout.split()
    if done.returncode == 2:
        print(f"space.py: {done.stderr.strip()}")
        return None
    if done.returncode != 0 or len(words) != 4 or words[3] not in ("-", "complete"):
        sys.exit(f"space.py: {TEST}: {done.stdout}{done.stderr}")
    if not log.exists():
        sys.exit(f"space.py: {TEST} was run, but has not written {log}")
    return words[3] == "complete"


def judge(log, complete):
    """Prints a line for a search; false if a bar is missed."""
    last, nodes = log.rows[-1], log.peak("nodes")
    fits = all(row["bytes"] <= NODE_BYTES * row["nodes"] + OPEN_BYTES_MAX * row["fringe"]
               + BINS_BYTES_MAX for row in log.rows)
    full = max(log.rows, key=lambda row: row["bytes"])
    per_open = (full["bytes"] - NODE_BYTES * full["nodes"]) / max(1, full["fringe"])
    print(f"{log.title}: {number_text(last['schedules'])} schedules in {last['seconds']:.1f} s"
          f"{', all' if complete else ''}; at most {number_text(nodes)} nodes, "
          f"{log.peak('bytes') / 1e6:.2f} MB ({NODE_BYTES} bytes a node and {per_open:.1f} for "
          "each that waits), "
          f"{log.peak('done_bytes') / 1e6:.2f} MB of done and sleep sets, "
          f"{number_text(log.peak('fringe'))} in the fringe")
    met = fits and not (complete and last["nodes"] > 0)
    print(f"  at most {NODE_BYTES} bytes a node and {OPEN_BYTES_MAX} for each that waits, none at "
          f"the end: {'met' if met else 'MISSED'}")
    return met


def measure(options):
    program = Program(options)
    program.build()
    out = Path(options.out or options.build_dir).resolve()
    out.mkdir(parents=True, exist_ok=True)
    logs, met = [], True
    for name, title, settings in SEARCHES:
        path = out / f"space_{name}.csv"
        complete = search(program, path, settings, options.time)
        if complete is None:
            continue
        logs.append(read_log(path, title))
        met &= judge(logs[-1], complete)
    if logs:
        picture = out / "space.svg"
        picture.write_text(plot(logs))
        print(f"plotted in {picture}")
    return 0 if met else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raddle")
    parser.add_argument("--build-dir")
    parser.add_argument("--out", help="where logs and picture go (the build directory)")
    parser.add_argument("--time", type=float, help="seconds for each search (60)")
    parser.add_argument("--quick", action="store_true", help="10 seconds")
    parser.add_argument("--plot", nargs="+", metavar="LOG")
    parser.add_argument("--svg", metavar="FILE")
    options = parser.parse_args()
    if options.plot:
        if not options.svg:
            parser.error("--plot needs --svg, the file to write")
        logs = [read_log(path, Path(path).stem) for path in options.plot]
        Path(options.svg).write_text(plot(logs))
        return 0
    if not options.raddle or not options.build_dir:
        parser.error("--raddle and --build-dir are needed")
    options.time = options.time or (10 if options.quick else 60)
    return measure(options)


if __name__ == "__main__":
    sys.exit(main())
