# SPDX-License-Identifier: Apache-2.0
"""The fork server and fresh processes do the same; what raddle cannot control is named."""

import resource
import unittest

from harness import CliTest, line_of


class SameRuns(CliTest):
    def events(self, executor, *arguments):
        dump = self.dir / f"events-{executor}"
        data = self.campaign("--dump-events", dump, "--out", f"out-{executor}", *arguments,
                             env={"RADDLE_EXECUTOR": executor})
        data.pop("seconds")
        for finding in data["findings"]:
            finding["directory"] = finding["directory"].removeprefix(f"out-{executor}")
        return data, dump.read_bytes()

    def compare(self, *arguments):
        fork_data, fork_events = self.events("fork", *arguments)
        exec_data, exec_events = self.events("exec", *arguments)
        self.assertEqual(fork_data, exec_data)
        self.assertGreater(len(fork_events), 1000)
        self.assertTrue(fork_events == exec_events, "the event streams differ")
        return fork_data

    def test_a_bug_is_found_in_the_same_run_with_the_same_events(self):
        data = self.compare("--seed", 3, "--keep-going", "--schedules", 30, self.place("account"))
        self.assertEqual([f["kind"] for f in data["findings"]], ["assertion"])

    def test_a_clean_program_goes_the_same_ways(self):
        self.compare("--seed", 4, "--schedules", 30, self.place("account"), "fixed")

    def test_plain_accesses_are_learned_the_same_way(self):
        self.compare("--seed", 5, "--schedules", 30, self.place("surroundings"), "plain")

    def test_a_deadlock_and_virtual_time(self):
        self.compare("--schedules", 40, self.place("verdicts"), "abba")
        for executor in ("fork", "exec"):
            (self.dir / f"events-{executor}").unlink()
        self.compare("--schedules", 20, "--timers", "any", self.place("surroundings"), "sleep")

    def test_findings_of_the_one_replay_under_the_other(self):
        for recorded, replayed in (("fork", "exec"), ("exec", "fork")):
            out = f"out-{recorded}"
            self.events(recorded, self.place("surroundings"), "plain")
            self.raddle("replay", "--out", out, 1, code=1, env={"RADDLE_EXECUTOR": replayed})

    def test_another_executor_is_refused(self):
        result = self.raddle("test", self.place("account"), code=2, env={"RADDLE_EXECUTOR": "ray"})
        self.assert_words(result.err, "RADDLE_EXECUTOR", "ray", "fork", "exec")


class Nondeterminism(CliTest):
    def reported(self, mode, *options):
        result = self.raddle("test", "--schedules", 5, *options, self.place("surroundings"), mode,
                             code=0)
        self.assert_words(result.err, "the same plan led to different runs", "step",
                          f"surroundings.cpp:{line_of('surroundings', mode)}")
        self.assertRegex(result.err, r"first at step \d+")

    def test_of_the_time_stamp_counter_is_reported_with_step_and_site(self):
        self.reported("time-stamp")

    def test_of_a_file_is_reported_with_step_and_site(self):
        self.reported("counter-file")

    def test_is_reported_for_fresh_processes_too(self):
        result = self.raddle("test", "--schedules", 5, self.place("surroundings"), "counter-file",
                             code=0, env={"RADDLE_EXECUTOR": "exec"})
        self.assert_words(result.err, "different runs", "surroundings.cpp")

    def test_is_in_the_json_too(self):
        data = self.campaign("--schedules", 2, self.place("surroundings"), "counter-file", code=0)
        self.assert_words(data["nondeterminism"], "step", "surroundings.cpp")

    def test_is_not_reported_for_deterministic_programs(self):
        for program, mode in (("account", "fixed"), ("surroundings", "winner"),
                              ("surroundings", "sleep"), ("surroundings", "endless"),
                              ("surroundings", "plain")):
            with self.subTest(mode=mode):
                result = self.raddle("test", "--schedules", 3, "--max-steps", 2000,
                                     self.place(program), mode)
                self.assertEqual(result.err, "")


class Uncontrolled(CliTest):
    """What raddle cannot run is named; what only looks like it is run."""

    def test_objects_that_are_shared_with_a_child(self):
        words = {"mutex": "a mutex", "cond": "a condition variable", "rwlock": "a read-write lock",
                 "barrier": "a barrier", "semaphore": "a semaphore", "futex": "a futex",
                 "named": "a named semaphore"}
        program = self.place("uncontrolled")
        for mode, word in words.items():
            with self.subTest(mode=mode):
                result = self.raddle("test", "--schedules", 2, program, mode, code=3)
                self.assert_words(result.err, f"shares {word}", "forked", "one process")

    def test_threads_of_clone(self):
        program = self.place("uncontrolled")
        for mode in ("clone", "clone-call"):
            with self.subTest(mode=mode):
                result = self.raddle("test", "--schedules", 2, program, mode, code=3)
                self.assert_words(result.err, "makes a thread by clone")

    def test_threads_of_libc(self):
        program = self.place("uncontrolled")
        for mode, word in {"aio": "asynchronous I/O", "mq": "mq_notify"}.items():
            with self.subTest(mode=mode):
                result = self.raddle("test", "--schedules", 2, program, mode, code=3)
                self.assert_words(result.err, word, "cannot control")

    def test_processes_and_what_is_not_shared(self):
        program = self.place("uncontrolled")
        for mode in ("after", "private", "process", "vfork", "named-unused"):
            with self.subTest(mode=mode):
                self.raddle("test", "--schedules", 5, program, mode, code=0)

    def test_an_unlimited_stack_is_limited(self):
        if resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY:
            self.skipTest("the hard limit on the stack forbids it")
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        process = self.start("test", "--schedules", 5, self.place("account"), "fixed",
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK,
                                                                   unlimited))
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertIn("the stack is unlimited", str(err))


if __name__ == "__main__":
    unittest.main()
