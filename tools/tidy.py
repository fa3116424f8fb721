#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the rules of this codebase that compilers do not: layers, sizes, headers, leftovers, dead
files, missing tests, paths in documents that no longer exist. Every message says what to do.

    python3 tools/tidy.py              all rules except formatting; exit 1 if one is broken
    python3 tools/tidy.py --format     formatting only
    python3 tools/tidy.py --reformat   formats in place

Looked at is what git knows or would add, in the tree this file stands in (or --root DIR).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import cpp_scan
from layers import check_layers
from source_tree import (CPP, Problem, Tree, find_outside, folder_of, is_material, is_script,
                         is_test, line_of, our_file)

LINE_MAX = 100
FUNCTION_LINES_MAX = 70
FILE_LINES_TARGET = 400
FILE_LINES_MAX = 700

# Exceptions from the size rules: (rule, "path" or "path:function"): (limit, reason). They may only
# shrink: one that is no longer needed is itself an error.
EXCEPTIONS = {}

TEXT = CPP + (".S", ".py", ".cmake", ".txt", ".json", ".sql", ".sh", ".ts")
SPDX = "SPDX-License-Identifier: Apache-2.0"
# These spell out what they look for.
SELF = ("tools/tidy.py", "tools/tidy_test.py")


# ---- sizes ---------------------------------------------------------------------------------------


def check_sizes(tree, exceptions=None):
    exceptions = EXCEPTIONS if exceptions is None else exceptions
    needed = set()
    for path in tree.select(CPP):
        if is_material(path):
            continue
        lines = len(tree.text(path).splitlines())
        limit, _ = exceptions.get(("file-length", path), (FILE_LINES_MAX, ""))
        if lines > FILE_LINES_MAX:
            needed.add(("file-length", path))
        if lines > limit:
            yield Problem(path, 1, f"{lines} lines, at most {limit} are allowed: split the file")
        elif lines > FILE_LINES_TARGET:
            yield Problem(path, 1, f"{lines} lines, aim at {FILE_LINES_TARGET}: think of a split",
                          warning=True)
        for function in cpp_scan.functions(tree.text(path)):
            key = ("function-length", f"{path}:{function.name}")
            limit, _ = exceptions.get(key, (FUNCTION_LINES_MAX, ""))
            if function.lines > FUNCTION_LINES_MAX:
                needed.add(key)
            if function.lines > limit:
                yield Problem(path, function.first_line, f"{function.name} has {function.lines} "
                              f"lines, at most {limit} are allowed: split it into steps with names")
    for rule, where in sorted(exceptions.keys() - needed):
        yield Problem("tools/tidy.py", 1, f"the {rule} exception for {where} is no longer needed: "
                      "remove it")


# ---- the look of a file --------------------------------------------------------------------------


def check_whitespace(tree):
    for path in tree.files:
        laid_out = path.endswith(TEXT) or is_script(path)
        text = tree.text(path)
        if text is None or is_material(path) or not (laid_out or path.endswith(".md")):
            continue
        for number, line in enumerate(text.split("\n"), 1):
            if line != line.rstrip():
                yield Problem(path, number, "white space at the end of the line: remove it")
            if "\t" in line:
                yield Problem(path, number, "a tab: indent with spaces, write \\t in strings")
            if laid_out and len(line) > LINE_MAX:
                yield Problem(path, number, f"{len(line)} columns, at most {LINE_MAX}: break the "
                              "line")
        if text and not text.endswith("\n"):
            yield Problem(path, text.count("\n") + 1, "no newline at the end of the file: add one")


def check_openings(tree):
    for path in tree.files:
        name = PurePosixPath(path).name
        text = tree.text(path)
        if text is None or is_material(path):
            continue
        if path.endswith(CPP + (".S",)):
            yield from check_cpp_opening(path, text)
        elif path.endswith((".py", ".cmake", ".sh")) or name == "CMakeLists.txt" or is_script(path):
            first = [line for line in text.split("\n") if not line.startswith("#!")][0]
            if first != "# " + SPDX:
                yield Problem(path, 1, f"the first line (after #!) must be `# {SPDX}`")


