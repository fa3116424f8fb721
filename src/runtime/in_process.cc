// SPDX-License-Identifier: Apache-2.0
//
// The loop of in-process runs. Target side. See in_process.h.
#include "runtime/in_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <type_traits>

#include "base/check.h"
#include "base/rng.h"
#include "policy/dfs_step.h"
#include "runtime/annotated_locks.h"
#include "runtime/callbacks.h"
#include "runtime/children.h"
#include "runtime/controller.h"
#include "runtime/coroutines.h"
#include "runtime/descriptors.h"
#include "runtime/emit.h"
#include "runtime/fatal.h"
#include "runtime/heap.h"
#include "runtime/leftovers.h"
#include "runtime/libc_hooks.h"
#include "runtime/misuse.h"
#include "runtime/objects.h"
#include "runtime/openmp.h"
#include "runtime/order.h"
#include "runtime/program_timers.h"
#include "runtime/race.h"
#include "runtime/real.h"
#include "runtime/restore.h"
#include "runtime/shadow.h"
#include "runtime/signal_queue.h"
#include "runtime/start.h"
#include "runtime/timers.h"
#include "runtime/tls.h"

namespace raddle::runtime {
namespace {

using wire::Batch;
using wire::BatchEnd;
using wire::Body;
using wire::VerdictKind;

// Epochs are 32 bits wide; before they run out the shadow is cleared and they start again.
constexpr std::uint32_t kEpochsMax = 3u << 30;
// Reading the clock costs as much as a short run.
constexpr std::uint64_t kRunsPerLook = 64;

bool forked;               // this process was made to repeat one run
void* run_exit[5];         // where leave_run() jumps to
std::uint64_t run_number;  // of all runs in this process
std::uint64_t run_seen;    // by the watchdog

// libstdc++'s count of exceptions in flight, which a run that is left by a jump leaves behind.
struct ExceptionState {
  void* caught;
  unsigned uncaught;
};
ExceptionState* (*exception_state)();
ExceptionState exceptions_before;  // all runs

// The C++ library's own handler says what an uncaught exception was, but only the first time in a
// process: in place it is passed over, so that it is left for the repetitions.
using TerminateHandler = void();
TerminateHandler* (*set_terminate)(TerminateHandler*);
TerminateHandler* library_handler;
TerminateHandler* previous_terminate;

// The first of the run that failed; empty: none has.
char failed_check[wire::kMessageMax];
std::uintptr_t failed_check_pc;

void begin_fresh_run() {
  ++run_number;
  begin_verdict();
  renew_main_fiber();
  view_of(g.fibers[0]) = {};
  forget_reported_races();
  reset_signals();
  reset_timers();
  forget_children();
  restart_numbers();
  reset_time();
  g.serial = g.cares.yielding = g.cond_waiters = g.cares.io_waiting = g.suspended_total = 0;
  g.cares.outside_signals = 0;
  g.io_changed = g.exiting = g.access_made = g.awaits_all = false;
  g.noteworthy = g.raced = false;
  failed_check[0] = '\0';
  forget_initialised();
  begin_heap_run();
  begin_run();
}

void end_fresh_run() {
  g.mode = Mode::off;
  g.access_mode = AccessMode::ignore;
  g.shared->steps = g.step;  // quick points do not tell
  g.shared->choices = g.record.choices;
  end_heap_run();
  forget_objects();
  forget_annotated_locks();
  forget_coroutines();
  std::uint32_t last = g.epoch_floor;
  for (ThreadId id = 0; id < g.thread_count; ++id)
    if (g.fibers[id].epoch > last) last = g.fibers[id].epoch;
  g.epoch_floor = last;
  if (__builtin_expect(last > kEpochsMax, 0)) {
    forget_all_shadow();
    g.epoch_floor = 1;
  }
  openmp::reset();
  end_other_fibers();
}

// Where the body's frames begin, in every run: programs hash addresses (the pool of std::atomic's
// waiters, tables of locks), so a run in place and its repetition must find the same ones, however
// deep the calls are that lead to them.
std::uintptr_t body_stack;
constexpr std::uintptr_t kBelowAttach = 32 << 10;

__attribute__((noinline)) void call_body(const Body& body);

__attribute__((noinline)) void call_body_at_its_place(const Body& body) {
  auto here = reinterpret_cast<std::uintptr_t>(__builtin_alloca(16));
  if (here > body_stack) {
    auto* gap = static_cast<char*>(__builtin_alloca(here - body_stack));
    __asm__ volatile("" ::"r"(gap) : "memory");  // or the compiler leaves it out
  }
  call_body(body);
  __asm__ volatile("" ::: "memory");  // no tail call: the gap has to stay
}

// The body's threads have ended when it returns; whoever has not is waited for.
__attribute__((noinline)) void call_body(const Body& body) {
  place_main_stack(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  body.function(body.argument);
  if (off()) _exit(0);  // a child of the test that has come to the end of its body
  switch_off_timers();
  await_others();
  if (failed_check[0] != '\0') end_run({.kind = VerdictKind::assertion});
  check_leaked_threads();
  check_held_locks();
}

// One run, from begin_run() on. The function is left by a jump, so it has no state.
__attribute__((noinline)) void make_run(const Body& body) {
  if (__builtin_setjmp(run_exit) == 0) call_body_at_its_place(body);
}

void run_once(const Body& body) {
  begin_fresh_run();
  make_run(body);
  end_fresh_run();
  if (g.shared->verdict.kind != VerdictKind::none && exception_state != nullptr)
    *exception_state() = exceptions_before;
  if (!forked) restore_globals();
}

std::uint64_t now_ns() {
  timespec now{};
  RADDLE_REAL(clock_gettime)(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// Signals during a test. What happens between runs is not ours.
void on_signal(int number, siginfo_t* info, void* context) {
  if (number == wire::kWatchdogSignal) {
    // It looks from time to time: a run that was there the last time hangs.
    bool stuck = run_seen == run_number || forked;
    run_seen = run_number;
    if (!running() || !stuck) return;
  } else if (!running()) {
    struct sigaction plain {};
    RADDLE_REAL(sigaction)(number, &plain, nullptr);
    return;  // and the fault happens again
  }
  report_crash(number, info, context);
}
PreviousHandlers previous_handlers;

void on_terminate() {
  bool passed_over = in_place() && running() && previous_terminate == library_handler;
  if (!passed_over && previous_terminate != nullptr) previous_terminate();
  abort();
}

void find_cxx_library() {
  auto find = [](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        find_symbol(RTLD_DEFAULT, name));
  };
  find(exception_state, "__cxa_get_globals");
  find(set_terminate, "_ZSt13set_terminatePFvvE");
  find(library_handler, "_ZN9__gnu_cxx27__verbose_terminate_handlerEv");
}

// Counts a run; false if the batch ends with it.
bool account(Batch& batch) {
  const wire::SharedHeader& shared = *g.shared;
  ++batch.runs;
  batch.steps += shared.steps;
  batch.fairness_cuts += shared.fairness_cuts != 0;
  batch.forgetful += (shared.reservations & wire::kAccessesLost) != 0;
  if (shared.steps > batch.longest) batch.longest = shared.steps;
  if (shared.threads > batch.threads) batch.threads = shared.threads;
  VerdictKind kind = shared.verdict.kind;
  if (kind == VerdictKind::limit) {
    ++batch.limited;
    batch.end = BatchEnd::noteworthy;
    return batch.ignore_limited != 0;
  }
  if (kind == VerdictKind::schedule_deadlock && batch.ignore_infeasible != 0) {
    ++batch.infeasible;
    return true;
  }
  if (kind == VerdictKind::divergence && batch.enumerate != 0) {
    --batch.runs;
    ++batch.diverged;
    return true;
  }
  if (kind != VerdictKind::none)
    batch.end = BatchEnd::failed;
  else if (g.noteworthy || batch.stop_at_good != 0 || (g.raced && batch.ignore_races == 0))
    batch.end = BatchEnd::noteworthy;
  else
    return true;
  return false;
}

// dfs: the plan becomes that of the next path. False if there is none.
bool take_next_path(Batch& batch) {
  wire::SharedHeader& shared = *g.shared;
  constexpr auto kRanks = wire::SteeringKind::ranks;
  RADDLE_CHECK(shared.steering.kind == kRanks);
  policy::DfsPath path{shared.steering_rows<kRanks>(), shared.steering.count, batch.wide != 0};
  bool followed =
      shared.verdict.kind != VerdictKind::divergence && policy::dfs_followed(path, shared.choices);
  policy::DfsStep step = followed ? policy::dfs_next(path, shared.schedule(), shared.choices)
                                  : policy::dfs_leave(path);
  shared.steering.count = path.count;
  batch.wide = path.wide ? 1 : 0;
  return step == policy::DfsStep::next;
}

bool is_over(const Batch& batch) {
  return batch.deadline_ns != 0 && batch.runs % kRunsPerLook == 0 && now_ns() >= batch.deadline_ns;
}

}  // namespace

bool in_place() { return g.in_process && !forked; }

void note_failed_check(const char* text, std::uintptr_t pc) {
  if (failed_check[0] != '\0') return;
  strncpy(failed_check, text, sizeof failed_check - 1);
  failed_check_pc = pc;
}

Ending after_failed_check(const Ending& ending) {
  bool of_the_program =
      ending.kind != VerdictKind::divergence && ending.kind != VerdictKind::unsupported;
  if (failed_check[0] == '\0' || !of_the_program) return ending;
  return {.kind = VerdictKind::assertion, .pc = failed_check_pc, .message = failed_check};
}

void leave_run() {
  g.mode = Mode::off;
  g.access_mode = AccessMode::ignore;
  const Fiber& main = g.fibers[0];
  g.current = &g.fibers[0];
  write_fs_base(main.thread_pointer);
  __builtin_longjmp(run_exit, 1);
}

}  // namespace raddle::runtime

using namespace raddle::runtime;

RADDLE_EXPORT const char* raddle_in_process_attach(raddle::wire::SharedHeader* shared) {
  if (!off()) return "the program is under control already";
  if (shared->version != raddle::wire::kProtocolVersion)
    return "libraddle_rt.so and libraddle_check.so are of different versions of raddle";
  bool first = !g.in_process;
  g.shared = shared;
  g.in_process = true;
  if (first) {
    init_runtime();
    g.epoch_floor = 1;
    find_cxx_library();
    hook_libc();
  }
  auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  body_stack = (frame - kBelowAttach) & ~std::uintptr_t{4095};
  if (exception_state != nullptr) exceptions_before = *exception_state();
  load_modules();
  ask_program();
  drop_kept_tls();  // libraries may have been loaded since
  install_signal_handlers(on_signal, &previous_handlers);
  if (set_terminate != nullptr) previous_terminate = set_terminate(on_terminate);
  return nullptr;
}

RADDLE_EXPORT void raddle_in_process_detach() {
  restore_signal_handlers(previous_handlers);
  if (set_terminate != nullptr) set_terminate(previous_terminate);
  g.shared = nullptr;
}

RADDLE_EXPORT void raddle_in_process_run(const raddle::wire::Body* body) {
  update_sites();
  open_recorder();
  if (prepare_runs()) run_once(*body);
}

RADDLE_EXPORT void raddle_in_process_batch(raddle::wire::Batch* batch,
                                           const raddle::wire::Body* body) {
  update_sites();
  open_recorder();
  g.record.quiet = g.record.quick = true;
  g.record.stacks = false;  // nobody would read them
  using raddle::wire::BatchEnd;
  if (!prepare_runs()) {
    batch->end = BatchEnd::failed;
    return;
  }
  while (batch->runs < batch->count) {
    if (batch->enumerate == 0)
      g.shared->plan.seed = raddle::run_seed(batch->seed, batch->first + batch->runs);
    run_once(*body);
    if (!account(*batch)) return;
    batch->end = BatchEnd::count;
    if (batch->enumerate != 0 && !take_next_path(*batch)) {
      batch->end = BatchEnd::exhausted;
      return;
    }
    if (is_over(*batch)) {
      batch->end = BatchEnd::time;
      return;
    }
  }
}

RADDLE_EXPORT void raddle_in_process_serve(int commands, int replies,
                                           const raddle::wire::Body* body) {
  serve(commands, replies);
  forked = true;
  open_recorder();
  prepare_runs();
  run_once(*body);
  fflush(nullptr);
  _exit(g.shared->verdict.kind == raddle::wire::VerdictKind::none ? 0 : kEndedByVerdict);
}
