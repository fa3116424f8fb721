// SPDX-License-Identifier: Apache-2.0
//
// Judging a run. Engine side; pure.
#include "facts/judge.h"

#include <sys/wait.h>

namespace raddle::facts {
namespace {

using wire::VerdictKind;

Judgement by_exit_code(int code, int expect_exit) {
  if (code == expect_exit) return {};
  return {Outcome::finding, FindingKind::exit_code};
}

}  // namespace

Judgement judge(const Run& run, int expect_exit) {
  switch (run.verdict.kind) {
    case VerdictKind::assertion:
      return {Outcome::finding, FindingKind::assertion};
    case VerdictKind::crash:
      return {Outcome::finding, FindingKind::crash};
    case VerdictKind::stack_overflow:
      return {Outcome::finding, FindingKind::stack_overflow};
    case VerdictKind::exception:
      return {Outcome::finding, FindingKind::exception};
    case VerdictKind::deadlock:
      return {Outcome::finding, FindingKind::deadlock};
    case VerdictKind::hang:
      return {Outcome::finding, FindingKind::hang};
    case VerdictKind::use_after_free:
      return {Outcome::finding, FindingKind::use_after_free};
    case VerdictKind::double_free:
      return {Outcome::finding, FindingKind::double_free};
    case VerdictKind::heap_overflow:
      return {Outcome::finding, FindingKind::heap_overflow};
    case VerdictKind::sync_misuse:
      return {Outcome::finding, FindingKind::sync_misuse};
    case VerdictKind::leaked_thread:
      // The program has ended with 0 all the same.
      if (expect_exit != 0) return {Outcome::finding, FindingKind::exit_code};
      return {Outcome::finding, FindingKind::leaked_thread};
    case VerdictKind::schedule_deadlock:
      return {Outcome::finding, FindingKind::schedule_deadlock};
    case VerdictKind::schedule_violation:
      return {Outcome::finding, FindingKind::schedule_violation};
    case VerdictKind::idle:
      return {};
    case VerdictKind::limit:
      return {Outcome::limited, {}};
    case VerdictKind::blocked:
      return {Outcome::blocked, {}};
    case VerdictKind::divergence:
      return {Outcome::diverged, {}};
    case VerdictKind::unsupported:
      return {Outcome::unsupported, {}};
    case VerdictKind::exited:
    case VerdictKind::none:
      break;
  }
  if (run.verdict.kind == VerdictKind::none && run.timed_out)
    return {Outcome::finding, FindingKind::hang};
  // The status of the process counts: a destructor or an atexit handler may have the last word.
  if (WIFSIGNALED(run.wait_status)) return {Outcome::finding, FindingKind::crash};
  return by_exit_code(WEXITSTATUS(run.wait_status), expect_exit);
}

}  // namespace raddle::facts
