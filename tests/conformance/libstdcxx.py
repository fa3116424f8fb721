# SPDX-License-Identifier: Apache-2.0
"""The tests of libstdc++ that run: 30_threads and 29_atomics of gcc's sources, as the directives of
DejaGnu in them say (`{ dg-do run { target c++20 } }` and their like)."""

import fnmatch
import re
import shlex

import suite
from suite import project

PACKAGE = "gcc-12"
FOLDERS = ("29_atomics", "30_threads")
TARGET = "x86_64-pc-linux-gnu"
DEFAULT_STANDARD = 17  # of gcc 12
DRAFTS = {"0x": 11, "1y": 14, "1z": 17, "2a": 20, "2b": 23, "98": 3, "03": 3}
PRESENT = {"pthread", "gthreads", "static", "lp64"}  # what this target has
DIRECTIVE = re.compile(r"\{\s*dg-([\w-]+)\s*(.*?)\s*\}\s*(?:\*/)?\s*$", re.M)


def sources():
    """The testsuite of libstdc++, out of the tar file in Debian's source package."""
    package = project.source(PACKAGE)
    target = package.parent / "libstdc++-testsuite"
    if not target.exists():
        archive, = package.glob("gcc-*.tar.*")
        scratch = target.with_name(target.name + ".new")
        scratch.mkdir(exist_ok=True)
        wanted = [f"*/libstdc++-v3/testsuite/{name}" for name in (*FOLDERS, "util")]
        project.run(["tar", "-xf", archive, "-C", scratch, "--strip-components=3", "--wildcards",
                     *wanted], scratch)
        scratch.rename(target)
    return target


def standard(text):
    """20 of `c++20`, `c++2a` or `gnu++20`; None if it is no standard."""
    match = re.fullmatch(r"(?:gnu|c)\+\+(\w\w?)(?:_only|_down)?", text)
    if not match:
        return None
    return DRAFTS.get(match[1]) or int(match[1])


def chosen_standard(options, selectors):
    """The standard to compile for: the test's own, or the nearest that its selectors admit."""
    for word in options:
        if word.startswith("-std="):
            return standard(word[5:])
    names = re.findall(r"c\+\+\w+", " ".join(selectors))
    only = [standard(name) for name in names if name.endswith("_only")]
    least = [standard(name) for name in names if not name.endswith("_only")]
    return max(only) if only else max([DEFAULT_STANDARD, *least])


def admitted(selector, year):
    """Whether a selector of targets, `{ target A B }` or `{ target { A || B } }`, means us."""
    words = re.sub(r"\|\||&&|target|[{}]", " ", selector).split()
    return not words or any(admits(word, year) for word in words)


def admits(word, year):
    wanted = standard(word)
    if wanted is None:
        return word in PRESENT or fnmatch.fnmatchcase(TARGET, word)
    return year == wanted if word.endswith("_only") else year >= wanted


def quoted(text):
    """Words in the first pair of quotes or braces of a directive, and what follows."""
    match = re.match(r'"([^"]*)"|\{([^}]*)\}', text)
    return shlex.split(match[1] or match[2] or ""), text[match.end():]


def read_test(root, path):
    text = path.read_text(errors="replace")
    directives = DIRECTIVE.findall(text)
    run = [rest[3:] for name, rest in directives if name == "do" and rest.startswith("run")]
    if not run:
        return None
    options, needs = [], []
    for name, rest in directives:
        if name in ("options", "additional-options"):
            words, selector = quoted(rest)
            if admitted(selector, DEFAULT_STANDARD):
                options += words
        elif name == "add-options" and rest.startswith("libatomic"):
            options.append("-latomic")
        elif name == "require-effective-target":
            needs.append(rest)
    year = chosen_standard(options, [*run, *needs])
    test = suite.Test(name=str(path.relative_to(root)), language="c++")
    if not admitted(run[0], year) or not all(admitted(need, year) for need in needs):
        test.left_out = f"for another target: {run[0]} {' '.join(needs)}"
    # Programs that are linked statically cannot be run under control, and are refused by name; what
    # these tests are about does not depend on it.
    compiler = [word for word in options if word not in ("-static", "-latomic")]
    if not any(word.startswith("-std=") for word in options):
        compiler.append(f"-std=gnu++{year}")
    libraries = [word for word in options if word == "-latomic"]
    test.command = ["-g", "-O2", "-D_GLIBCXX_ASSERT", "-pthread", *compiler, f"-I{root}/util", path,
                    "@testsuite_hooks.o", "@testsuite_allocator.o", *libraries]
    return test


def prepare(builder):
    """What all tests are linked with."""
    root = sources()
    for name in ("testsuite_hooks", "testsuite_allocator"):
        builder.build("c++", f"{name}.o", ["-c", "-g", "-O2", "-D_GLIBCXX_ASSERT",
                                           f"-I{root}/util", root / f"util/{name}.cc"])


def tests():
    root = sources()
    found = [read_test(root, path) for folder in FOLDERS
             for path in sorted((root / folder).rglob("*.cc"))]
    return [test for test in found if test]
