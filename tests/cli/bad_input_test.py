# SPDX-License-Identifier: Apache-2.0
"""Bad usage and input (exit code 2) and programs that cannot be controlled (3). A message names the
thing, says what was expected and what to do; nothing is written."""

import os
import shutil
import struct
import subprocess
import unittest

from harness import HERE, CliTest, build


class BadInput(CliTest):
    def refused(self, code, words, *arguments, **options):
        before = sorted(os.listdir(self.dir))
        result = self.raddle(*arguments, code=code, **options)
        self.assertTrue(result.err.startswith("raddle: error: "), result)
        self.assertEqual(result.out, "")
        self.assert_words(result.err, *words)
        self.assertEqual(sorted(os.listdir(self.dir)), before, "something was written")
        return result


class Usage(BadInput):
    def test_unknown_names_suggest_the_right_ones(self):
        program = self.place("account")
        for words, arguments in (
                (["command", "tset", "did you mean test?"], ["tset", program]),
                (["--schedule", "did you mean --schedules?"], ["test", "--schedule", 3, program]),
                (["--tiem", "did you mean --time?"], ["test", "--tiem=3s", program]),
                (["strategy", "randon", "did you mean random?"],
                 ["test", "--strategy", "randon", program]),
                (["--points", "share", "shared"], ["test", "--points", "share", program]),
                (["--timers", "none", "idle", "any"], ["test", "--timers", "none", program]),
                (["--races", "on", "report", "fail"], ["test", "--races", "on", program]),
                (["--suppressions", "no.txt"], ["test", "--suppressions", "no.txt", program]),
                (["--outt", "did you mean --out?"], ["replay", "--outt", "x", 1]),
                (["--outt", "did you mean --out?"], ["show", "--outt", "x", 1])):
            with self.subTest(arguments=arguments):
                self.refused(2, words, *arguments)

    def test_values_out_of_range(self):
        program = self.place("account")
        for option, bad in (("--depth", ("0", "-1", "x", "1001", "3.5")),
                            ("--schedules", ("0", "-5", "many", "1e3")),
                            ("--seed", ("-1", "abc", "18446744073709551616")),
                            ("--time", ("0", "-3s", "3 days", "s", "nan", "inf")),
                            ("--run-timeout", ("0", "soon")),
                            ("--max-steps", ("0", "-1", "lots")),
                            ("--spurious", ("-1", "some")),
                            ("--expect-exit", ("256", "-1", "ok"))):
            for value in bad:
                with self.subTest(option=option, value=value):
                    self.refused(2, [option, f"`{value}`"], "test", option, value, program)

    def test_options_of_other_strategies(self):
        program = self.place("account")
        best = ["--strategy", "best-first"]
        for words, arguments in (
                (["--bound", "auto", "preemption-bound"], ["--bound", 2]),
                (["--bound", "dpor", "best-first"], ["--strategy", "dpor", "--bound", 2]),
                (["--bound", "`-1`"], [*best, "--bound", "-1"]),
                (["--priority", "random-walk", "best-first"],
                 ["--strategy", "random-walk", "--priority", "pb"]),
                (["--priority", "`mdpr`", "did you mean mdpor?"], [*best, "--priority", "pb,mdpr"]),
                (["--priority", "`pb` comes twice"], [*best, "--priority", "pb,pb"]),
                (["--priority", "empty part"], [*best, "--priority", "pb,,ss"]),
                (["--priority", "`method` needs names", "--method"],
                 [*best, "--priority", "method"]),
                (["--var", "nothing looks at"], [*best, "--priority", "pb", "--var", "balance"]),
                (["--method", "auto", "best-first"], ["--method", "main"]),
                (["--method", "empty name"],
                 [*best, "--priority", "method", "--method", "main,,x"]),
                (["--memory", "`2 GB`", "512M"], [*best, "--memory", "2 GB"]),
                (["--memory", "random"], ["--strategy", "random", "--memory", "1G"])):
            with self.subTest(arguments=arguments):
                self.refused(2, words, "test", *arguments, program)

    def test_missing_arguments(self):
        self.refused(2, ["which program", "raddle test"], "test")
        self.refused(2, ["which program"], "test", "--schedules", 3)
        self.refused(2, ["--seed", "needs a value"], "test", "--seed")
        self.refused(2, ["--depth", "empty"], "test", "--depth", "", "./x")
        self.refused(2, ["--depth", "empty"], "test", "--depth=", "./x")
        self.refused(2, ["--out", "empty"], "test", "--out", "", "./x")
        self.refused(2, ["--quiet", "no value"], "test", "--quiet=3", "./x")
        self.refused(2, ["which finding"], "show")
        self.refused(2, ["which finding"], "replay")
        self.refused(2, ["which finding"], "replay", 1, 2)
        result = self.raddle(code=2)
        self.assert_words(result.out + result.err, "usage")

    def test_findings_of_nothing(self):
        self.refused(2, ["no finding 1", ".raddle", "none yet"], "replay", 1)
        self.refused(2, ["no finding 1", ".raddle", "none yet"], "show", 1)

    def test_options_of_the_program_are_not_raddles(self):
        program = self.place("account")
        self.raddle("test", "--schedules", 2, program, "fixed", "--schedules", "x", code=0)
        self.raddle("test", "--schedules", 2, "--", program, "fixed", "--nonsense", code=0)


