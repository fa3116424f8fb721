# SPDX-License-Identifier: Apache-2.0
"""Event schedules on the command line: what is said of schedules that cannot be used, that cannot
be satisfied or that are violated, and how events are shown."""

import subprocess
import unittest

from harness import HERE, CliTest, line_of

INCLUDE = f"-I{HERE.parent.parent / 'include'}"


class Events(CliTest):
    def run_scheduled(self, schedule, what="plain", mode="active", schedules=60, code=None,
                      options=()):
        program = self.place("scheduled", INCLUDE)
        return self.campaign("--schedules", schedules, *options, program, schedule, mode, what,
                             code=code)

    def message(self, schedule, what="plain", mode="active", kind="schedule-deadlock"):
        data = self.run_scheduled(schedule, what, mode, code=1)
        finding = data["findings"][0]
        self.assertEqual(finding["kind"], kind, finding)
        self.raddle("replay", finding["id"], code=1)
        return finding["message"]

    def assert_clean(self, *arguments, **options):
        data = self.run_scheduled(*arguments, code=0, **options)
        self.assertEqual(data["findings"], [])


class Unusable(Events):
    def refusal(self, schedule):
        result = self.raddle("test", self.place("scheduled", INCLUDE), schedule, "active", "plain",
                             code=3)
        return result.err

    def test_syntax_errors_point_at_the_column(self):
        self.assertIn('the event schedule "given" cannot be used: column 5: expected an event '
                      'after "->", but the schedule ends here', self.refusal("x ->"))
        self.assertIn("line 2, column 3: orderings cannot be chained",
                      self.refusal("x -> a\n  -> b"))

    def test_cycles_are_named(self):
        self.assertIn("form a cycle, so none of their events can happen: a -> b -> x -> a",
                      self.refusal("a -> b, b -> x, x -> a"))


class Enforced(Events):
    def test_feasible_schedules_are_satisfied_in_every_run(self):
        for schedule in ("x -> a", "b -> x", "a -> x, x -> b, b -> y", "end@worker -> x",
                         "start@worker -> x", "x || nothing -> a", "y -> start@worker",
                         "y -> end@worker"):
            self.assert_clean(schedule)
            self.assert_clean(schedule, options=("--timers", "any", "--spurious", 1))

    def test_what_is_missing_is_named(self):
        self.assertEqual(
            self.message("never -> a"),
            "T1 worker is paused before `a` by `never -> a`, but `never` has not happened: no "
            "thread has passed it")
        self.assertEqual(
            self.message("x#2 -> a"),
            "T1 worker is paused before `a` by `x#2 -> a`, but `x#2` has not happened (only 1 of "
            "2)")
        self.assertEqual(
            self.message("x@other -> a"),
            "T1 worker is paused before `a` by `x@other -> a`, but `x@other` has not happened: "
            "there has been no thread named `other`")
        self.assertEqual(
            self.message("c@worker -> y"),
            "T0 main is paused before `y` by `c@worker -> y`, but `c@worker` has not happened: "
            "T1 worker has ended")
        self.assertIn(
            "T0 main is paused before `x` by `b@worker -> x`, but `b@worker` has not happened: "
            "T1 worker is itself paused before `a`; T1 worker is paused before `a` by `y -> a`, "
            "but `y` has not happened: no thread has passed it",
            self.message("b@worker -> x, y -> a"))

    def test_every_ordering_that_keeps_an_event_back_is_named(self):
        message = self.message("never -> a, nowhere -> a")
        self.assertIn("by `never -> a`, but `never` has not happened: no thread has passed it; "
                      "and by `nowhere -> a`", message)

    def test_blocked_is_who_waits_for_others_and_not_who_sleeps(self):
        self.assert_clean("[a@worker] -> x", what="waiting")
        self.assertIn("T1 worker, which has passed `a@worker`, has ended",
                      self.message("[a@worker] -> x", what="sleeping"))

    def test_who_is_kept_back_by_the_schedule_is_not_blocked(self):
        self.assertIn("T1 worker, which has passed `a@worker`, is itself paused before `b`",
                      self.message("[a@worker] -> x, y -> b"))

    def test_a_paused_thread_runs_its_signal_handlers(self):
        self.assert_clean("handling -> x, x -> a", what="interrupted")

    def test_the_end_of_a_schedule_releases_whom_it_kept_back(self):
        self.assert_clean("never -> b", what="ended")

    def test_a_thread_named_when_it_has_begun_cannot_be_kept_back(self):
        self.assert_clean("start@worker -> x, x -> a@worker", what="named")
        self.assertEqual(
            self.message("x -> start@worker", what="named", kind="schedule-violation"),
            "T1 worker passed `start@worker` against `x -> start@worker`, but `x` has not "
            "happened: no thread has passed it")


