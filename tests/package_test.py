#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `cmake --install` leaves behind, as another project sees it: tests/package is configured
with the prefix, built and run; then the same by pkg-config and by `raddle c++` alone. Only targets
that were named are instrumented, tests of either framework fail and pass as they should, one at a
time or together, and reports carry the schedule file.

    package_test.py BUILD_DIRECTORY [--compiler clang++] [--keep DIR]
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

SOURCE = pathlib.Path(__file__).resolve().parent / "package"
GTEST_FAILURES = {"Account.CarelessnessOverdraws", "Account.FailuresOfOtherThreadsCount",
                  "Account.AbortIsContained", "Account.Throws", "Bank.TearDownLooksToo"}
GTEST_PASSES = {"Account.IsAlsoTestedPlainly", "Account.CareDoesNot", "Account.HasOptions",
                "Account.ExploresAll", "Bank.FixtureIsFreshInEveryRun", "Bank.SharesTheSuite"}
GTEST_SKIPS = {"Account.SkippedInEveryRun"}
CATCH2_FAILURES = {"careless", "seen by another thread", "no sections"}
CATCH2_PASSES = {"plain", "careful", "fresh fixture"}
LIGHT_PASSES = {"Light.Orders/rentFirst", "Light.Orders/foodFirst", "Light.Impossible/wanted"}
LIGHT_FAILURES = {"Light.FailsAsUsual", "Light.Impossible/unwanted", "Light.WrongSchedule/one"}

options = argparse.Namespace()
work = pathlib.Path()
prefix = pathlib.Path()
built = pathlib.Path()


def environment(**more):
    """The caller's, without what would change what raddle does."""
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("RADDLE", "GTEST", "CMAKE", "CTEST"))}
    env.update(more)
    return env