class Files(BadInput):
    def test_a_missing_program_suggests_its_neighbours(self):
        self.place("account")
        self.refused(2, ["./acount", "did you mean ./account?"], "test", "./acount")
        self.refused(2, ["`account`", "did you mean ./account?"], "test", "account")
        self.refused(2, ["./zzz"], "test", "./zzz")
        self.refused(2, ["the name of the program is empty"], "test", "")

    def test_files_that_are_no_programs(self):
        (self.dir / "text").write_text("hello\n")
        self.refused(2, ["./text", "not executable", "chmod +x"], "test", "./text")
        (self.dir / "text").chmod(0o755)
        self.refused(2, ["./text", "not an ELF", "raddle c++"], "test", "./text")
        (self.dir / "folder").mkdir()
        self.refused(2, ["./folder", "directory"], "test", "./folder")
        (self.dir / "empty").touch(0o755)
        self.refused(2, ["./empty"], "test", "./empty")
        os.mkfifo(self.dir / "pipe", 0o755)
        self.refused(2, ["./pipe", "not a regular file"], "test", "./pipe")

    def test_a_script(self):
        (self.dir / "script").write_text("#!/bin/sh\nexit 0\n")
        (self.dir / "script").chmod(0o755)
        result = self.raddle("test", "./script")
        self.assertIn(result.code, (2, 3), result)
        self.assert_words(result.err, "./script", "is a script", "name the program")

    def test_damaged_programs(self):
        data = build("account").read_bytes()
        for size in (16, 63, 64, 1000):
            with self.subTest(size=size):
                (self.dir / "cut").write_bytes(data[:size])
                (self.dir / "cut").chmod(0o755)
                result = self.raddle("test", "./cut")
                self.assertIn(result.code, (2, 3), result)
                self.assert_words(result.err, "./cut")

    def test_libraries_and_objects(self):
        (self.dir / "part.c").write_text("int part(void) { return 1; }\n")
        subprocess.run(["gcc", "-c", "part.c"], cwd=self.dir, check=True)
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", "libpart.so", "part.c"], cwd=self.dir,
                       check=True)
        (self.dir / "part.o").chmod(0o755)
        self.refused(2, ["./part.o", "object file", "link"], "test", "./part.o")
        self.refused(2, ["./libpart.so", "shared library"], "test", "./libpart.so")


def elf_header(machine, bits):
    """The beginning of an executable for another machine."""
    identity = b"\x7fELF" + bytes([bits // 32, 1, 1]) + bytes(9)
    address = "Q" if bits == 64 else "I"
    size = 64 if bits == 64 else 52
    return identity + struct.pack(f"<HHI{address}{address}{address}IHHHHHH", 2, machine, 1, 0, 0, 0,
                                  0, size, 0, 0, 0, 0, 0)


class Uncontrollable(BadInput):
    def compile(self, name, text, *flags):
        (self.dir / f"{name}.c").write_text(text)
        subprocess.run(["gcc", "-w", f"{name}.c", "-o", name, *flags], cwd=self.dir, check=True)
        return f"./{name}"

    def test_other_machines(self):
        for machine, bits, words in ((183, 64, "64-bit ARM"), (3, 32, "32-bit x86"),
                                     (40, 32, "32-bit ARM"), (243, 64, "RISC-V"),
                                     (62, 32, "x32")):
            with self.subTest(machine=machine):
                (self.dir / "foreign").write_bytes(elf_header(machine, bits))
                (self.dir / "foreign").chmod(0o755)
                self.refused(3, ["./foreign", words, "64-bit x86"], "test", "./foreign")

    def test_static_linking(self):
        for name, flag in (("fixed", "-static"), ("moving", "-static-pie")):
            program = self.compile(name, "int main() { return 0; }", flag)
            self.refused(3, [program, "statically linked", "-static"], "test", program)

    def test_other_sanitizers(self):
        for flag in ("address", "thread", "leak"):
            program = self.compile(flag, "int main() { return 0; }", f"-fsanitize={flag}")
            self.refused(3, [program, f"-fsanitize={flag}", "raddle c++"], "test", program)

    def test_a_cancelled_thread_without_points(self):
        program = self.place("cancelled_loop")
        result = self.raddle("test", "--run-timeout", 1, program, code=3)
        self.assert_words(result.err, program, "PTHREAD_CANCEL_ASYNCHRONOUS", "point")

    def test_set_uid(self):
        program = self.place("account")
        for mode in (0o4755, 0o2755):
            (self.dir / "account").chmod(mode)
            self.refused(3, [program, "set-uid", "copy"], "test", program)

    def test_failing_before_main(self):
        for executor in ("fork", "exec"):
            with self.subTest(executor=executor):
                self.refused(3, ["before_main", "before it reached main", "code 5"], "test",
                             self.place("before_main"), env={"RADDLE_EXECUTOR": executor})

    def test_a_missing_library(self):
        (self.dir / "part.c").write_text("int part(void) { return 1; }\n")
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", "libpart.so", "part.c"], cwd=self.dir,
                       check=True)
        program = self.compile("user", "int part(void); int main() { return part(); }", "-L.",
                               "-lpart")
        (self.dir / "libpart.so").unlink()
        self.refused(3, [program, "libpart.so"], "test", program)

    def test_a_program_not_built_by_raddle_runs_with_a_note(self):
        shutil.copy(HERE / "programs/account.cpp", self.dir)
        subprocess.run(["g++", "-g", "account.cpp", "-o", "account"], cwd=self.dir, check=True)
        result = self.raddle("test", "--schedules", 20, "./account", "fixed", code=0)
        self.assert_words(result.err, "not built with `raddle c++`", "synchronisation")


if __name__ == "__main__":
    unittest.main()