class Watched(Events):
    def test_all_orderings_that_an_event_violates_are_reported(self):
        message = self.message("never -> a, y#2 -> a", mode="passive", kind="schedule-violation")
        self.assertIn("T1 worker passed `a` against `never -> a`", message)
        self.assertIn("; and against `y#2 -> a`, but", message)

    def test_each_reversal_of_an_order_is_found(self):
        # The worker passes a before b, main x before y: each of these can be the wrong way round.
        for schedule in ("x -> a", "a -> x", "y -> b", "b -> y", "y -> a", "a -> y"):
            self.message(schedule, mode="passive", kind="schedule-violation")

    def test_orders_that_the_program_keeps_are_never_violated(self):
        self.assert_clean("a -> b, x -> y, start@worker -> a, b -> end@worker", mode="passive")


class Unused(Events):
    def test_events_that_no_run_passes_are_named(self):
        program = self.place("scheduled", INCLUDE)
        result = self.raddle("test", "--schedules", 20, program, "x -> typo@worker, x -> a",
                             "active", "plain", code=0)
        self.assertIn('no run has passed `typo@worker` of the event schedule "given": is it '
                      'misspelt?', result.out + result.err)
        data = self.run_scheduled("x -> b", code=0)
        self.assertNotIn("unused_events", data)


class Shown(Events):
    def test_events_stand_in_the_column_of_their_thread(self):
        self.run_scheduled("never -> b", code=1)
        shown = self.raddle("show", 1, code=0, env={"COLUMNS": "120"}).out
        header = shown.splitlines()[0]
        column = header.index("T1 worker")
        line = next(line for line in shown.splitlines() if line.endswith("event a"))
        self.assertEqual(line.index("event a"), column)
        self.assertIn(f"scheduled.cpp:{line_of('scheduled', 'a')}", shown)
        self.assertIn("✗ paused by the schedule before event `b`", shown)

    def test_names_of_any_length_are_shown(self):
        self.run_scheduled("p -> q", what="computed", code=1)
        shown = self.raddle("show", 1, code=0, env={"COLUMNS": "150"}).out
        for i in range(3):
            self.assertIn(f"event an.event.with.a.long.name.and.a.number.at.its.end{i}\n", shown)


class Elsewhere(CliTest):
    def test_without_instrumentation_events_are_nothing_at_all(self):
        source = ('#include "raddle/event.h"\n'
                  'void f(void) { RADDLE_EVENT("e"); RADDLE_NAME_THREAD("t"); }\n')
        for compiler, name in (("gcc", "plain.c"), ("g++", "plain.cpp")):
            (self.dir / name).write_text(source)
            subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", INCLUDE, "-c", name, "-o",
                            "plain.o"], cwd=self.dir, check=True)
            symbols = subprocess.run(["nm", "plain.o"], cwd=self.dir, capture_output=True,
                                     text=True, check=True).stdout
            self.assertNotIn("raddle", symbols)

    def test_code_with_events_links_with_thread_sanitizer_itself(self):
        (self.dir / "tsan.cpp").write_text('#include "raddle/event.h"\n'
                                           "int main() {\n"
                                           '  raddle::ScheduleScope scope("s", "a -> b");\n'
                                           '  raddle::name_thread("t");\n'
                                           '  RADDLE_EVENT("b");\n'
                                           "  return raddle::current_schedule()[0] != 0;\n"
                                           "}\n")
        subprocess.run(["g++", "-fsanitize=thread", INCLUDE, "tsan.cpp", "-o", "tsan"],
                       cwd=self.dir, check=True)
        symbols = subprocess.run(["nm", "tsan"], cwd=self.dir, capture_output=True, text=True,
                                 check=True).stdout
        self.assertRegex(symbols, r" w raddle_event\b")


if __name__ == "__main__":
    unittest.main()