def run(*command, code=0, cwd=None, **env):
    """The output (both streams) of a command that ends with `code` (None: with any)."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd or work, env=environment(**env), text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{shlex.join(words)}\nexit code {done.returncode}, expected {code}:\n"
                             f"{done.stdout[-6000:]}")
    return done.stdout


def instrumented(path):
    return bool(re.search(r"\bU __tsan_(read|write|atomic|func)", run("nm", path)))


def needed(path):
    return re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", path))


def set_up():
    run("cmake", "--install", options.build, "--prefix", prefix)
    run("cmake", "-S", SOURCE, "-B", built, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_COMPILER={options.compiler}")
    run("cmake", "--build", built, "-j", "2")


def has_light():
    return (prefix / "lib/libraddle_light.a").exists()


def object_of(target, source):
    return built / "CMakeFiles" / f"{target}.dir" / f"{source}.o"


class OnlyNamedTargetsAreInstrumented(unittest.TestCase):
    def test_named_ones_are(self):
        for target, source in (("gtest_sample", "gtest_sample.cpp"),
                               ("catch2_sample", "catch2_sample.cpp"),
                               ("account_raddle", "account.cpp"), ("own_sample", "account.cpp")):
            self.assertTrue(instrumented(object_of(target, source)), target)

    def test_others_are_not(self):
        for target in ("shipped", "light_sample") if has_light() else ("shipped",):
            self.assertFalse(instrumented(object_of(target, target + ".cpp")), target)
            self.assertFalse([name for name in needed(built / target) if "raddle" in name])
        self.assertFalse(instrumented(object_of("account", "account.cpp")))

    def test_the_runtime_comes_first_and_checks_are_linked(self):
        libraries = needed(built / "gtest_sample")
        self.assertEqual(libraries[0], "libraddle_rt.so")
        self.assertIn("libraddle_check.so", libraries)

    def test_options_are_those_of_the_wrapper(self):
        said = run(prefix / "bin/raddle-c++", "-c", SOURCE / "account.cpp", "-o", work / "x.o",
                   RADDLE_CC_VERBOSE="1", RADDLE_CXX=options.compiler)
        wanted = [word for word in shlex.split(said.splitlines()[0])[1:]
                  if "account.cpp" not in word and word not in ("-c", "-o", str(work / "x.o"))]
        commands = json.loads((built / "compile_commands.json").read_text())
        command = next(entry["command"] for entry in commands
                       if entry["file"].endswith("gtest_sample.cpp"))
        self.assertEqual([word for word in wanted if word not in shlex.split(command)], [])


class Ctest(unittest.TestCase):
    def test_every_test_case_is_a_test(self):
        report = work / "ctest.xml"
        run("ctest", "--test-dir", built, "--output-junit", report, "-j", "2", code=8)
        results = {}
        for case in ElementTree.parse(report).iter("testcase"):
            results[case.get("name")] = case.get("status")
        with_status = lambda *status: {name for name, value in results.items() if value in status}
        light = (LIGHT_FAILURES, LIGHT_PASSES) if has_light() else (set(), set())
        self.assertEqual(with_status("fail"), GTEST_FAILURES | CATCH2_FAILURES | light[0])
        self.assertEqual(with_status("run"),
                         GTEST_PASSES | CATCH2_PASSES | light[1] | {"own_sample"})
        self.assertEqual(with_status("notrun"), GTEST_SKIPS)


class Googletest(unittest.TestCase):
    def report(self, program, *arguments, **keywords):
        """Results by name: failure texts, properties."""
        path = work / "gtest.xml"
        run(program, f"--gtest_output=xml:{path}", *arguments, cwd=work, **keywords)
        cases = {}
        for case in ElementTree.parse(path).iter("testcase"):
            if case.get("result") == "suppressed":
                continue
            cases[f"{case.get('classname')}.{case.get('name')}"] = (
                [failure.text for failure in case.iter("failure")],
                {item.get("name"): item.get("value") for item in case.iter("property")},
                case.get("result"))
        return cases

    def assert_results(self, cases):
        self.assertEqual({name for name, case in cases.items() if case[0]}, GTEST_FAILURES)
        self.assertEqual(set(cases), GTEST_FAILURES | GTEST_PASSES | GTEST_SKIPS)
        self.assertEqual({name for name, case in cases.items() if case[2] == "skipped"},
                         GTEST_SKIPS)

    def test_a_failure_stops_nobody_and_the_report_carries_its_schedule(self):
        cases = self.report(built / "gtest_sample", code=1)
        self.assert_results(cases)
        for name in GTEST_FAILURES:
            texts, properties, _ = cases[name]
            self.assertEqual(len(texts), 1, name)
            schedule = properties["raddle_schedule_file"]
            self.assertIn(schedule, texts[0])
            self.assertTrue((work / schedule).is_file(), schedule)
        self.assertIn("overdrawn", cases["Account.CarelessnessOverdraws"][0][0])
        self.assertIn("seen by the thread", cases["Account.FailuresOfOtherThreadsCount"][0][0])
        self.assertIn("thrown by the body", cases["Account.Throws"][0][0])
        self.assertIn("seen by TearDown", cases["Bank.TearDownLooksToo"][0][0])
        self.assertEqual(cases["Account.HasOptions"][1]["raddle_runs"], "50")
        self.assertEqual(cases["Account.ExploresAll"][1]["raddle_complete"], "yes")

    def test_a_filter_chooses_and_the_schedule_replays(self):
        chosen = "--gtest_filter=Account.Careless*"
        cases = self.report(built / "gtest_sample", chosen, code=1)
        self.assertEqual(set(cases), {"Account.CarelessnessOverdraws"})
        command = cases["Account.CarelessnessOverdraws"][1]["raddle_replay"]
        self.assertIn("--gtest_filter=Account.CarelessnessOverdraws", command)
        said = run("sh", "-c", command, code=1)
        self.assertIn("overdrawn", said)
        self.assertIn("[  raddle  ] 1 run", said)

    def test_the_same_binary_under_raddle_test(self):
        said = run(prefix / "bin/raddle", "test", "--schedules", "300", built / "gtest_sample",
                   "--gtest_filter=Account.CarelessnessOverdraws", code=1)
        self.assertIn("overdrawn", said)
        self.assertIn("1 finding", said)

    def test_by_the_wrapper_alone(self):
        program = work / "wrapped"
        run(prefix / "bin/raddle-c++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-pedantic",
            SOURCE / "gtest_sample.cpp", SOURCE / "account.cpp", "-o", program, "-lgtest",
            "-lgtest_main", RADDLE_CXX=options.compiler)
        self.assert_results(self.report(program, code=1))

    def test_by_pkg_config(self):
        program = work / "by_pkg_config"
        package = "raddle-clang" if "clang" in options.compiler else "raddle"
        answer = lambda *what: shlex.split(
            run("pkg-config", *what, PKG_CONFIG_PATH=str(prefix / "lib/pkgconfig")))
        run(options.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror",
            *answer("--cflags", package), SOURCE / "gtest_sample.cpp", SOURCE / "account.cpp",
            "-o", program, *answer("--libs", package, "gtest_main"))
        self.assertTrue(instrumented(program))
        self.assertNotIn("libtsan.so.2", needed(program))
        self.assert_results(self.report(program, code=1))


class Catch2(unittest.TestCase):
    def test_reports_carry_the_schedule(self):
        path = work / "catch2.xml"
        run(built / "catch2_sample", "-r", "junit", "-o", path, code=len(CATCH2_FAILURES))
        texts = {case.get("name").split("/")[0]: [failure.text for failure in case.iter("failure")]
                 for case in ElementTree.parse(path).iter("testcase")}
        self.assertEqual(set(texts), CATCH2_FAILURES | CATCH2_PASSES)
        self.assertEqual({name for name, text in texts.items() if text}, CATCH2_FAILURES)
        for name in CATCH2_FAILURES:
            schedule = re.search(r"schedule file: (.*)", texts[name][0]).group(1)
            self.assertTrue((work / schedule).is_file(), schedule)
        self.assertRegex(texts["careless"][0], r"REQUIRE\( account.amount\(\) >= 0 \)")
        self.assertIn("after the rent", texts["seen by another thread"][0])
        self.assertIn("SECTION inside of RADDLE_TEST_CASE", texts["no sections"][0])

    def test_one_case_is_chosen_and_replayed(self):
        said = run(built / "catch2_sample", "seen by another thread", code=1)
        schedule = re.search(r"schedule file: (.*)", said).group(1)
        said = run(built / "catch2_sample", "seen by another thread", code=1,
                   RADDLE_REPLAY=schedule)
        self.assertIn("after the rent", said)


class Light(unittest.TestCase):
    def test_by_pkg_config(self):
        if not has_light():
            self.skipTest("this build has no libraddle_light.a")
        program = work / "light_by_pkg_config"
        flags = shlex.split(run("pkg-config", "--cflags", "--libs", "raddle-light", "gtest_main",
                                PKG_CONFIG_PATH=str(prefix / "lib/pkgconfig")))
        run(options.compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror",
            SOURCE / "light_sample.cpp", SOURCE / "account.cpp", *flags, "-o", program)
        run(program, "--gtest_filter=Light.Orders*")
        said = run(program, "--gtest_filter=Light.*:-Light.Orders*", code=1)
        self.assertEqual(set(re.findall(r"FAILED  \] (Light\S+)", said)), LIGHT_FAILURES)
        self.assertIn('"unwanted"', said)
        self.assertIn("column", said)


class Mistakes(unittest.TestCase):
    def configure(self, line):
        folder = work / "mistake"
        folder.mkdir(exist_ok=True)
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.17)\nproject(mistake CXX)\n"
            f"find_package(raddle REQUIRED)\n{line}\n")
        said = run("cmake", "-S", folder, "-B", folder / "build", code=1,
                   CMAKE_PREFIX_PATH=str(prefix))
        return " ".join(said.split())

    def test_are_named(self):
        for line, message in (
                ("raddle_instrument(nobody)", "raddle_instrument(nobody): there is no such target"),
                ("add_library(i INTERFACE)\nraddle_instrument(i)",
                 "raddle_instrument(i): the target has no sources to be instrumented"),
                ("raddle_add_test(t GTEST)", "raddle_add_test(t): SOURCES are missing"),
                ("raddle_add_test(t SOURCES a.cpp GTEST CATCH2)", "GTEST or CATCH2, not both")):
            self.assertIn(message, self.configure(line))


def main():
    global options, work, prefix, built
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--keep", type=pathlib.Path, help="work here, and leave everything there")
    options, rest = parser.parse_known_args()
    options.build = options.build.resolve()
    work = options.keep.resolve() if options.keep else pathlib.Path(tempfile.mkdtemp())
    prefix, built = work / "prefix", work / "sample"
    work.mkdir(parents=True, exist_ok=True)
    try:
        set_up()
        return not unittest.main(argv=[sys.argv[0], *rest], exit=False).result.wasSuccessful()
    finally:
        if not options.keep:
            shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
