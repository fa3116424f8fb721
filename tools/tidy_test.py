#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of tidy.py: every rule is shown to fail on a small tree that breaks it and to pass on one
that does not. The layer table is the real one, so that its rows are tested with it."""

import contextlib
import io
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import cpp_scan
import tidy
from source_tree import Tree

TOOLS = Path(__file__).resolve().parent
OPENING = "// SPDX-License-Identifier: Apache-2.0\n//\n// What this file is.\n"


class TreeTest(unittest.TestCase):
    """A temporary git tree. Subclasses set `rule`."""

    rule = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.write("tools/layers.txt", (TOOLS / "layers.txt").read_text())

    def write(self, path, text=""):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def problems(self, rule=None):
        return sorted((rule or type(self).rule)(Tree(self.root)))

    def assert_clean(self):
        self.assertEqual([], [str(problem) for problem in self.problems()])

    def assert_problem(self, start, *words):
        """Exactly one problem, at `start` (path:line), whose message has all of the words."""
        found = [str(problem) for problem in self.problems()]
        self.assertEqual(1, len(found), found)
        self.assertTrue(found[0].startswith(start + ": error: "), found[0])
        for word in words:
            self.assertIn(word, found[0])


class Layers(TreeTest):
    rule = staticmethod(tidy.check_layers)

    def include(self, path, directive, *existing):
        for other in existing:
            self.write(other)
        self.write(path, f"{OPENING}#include {directive}\n")

    def test_downward_include_passes(self):
        self.include("src/policy/pct.cc", '"wire/plan.h"', "src/wire/plan.h")
        self.assert_clean()

    def test_include_of_own_folder_passes(self):
        self.include("src/wire/event.h", '"wire/op.h"', "src/wire/op.h")
        self.assert_clean()

    def test_upward_include_fails(self):
        self.include("src/wire/event.h", '"policy/policy.h"', "src/policy/policy.h")
        self.assert_problem("src/wire/event.h:4", "wire may not include policy")

    def test_upward_include_in_angle_brackets_fails(self):
        self.include("src/wire/event.h", "<policy/policy.h>", "src/policy/policy.h")
        self.assert_problem("src/wire/event.h:4", "wire may not include policy")

    def test_siblings_do_not_know_each_other(self):
        folders = ("analysis", "memo", "change", "launch")
        for one in folders:
            for other in folders:
                if one == other:
                    continue
                with self.subTest(one=one, other=other):
                    path = f"src/{one}/x.cc"
                    self.include(path, f'"{other}/y.h"', f"src/{other}/y.h")
                    self.assert_problem(f"{path}:4", f"{one} may not include {other}")
                    (self.root / path).unlink()

    def test_observers_cannot_steer(self):
        self.include("src/analysis/race.cc", '"policy/policy.h"', "src/policy/policy.h")
        self.assert_problem("src/analysis/race.cc:4", "analysis may not include policy")

    def test_runtime_does_not_know_the_engine(self):
        self.include("src/runtime/gate.cc", '"facts/run.h"', "src/facts/run.h")
        self.assert_problem("src/runtime/gate.cc:4", "runtime may not include facts")

    def test_tests_obey_the_layers_too(self):
        self.include("src/analysis/race_test.cc", '"policy/policy.h"', "src/policy/policy.h")
        self.assert_problem("src/analysis/race_test.cc:4", "analysis may not include policy")

    def test_commented_include_is_no_include(self):
        self.include("src/wire/event.h", '<cstdint>\n// #include "policy/policy.h"',
                     "src/policy/policy.h")
        self.assert_clean()

    def test_folder_without_a_row_fails(self):
        self.write("src/misc/x.cc", OPENING)
        self.assert_problem("src/misc/x.cc:1", "no row in tools/layers.txt")

    def test_relative_include_fails_with_the_right_spelling(self):
        self.include("src/policy/pct.cc", '"pct.h"', "src/policy/pct.h")
        self.assert_problem("src/policy/pct.cc:4", '#include "policy/pct.h"')

    def test_missing_file_fails(self):
        self.include("src/policy/pct.cc", '"policy/gone.h"')
        self.assert_problem("src/policy/pct.cc:4", "there is no src/policy/gone.h")

    def test_public_headers_include_nothing_of_ours(self):
        self.include("include/raddle/check.h", '"base/check.h"', "src/base/check.h")
        self.assert_problem("include/raddle/check.h:4", "public may not include base")
        self.include("include/raddle/check.h", "<vector>")
        self.assert_clean()

    def test_examples_see_only_the_public_headers(self):
        self.include("examples/a.cpp", '"base/check.h"', "src/base/check.h")
        self.assert_problem("examples/a.cpp:4", "include/raddle")

    def test_test_helpers_are_for_tests(self):
        self.include("src/policy/pct_test.cc", '"testing/toy.h"', "tests/testing/toy.h")
        self.assert_clean()
        self.include("src/policy/pct.cc", '"testing/toy.h"')
        self.assert_problem("src/policy/pct.cc:4", "there is no src/testing/toy.h")

    def test_target_side_uses_only_listed_standard_headers(self):
        for folder in ("base", "wire", "model", "policy", "runtime"):
            for header in ("string", "vector", "iostream", "map", "memory", "functional", "mutex"):
                with self.subTest(folder=folder, header=header):
                    self.include(f"src/{folder}/x.cc", f"<{header}>")
                    self.assert_problem(f"src/{folder}/x.cc:4", f"<{header}>", "target-headers")
            self.include(f"src/{folder}/x.cc", "<cstdint>")
            self.assert_clean()

    def test_tests_of_the_target_side_use_any_standard_header(self):
        self.include("src/policy/pct_test.cc", "<vector>")
        self.assert_clean()

    def test_engine_uses_any_standard_header(self):
        self.include("src/search/dfs.cc", "<unordered_map>")
        self.assert_clean()

    def test_engine_only_file_is_free_but_not_for_the_target(self):
        self.include("src/base/result.h", "<string>")
        self.include("src/search/dfs.cc", '"base/result.h"')
        self.assert_clean()
        self.include("src/policy/pct.cc", '"base/result.h"')
        self.assert_problem("src/policy/pct.cc:4", "engine only")

    def test_pure_folders_know_no_operating_system(self):
        self.include("src/runtime/gate.cc", "<sys/mman.h>")
        self.assert_clean()
        self.include("src/model/mutex.cc", "<sys/mman.h>")
        self.assert_problem("src/model/mutex.cc:4", "model is pure")

    def test_libraries_stay_in_their_folders(self):
        rows = (("sqlite3.h", "memo"), ("libpq-fe.h", "memo"), ("nlohmann/json.hpp", "report"),
                ("CLI/CLI.hpp", "cli"), ("elfutils/libdwfl.h", "facts"), ("pthread.h", "runtime"))
        for header, home in rows:
            with self.subTest(header=header):
                self.include(f"src/{home}/x.cc", f"<{header}>")
                self.assert_clean()
                (self.root / f"src/{home}/x.cc").unlink()
                self.include("src/launch/x.cc", f"<{header}>")
                self.assert_problem("src/launch/x.cc:4", f"<{header}> belongs to", home)
                (self.root / "src/launch/x.cc").unlink()

    def test_unlisted_library_fails(self):
        self.include("src/cli/main.cc", "<boost/asio.hpp>")
        self.assert_problem("src/cli/main.cc:4", "<boost/asio.hpp> is not listed")

    def test_test_library_is_for_tests(self):
        self.include("src/cli/x_test.cc", "<gtest/gtest.h>")
        self.assert_clean()
        self.include("src/cli/x.cc", "<gtest/gtest.h>")
        # The adapters of the public interface know it too.
        self.assert_problem("src/cli/x.cc:4", "belongs to public, test")

    def test_table_cannot_name_a_higher_row(self):
        self.write("tools/layers.txt", "layer base: wire\nlayer wire:\n")
        self.assert_problem("tools/layers.txt:1", "`wire` has no row before this one")

    def test_unreadable_row_fails(self):
        self.write("tools/layers.txt", "layer base:\nlayers wire\n")
        self.assert_problem("tools/layers.txt:2", "cannot read")


class Sizes(TreeTest):
    rule = staticmethod(tidy.check_sizes)

    def body(self, lines):
        return "void f() {\n" + "  g();\n" * (lines - 2) + "}\n"

    def test_function_of_70_lines_passes_and_of_71_fails(self):
        self.write("src/base/x.cc", OPENING + self.body(70))
        self.assert_clean()
        self.write("src/base/x.cc", OPENING + self.body(71))
        self.assert_problem("src/base/x.cc:4", "f has 71 lines", "split")

    def test_file_length(self):
        self.write("src/base/x.h", "int a;\n" * 400)
        self.assert_clean()
        self.write("src/base/x.h", "int a;\n" * 401)
        found = self.problems()
        self.assertEqual([True], [problem.warning for problem in found])
        self.assertIn("src/base/x.h:1: warning: 401 lines", str(found[0]))
        self.write("src/base/x.h", "int a;\n" * 701)
        self.assert_problem("src/base/x.h:1", "701 lines", "split")

    def with_exceptions(self, exceptions):
        return [str(p) for p in tidy.check_sizes(Tree(self.root), exceptions)]

    def test_exception_raises_the_limit_and_must_be_needed(self):
        self.write("src/base/x.cc", OPENING + self.body(80))
        key = ("function-length", "src/base/x.cc:f")
        self.assertEqual([], self.with_exceptions({key: (80, "reason")}))
        self.assertIn("at most 79", self.with_exceptions({key: (79, "reason")})[0])
        self.write("src/base/x.cc", OPENING + self.body(20))
        self.assertIn("no longer needed", self.with_exceptions({key: (80, "reason")})[0])


class FunctionScan(unittest.TestCase):
    def names(self, text):
        return [(f.name, f.first_line, f.last_line) for f in cpp_scan.functions(text)]

    def test_namespaces_and_classes_are_not_functions(self):
        text = ("namespace a::b {\nnamespace {\nclass [[nodiscard]] C final : public D<int> {\n"
                " public:\n  int f() const {\n    return 1;\n  }\n};\n}\n}\n")
        self.assertEqual([("f", 5, 7)], self.names(text))

    def test_extern_c_block_and_function(self):
        text = 'extern "C" {\nint f(int x) {\n  return x;\n}\n}\nextern "C" void g() {\n}\n'
        self.assertEqual([("f", 2, 4), ("g", 6, 7)], self.names(text))

    def test_signature_counts_from_its_first_line(self):
        text = "template <class T,\n          class U = int>\nauto\nf(T t, U u)\n    -> int {\n}\n"
        self.assertEqual([("f", 1, 6)], self.names(text))

    def test_braces_in_strings_comments_and_characters(self):
        text = ('void f() {\n  g("}");  // }\n  h(\'}\'); /* } */\n  i(R"x(\n} )" }\n)x");\n'
                "  j(1'000'000, '{');\n}\nvoid k() {}\n")
        self.assertEqual([("f", 1, 8), ("k", 9, 9)], self.names(text))

    def test_constructor_with_braced_members(self):
        text = "C::C(int x) : a_{x}, b_(2), c_<int>{3} {\n  f();\n}\nint y;\n"
        self.assertEqual([("C::C", 1, 3)], self.names(text))

    def test_tables_are_not_functions(self):
        text = "constexpr Row kRows[] = {\n    {1, f(2)},\n    {3, g(4)},\n};\nint x{h(1)};\n"
        self.assertEqual([], self.names(text))

    def test_lambdas_in_tables_and_variables(self):
        text = "Row rows[] = {\n  {1, [](int a) {\n    return a;\n  }},\n};\nauto f = [] {\n};\n"
        self.assertEqual([("lambda", 2, 4), ("lambda", 6, 7)], self.names(text))

    def test_lambdas_and_local_classes_count_into_their_function(self):
        text = "void f() {\n  struct S { void g() {} };\n  auto l = [&] {\n    h();\n  };\n}\n"
        self.assertEqual([("f", 1, 6)], self.names(text))

    def test_macro_bodies_and_unbalanced_branches(self):
        text = ("#define OPEN {  \\\n  if (x) {\n#if A\nvoid f(int a) {\n#else\nvoid f(long a) {\n"
                "#endif\n  g();\n}\nvoid h() {}\n")
        self.assertEqual([("f", 6, 9), ("h", 10, 10)], self.names(text))

    def test_macro_in_the_place_of_a_declaration(self):
        text = "RADDLE_BEGIN(x)\n\nnamespace a {\nRADDLE_ROW\nvoid f() {\n}\n}\n"
        self.assertEqual([("f", 5, 6)], self.names(text))

    def test_operators_types_and_tests(self):
        text = ("bool operator==(A a, B b) {\n}\nstruct S make() {\n}\nenum class E : char {\n};\n"
                "struct alignas(64) T {\n  int x = 0;\n};\nTEST(Pct, Finds) {\n}\n")
        self.assertEqual([("operator==", 1, 2), ("make", 3, 4), ("Pct.Finds", 10, 11)],
                         self.names(text))


class Whitespace(TreeTest):
    rule = staticmethod(tidy.check_whitespace)

    def test_line_length_in_characters(self):
        self.write("src/base/x.h", "é" * 100 + "\n")
        self.assert_clean()
        self.write("src/base/x.h", "int a;\n" + "é" * 101 + "\n")
        self.assert_problem("src/base/x.h:2", "101 columns")

    def test_documents_may_have_long_lines(self):
        self.write("docs/a.md", "word " * 40 + "end\n")
        self.assert_clean()

    def test_tab_fails(self):
        self.write("script/test", "if x\n\tthen\n")
        self.assert_problem("script/test:2", "a tab")

    def test_trailing_space_fails(self):
        self.write("docs/a.md", "one \n")
        self.assert_problem("docs/a.md:1", "white space")

    def test_missing_last_newline_fails(self):
        self.write("src/base/x.h", "int a;\nint b;")
        self.assert_problem("src/base/x.h:2", "no newline")

    def test_recorded_output_is_left_alone(self):
        self.write("tests/golden/report.txt", "a\t \n")
        self.assert_clean()


class Openings(TreeTest):
    rule = staticmethod(tidy.check_openings)

    def test_complete_header_passes(self):
        self.write("src/base/x.h", OPENING + "#pragma once\n")
        self.assert_clean()

    def test_missing_licence_line_fails(self):
        self.write("tests/programs/fail/x.c", "// A program.\nint main() {}\n")
        self.assert_problem("tests/programs/fail/x.c:1", "SPDX")

    def test_missing_paragraph_fails(self):
        self.write("src/base/x.cc", "// SPDX-License-Identifier: Apache-2.0\n\nint a;\n// Late.\n")
        self.assert_problem("src/base/x.cc:2", "paragraph")

    def test_missing_pragma_once_fails(self):
        self.write("src/base/x.h", OPENING + "// #pragma once\n")
        self.assert_problem("src/base/x.h:1", "#pragma once")

    def test_scripts(self):
        self.write("script/run", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n")
        self.write("CMakeLists.txt", "# SPDX-License-Identifier: Apache-2.0\n")
        self.assert_clean()
        self.write("script/run", "#!/bin/sh\nexit 0\n")
        self.assert_problem("script/run:1", "SPDX")


class Leftovers(TreeTest):
    rule = staticmethod(tidy.check_leftovers)

    def assert_banned(self, path, line, *words):
        self.write(path, OPENING + line + "\n")
        self.assert_problem(f"{path}:4", *words)
        (self.root / path).unlink()

    def assert_allowed(self, path, line):
        self.write(path, OPENING + line + "\n")
        self.assert_clean()
        (self.root / path).unlink()

    def test_marks_of_unfinished_work(self):
        for word in ("TODO", "FIXME", "XXX"):
            self.assert_banned("src/cli/x.cc", f"// {word}: later", f"`{word}`", "open an issue")
        self.assert_banned("docs/a.md", "TODO write this", "`TODO`")
        self.assert_allowed("src/cli/x.cc", 'auto name = "raddle-XXXXXX";')

    def test_paths_of_one_machine(self):
        for path in ("/home/ann/x", "/work/x", "/root/x"):
            self.assert_banned("src/cli/x.cc", f'auto p = "{path}";', "relative path")
        self.assert_banned("docs/a.md", "see /home/ann/x", "relative path")
        self.assert_allowed("docs/a.md", "see tests/work/x and https://example.org/home/x")

    def test_using_namespace_std(self):
        self.assert_banned("tests/programs/pass/x.cpp", "using namespace std;", "std::")
        self.assert_allowed("src/cli/x.cc", "// not: using namespace std;")
        self.assert_allowed("src/cli/x.cc", "using namespace std::chrono_literals;")

    def test_printing_belongs_to_the_command_line(self):
        for line in ("std::cout << x;", "std::cerr << x;", 'printf("x");', 'std::puts("x");'):
            self.assert_banned("src/search/x.cc", line, "only cli and cc")
            self.assert_allowed("src/cli/x.cc", line)
        self.assert_allowed("src/report/x.cc", 'snprintf(a, 3, "x"); out.puts("x");')

    def test_assert_is_raddle_check(self):
        self.assert_banned("src/policy/x.cc", "assert(x);", "RADDLE_CHECK")
        self.assert_allowed("src/policy/x.cc", 'static_assert(x); f("assert(x)");  // assert(x)')
        self.assert_allowed("tests/programs/fail/x.cpp", "assert(x);")

    def test_nothing_is_thrown(self):
        self.assert_banned("src/cli/x.cc", "throw Error{};", "Result")
        self.assert_allowed("src/runtime/x.cc", "int f() throw();")
        self.assert_allowed("src/cli/x_test.cc", "throw 1;")

    def test_file_names(self):
        for path in ("src/policy/pct_new.cc", "src/policy/pct_old_test.cc", "src/policy/pct2.cc"):
            self.write(path, OPENING)
            self.assert_problem(f"{path}:1", "replace")
            (self.root / path).unlink()
        self.write("src/runtime/fiber_x86_64.cc", OPENING)
        self.write("tests/programs/fail/lost_update_2.c", OPENING)
        self.assert_clean()


class DocPaths(TreeTest):
    rule = staticmethod(tidy.check_doc_paths)

    def assert_stale(self, text, word):
        self.write("docs/a.md", text + "\n")
        self.assert_problem("docs/a.md:1", f"`{word}` does not exist")

    def assert_fresh(self, text):
        self.write("docs/a.md", text + "\n")
        self.assert_clean()

    def setUp(self):
        super().setUp()
        for path in ("src/policy/pct.cc", "src/policy/pct.h", "script/test", "README.md"):
            self.write(path)

    def test_paths_in_code_spans(self):
        self.assert_fresh("`src/policy/pct.cc`, `src/policy/`, `script/test -R x`, `README.md`")
        self.assert_stale("see `src/policy/gone.cc`", "src/policy/gone.cc")
        self.assert_stale("run `script/gone --fast`", "script/gone")
        self.assert_stale("see `GONE.md`", "GONE.md")
        self.assert_stale("see `gone.cc`", "gone.cc")

    def test_paths_from_src(self):
        self.assert_fresh("`policy/pct.h` and `policy/pct.{h,cc}`")
        self.assert_stale("`policy/gone.h`", "policy/gone.h")

    def test_line_numbers_are_ignored(self):
        self.assert_fresh("`src/policy/pct.cc:12`")
        self.assert_stale("`src/policy/gone.cc:12`", "src/policy/gone.cc:12")

    def test_globs(self):
        self.assert_fresh("`src/policy/*.cc`, `src/*/pct.h`, `src/**/pct.cc`, `policy/pct.{h,cc}`")
        self.assert_stale("`src/*/pct.S`", "src/*/pct.S")
        self.assert_stale("`src/*.cc`", "src/*.cc")
        self.assert_stale("`src/policy/pct.{h,S}`", "src/policy/pct.{h,S}")

    def test_code_blocks(self):
        self.write("docs/a.md", "```\n$ script/test\n```\n\n    script/test\n")
        self.assert_clean()
        self.write("docs/a.md", "```\n$ script/gone\n```\n")
        self.assert_problem("docs/a.md:2", "script/gone")
        self.write("docs/a.md", "Run:\n\n    script/gone\n")
        self.assert_problem("docs/a.md:3", "script/gone")

    def test_links_are_relative_to_the_document(self):
        self.assert_fresh("[a](../README.md#build) [b](https://example.org/x) [c](#top)")
        self.assert_stale("[a](README.md)", "README.md")

    def test_placeholders_and_other_words(self):
        self.assert_fresh("`src/policy/foo.cc`, `docs/...`, `build/bin/raddle`, `read/write`,"
                          " `a.cpp`, `.raddle/findings/1`, src/policy/gone.cc in prose")

    def test_ignored_files_do_not_count(self):
        self.write(".gitignore", "/docs/out/\n")
        self.write("docs/out/x.html")
        self.assert_stale("`docs/out/x.html`", "docs/out/x.html")


class Strategies(TreeTest):
    rule = staticmethod(tidy.check_strategies_documented)

    def test_every_strategy_is_documented(self):
        self.assert_clean()  # no registry yet
        self.write("src/search/strategies.cc", 'Row rows[] = {\n  {"pct", a},\n  {"pos", b},\n};\n')
        self.write("docs/strategies.md", "`pct` and pos\n")
        self.assert_problem("src/search/strategies.cc:3", "`pos` is not mentioned")
        self.write("docs/strategies.md", "`pct` and `pos`\n")
        self.assert_clean()


class DeadHeaders(TreeTest):
    rule = staticmethod(tidy.check_dead_headers)

    def test_header_must_be_included_by_more_than_its_test(self):
        self.write("src/base/x.h", OPENING)
        self.assert_problem("src/base/x.h:1", "nobody includes")
        self.write("src/base/x_test.cc", '#include "base/x.h"\n')
        self.assert_problem("src/base/x.h:1", "nobody includes")
        self.write("src/base/x.cc", '#include "base/x.h"\n')
        self.assert_clean()

    def test_public_headers_are_for_users(self):
        self.write("include/raddle/check.h", OPENING)
        self.assert_clean()

    def test_relative_include_in_tests_counts(self):
        self.write("tests/testing/toy.h", OPENING)
        self.write("tests/testing/toy.cc", '#include "toy.h"\n')
        self.assert_clean()


class MissingTests(TreeTest):
    rule = staticmethod(tidy.check_tests_exist)

    def test_strategies_and_analyses_have_tests(self):
        for folder in ("policy", "search", "analysis"):
            path = f"src/{folder}/x.cc"
            self.write(path)
            self.assert_problem(f"{path}:1", f"there is no src/{folder}/x_test.cc")
            self.write(f"src/{folder}/x_test.cc")
            self.assert_clean()
        self.write("src/cli/main.cc")
        self.assert_clean()


@unittest.skipUnless(shutil.which("clang-format-14"), "clang-format-14 is not installed")
class Format(TreeTest):
    rule = staticmethod(tidy.check_format)

    def test_unformatted_file_fails_and_reformat_mends_it(self):
        self.write(".clang-format", (TOOLS.parent / ".clang-format").read_text())
        self.write("src/base/x.h", "int a;\nint  *b;\n")
        self.assert_problem("src/base/x.h:2", "script/format")
        self.assertEqual(0, tidy.main(["--root", str(self.root), "--reformat"]))
        self.assertEqual("int a;\nint* b;\n", (self.root / "src/base/x.h").read_text())
        self.assert_clean()


class Program(TreeTest):
    def run_tidy(self):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = tidy.main(["--root", str(self.root)])
        return code, output.getvalue()

    def test_exit_code_and_messages(self):
        self.write("src/base/x.cc", OPENING)
        self.assertEqual((0, "tidy: 2 files, 0 errors, 0 warnings\n"), self.run_tidy())
        self.write("src/base/x.cc", OPENING + "using namespace std;\n")
        code, output = self.run_tidy()
        self.assertEqual(1, code)
        self.assertIn("src/base/x.cc:4: error: `using namespace std`", output)
        self.assertIn("1 errors", output)

    def test_warnings_do_not_fail(self):
        self.write("src/base/x.cc", OPENING + "int a;\n" * 400)
        code, output = self.run_tidy()
        self.assertEqual(0, code)
        self.assertIn("0 errors, 1 warnings", output)

    def test_tree_without_git(self):
        shutil.rmtree(self.root / ".git")
        self.write("src/base/x.cc", OPENING)
        self.write("build/x.cc", "using namespace std;\n")
        self.assertEqual((0, "tidy: 2 files, 0 errors, 0 warnings\n"), self.run_tidy())

    def test_binary_files_are_skipped(self):
        (self.root / "logo.png").write_bytes(b"\x89PNG\xff\xfe /home/x")
        self.assertEqual(0, self.run_tidy()[0])

    def test_every_rule_is_run(self):
        rules = {value for name, value in vars(tidy).items() if name.startswith("check_")}
        helpers = {tidy.check_cpp_opening, tidy.check_format}
        self.assertEqual(rules - helpers, set(tidy.RULES))


if __name__ == "__main__":
    unittest.main()