def check_cpp_opening(path, text):
    lines = text.split("\n")
    if lines[0] != "// " + SPDX:
        yield Problem(path, 1, f"the first line must be `// {SPDX}`")
        return
    rest = [line for line in lines[1:] if line.strip() not in ("", "//")]
    if not rest or not re.match(r"(//|/\*)\s*\S", rest[0]):
        yield Problem(path, 2, "a paragraph is missing after the SPDX line: say what this file is, "
                      "on which side of the process boundary it runs and what it guarantees")
    if path.endswith(".h") and not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield Problem(path, 1, "`#pragma once` is missing")


# ---- leftovers -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ban:
    pattern: str
    message: str
    applies: object  # path -> bool
    code_only: bool = True  # look at C++ code without comments and strings, or at the whole text


def engine_or_target(path):
    return path.startswith("src/") and not is_test(path)


TALK = "only cli and cc talk to the user: return a value or an Error"

BANS = (
    Ban(r"\b(TODO|FIXME|XXX)\b", "finish it now, or open an issue and leave no mark",
        lambda path: True, code_only=False),
    Ban(r"(?<![\w./~-])/(work|home|root)/", "a path of one machine: use a relative path or a "
        "temporary directory", lambda path: True, code_only=False),
    Ban(r"\busing\s+namespace\s+std\b(?!\s*::)", "write std:: where it is used", lambda path: True),
    Ban(r"\bstd::(cout|cerr|clog)\b", TALK,
        lambda path: engine_or_target(path) and folder_of(path) not in ("cli", "cc")),
    Ban(r"(?<![\w.>])(std::)?(printf|puts)\s*\(", TALK,
        lambda path: engine_or_target(path) and folder_of(path) not in ("cli", "cc", "runtime")),
    Ban(r"(?<!\w)assert\s*\(", "use RADDLE_CHECK of base/check.h, which is on in every build",
        engine_or_target),
    Ban(r"\bthrow\b(?!\s*\(\s*\))", "return a Result of base/result.h", engine_or_target),
)


def check_leftovers(tree):
    for path in tree.files:
        stem = PurePosixPath(path).stem
        if re.search(r"_(new|old)(_test)?$", stem):
            yield Problem(path, 1, "`_new` and `_old` beside each other rot: replace the old file")
        elif engine_or_target(path) and re.search(r"[a-z]2$", stem):
            yield Problem(path, 1, "a second version of a file: replace the first, or name the "
                          "difference")
        text = tree.text(path)
        if text is None or path in SELF:
            continue
        code = cpp_scan.code_only(text) if path.endswith(CPP) else ""
        for ban in BANS:
            if not ban.applies(path):
                continue
            subject = code if ban.code_only else text
            for match in re.finditer(ban.pattern, subject):
                word = match[0].strip().rstrip("(").rstrip()
                yield Problem(path, line_of(subject, match.start()), f"`{word}`: {ban.message}")


# ---- documents -----------------------------------------------------------------------------------

PLACEHOLDER = re.compile(r"foo|NAME|\.\.\.|…|[<>$]")
OUR_TOPS = (".ci", "bench", "cmake", "docs", "examples", "include", "script", "src", "tests",
            "tools")


def check_doc_paths(tree):
    names = {PurePosixPath(p).name for p in tree.files}
    for path in tree.select((".md",)):
        for line, word, is_link in doc_words(tree.text(path)):
            if not doc_word_exists(tree, names, path, word, is_link):
                yield Problem(path, line, f"`{word}` does not exist: name what replaced it, or "
                              "drop the reference")


def doc_words(text):
    """(line, word, is a link) for all that may name a file: code blocks, code spans, links."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        spans = [line] if fenced or line.startswith("    ") else re.findall(r"`([^`]+)`", line)
        for span in spans:
            for word in span.split():
                yield number, word.strip("\"'(),;:[]").removeprefix("./").rstrip("."), False
        if not fenced:
            for target in re.findall(r"\]\(([^()\s]+)\)", line):
                yield number, target, True


def doc_word_exists(tree, names, path, word, is_link):
    if is_link:
        if re.match(r"[a-z]+:|#", word):
            return True
        base = PurePosixPath(path).parent
        return path_exists(tree, os.path.normpath(base / word.split("#")[0]))
    word = re.sub(r"(:\d+)+$", "", word)
    if PLACEHOLDER.search(word) or not re.fullmatch(r"[\w.*?{},+/-]+", word):
        return True
    if "/" not in word:
        return not re.fullmatch(r"[\w-]+\.(cc|md|py)", word) or word in names
    top = word.split("/")[0]
    if top in OUR_TOPS:
        return path_exists(tree, word)
    if "src/" + top in tree.folders and re.search(r"\.(h|cc|\{h,cc\}|S)$", word):
        return path_exists(tree, "src/" + word)
    return True


def path_exists(tree, pattern):
    """Every alternative of `{a,b}` exists; `*` and `?` match at least one file or folder."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces:
        head, tail = pattern[: braces.start()], pattern[braces.end() :]
        return all(path_exists(tree, head + part + tail) for part in braces[1].split(","))
    pattern = pattern.rstrip("/")
    if pattern in tree.known or pattern in tree.folders:
        return True
    if not re.search(r"[*?]", pattern):
        return False
    wildcards = {"**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*|\*|\?)", pattern)
    matcher = re.compile("".join(wildcards.get(part) or re.escape(part) for part in parts))
    return any(matcher.fullmatch(p) for p in tree.known | tree.folders)


def check_strategies_documented(tree):
    registry = "src/search/strategies.cc"
    if registry not in tree.known:
        return
    docs = "\n".join(tree.text(p) for p in tree.select((".md",), "docs"))
    source = cpp_scan.without_comments(tree.text(registry))
    for match in re.finditer(r'\{\s*"([a-z][a-z0-9-]*)"', source):
        if not re.search(rf"`{re.escape(match[1])}`", docs):
            yield Problem(registry, line_of(source, match.start(1)), f"strategy `{match[1]}` is "
                          "not mentioned in docs/: say there, in backticks, when to use it")


# ---- dead files and missing tests ----------------------------------------------------------------


def check_dead_headers(tree):
    used = set()
    for path in tree.select(CPP + (".S",)):
        for include in cpp_scan.includes(tree.text(path)):
            target = our_file(tree, include.path) or find_outside(tree, path, include.path)
            if target and PurePosixPath(path).stem != PurePosixPath(target).stem + "_test":
                used.add(target)
    for path in tree.select((".h",), "src", "tests", "bench"):
        if path not in used:
            yield Problem(path, 1, "nobody includes this header, its own test apart: use it or "
                          "delete it")


def check_tests_exist(tree):
    for path in tree.select((".cc",), "src/policy", "src/search", "src/analysis"):
        test = path.removesuffix(".cc") + "_test.cc"
        if not is_test(path) and test not in tree.known:
            yield Problem(path, 1, f"there is no {test}: write one")


# ---- formatting ----------------------------------------------------------------------------------


def formatted_files(tree):
    return [p for p in tree.select(CPP) if not is_material(p)]


def clang_format():
    for name in ("clang-format-14", "clang-format"):
        program = shutil.which(name)
        if program:
            return program
    sys.exit("tidy: clang-format-14 is not installed: run script/bootstrap")


def check_format(tree):
    files = formatted_files(tree)
    if not files:
        return
    command = [clang_format(), "--dry-run", "-Werror", "--ferror-limit=1", *files]
    done = subprocess.run(command, cwd=tree.root, capture_output=True, text=True)
    found = re.findall(r"^(.+?):(\d+):\d+: error: code should be", done.stderr, re.MULTILINE)
    for path, line in found:
        yield Problem(path, int(line), "not formatted: run script/format")
    if done.returncode and not found:
        yield Problem(".clang-format", 1, f"clang-format failed: {done.stderr.strip()}")


def reformat(tree):
    files = formatted_files(tree)
    return subprocess.run([clang_format(), "-i", *files], cwd=tree.root).returncode if files else 0


# ---- main ----------------------------------------------------------------------------------------

RULES = (
    check_layers,
    check_sizes,
    check_whitespace,
    check_openings,
    check_leftovers,
    check_doc_paths,
    check_strategies_documented,
    check_dead_headers,
    check_tests_exist,
)


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Checks the rules of this codebase.")
    parser.add_argument("--root", default=Path(__file__).resolve().parent.parent)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--format", action="store_true", help="check formatting only")
    mode.add_argument("--reformat", action="store_true", help="format in place")
    options = parser.parse_args(arguments)

    tree = Tree(options.root)
    if options.reformat:
        return reformat(tree)
    rules = (check_format,) if options.format else RULES
    problems = sorted({problem for rule in rules for problem in rule(tree)})
    for problem in problems:
        print(problem)
    errors = sum(not problem.warning for problem in problems)
    print(f"tidy: {len(tree.files)} files, {errors} errors, {len(problems) - errors} warnings")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
