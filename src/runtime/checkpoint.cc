// SPDX-License-Identifier: Apache-2.0
//
// Making a checkpoint and serving from it. Target side. See checkpoint.h for the rules.
//
// A checkpoint is a sibling of the run that makes it (CLONE_PARENT), so whoever waits for the run
// still does. It is connected to the engine by a socket of its own, which is opened only now: a run
// has no descriptor that its program could see, close or inherit to others. The checkpoint ends
// when the other end of that socket is closed, by the engine or by its death.
#include "runtime/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/engine_call.h"
#include "runtime/locate.h"
#include "runtime/real.h"
#include "runtime/resident.h"
#include "runtime/shared_with_others.h"
#include "runtime/start.h"
#include "runtime/tls.h"

namespace raddle::runtime {
namespace {

// Engines copy the events before a checkpoint for every run that starts there.
constexpr std::uint64_t kEventsMax = std::uint64_t{1} << 20;

// A step of the first thread before there was another one: all that a policy may ask about it.
struct LoneStep {
  model::PendingOp op;
  wire::Location where;
  StepIndex step;
};
constexpr std::uint32_t kLoneStepsMax = 4096;
// Bytes: an array of these would need a constructor.
alignas(LoneStep) unsigned char lone_storage[kLoneStepsMax * sizeof(LoneStep)];
std::uint32_t lone_count;  // beyond the table's end: those after it are not known
bool notes_steps;
const LoneStep* told;  // the policy is being told about it

bool lasting_effect;
std::uint32_t left;         // checkpoints that the run may still make
std::uint64_t begun_ns;     // prefix_ns() counts from here
std::uint64_t previous_ns;  // the last checkpoint of the run, or its beginning

LoneStep& lone_step(std::uint32_t index) {
  return reinterpret_cast<LoneStep*>(lone_storage)[index];
}

std::uint64_t real_now_ns() {
  timespec now{};
  RADDLE_REAL(clock_gettime)(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void stop_checkpoints() {
  left = 0;
  g.checkpoints = false;
}

wire::Location locate_told(std::uintptr_t address) {
  return told != nullptr && told->op.address == address ? told->where : locate(address);
}

// The policy of the plan begins here, after steps that were made without it.
void begin_policy() {
  prepare_runs();
  begin_policy_of_plan(&locate_told);
  if (!g.cares.tell_policy) return;
  model::PendingOp pending = g.views[0].op;
  for (std::uint32_t i = 0; i < lone_count; ++i) {
    told = &lone_step(i);
    g.views[0].op = told->op;
    g.policy->took({g.enabled, g.views, 1, 0, told->step}, 0);
  }
  told = nullptr;
  g.views[0].op = pending;
}

void resume_policy() {
  g.policy->resume(plan_view(&locate), g.record.choices);
  g.cares.tell_policy = g.policy->counts_steps();
}

bool can_serve_plan(bool before_threads, bool resides) {
  if (objection_to_plan() != nullptr) return false;  // who begins at main will say so
  if (!before_threads || lone_count <= kLoneStepsMax) return true;
  if (resides) return false;  // the next plan may want what this one does not
  prepare_runs();
  begin_policy_of_plan(&locate_told);
  return !g.cares.tell_policy;
}

// What lies in no memory of the process itself, so that the run which goes on changes it: counters
// in the engine's block, the offset of the input. invariant: read before the fork.
struct Counters {
  std::uint32_t steps, choices, threads, preemptions, fairness_cuts, too_many_threads;
  std::uint32_t reservations;
  InputPlace input;
};

Counters read_counters() {
  const wire::SharedHeader& shared = *g.shared;
  return {.steps = shared.steps,
          .choices = shared.choices,
          .threads = shared.threads,
          .preemptions = shared.preemptions,
          .fairness_cuts = shared.fairness_cuts,
          .too_many_threads = shared.too_many_threads,
          .reservations = shared.reservations,
          .input = input_place()};
}

void write_counters(const Counters& counters) {
  wire::SharedHeader& shared = *g.shared;
  shared.steps = counters.steps;
  shared.choices = counters.choices;
  shared.threads = counters.threads;
  shared.preemptions = counters.preemptions;
  shared.fairness_cuts = counters.fairness_cuts;
  shared.too_many_threads = counters.too_many_threads;
  shared.reservations = counters.reservations;
  reopen_input(counters.input);
}

// The kernel's state that the checkpoint has otherwise than its runs.
struct Masked {
  sigset_t mask;
  struct sigaction child_ended;
};

void mask_signals(Masked& before) {
  sigset_t all;
  sigfillset(&all);
  RADDLE_REAL(sigprocmask)(SIG_SETMASK, &all, &before.mask);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;  // where it is ignored, children cannot be waited for
  RADDLE_REAL(sigaction)(SIGCHLD, &plain, &before.child_ended);
}

void unmask_signals(const Masked& before) {
  RADDLE_REAL(sigaction)(SIGCHLD, &before.child_ended, nullptr);
  RADDLE_REAL(sigprocmask)(SIG_SETMASK, &before.mask, nullptr);
}

[[noreturn]] void end_process() {
  RADDLE_REAL(syscall)(SYS_exit_group, 0L);
  __builtin_unreachable();
}

// libc has to know the new number of its kernel thread. fork() would write it into the current
// thread's descriptor, which may be a fiber's.
pid_t fork_run() {
  return static_cast<pid_t>(
      RADDLE_REAL(syscall)(SYS_clone, CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, 0L, 0L,
                           kernel_thread_number(), 0L));
}

// Waits for the run, but not longer than the engine lives.
int await_run(int channel, pid_t run) {
  int ended = static_cast<int>(RADDLE_REAL(syscall)(SYS_pidfd_open, static_cast<long>(run), 0L));
  pollfd files[] = {{ended, POLLIN, 0}, {channel, POLLIN, 0}};
  while (ended >= 0 && RADDLE_REAL(poll)(files, 2, -1) >= 0 && files[0].revents == 0)
    if (files[1].revents != 0) {
      RADDLE_REAL(kill)(run, SIGKILL);
      end_process();
    }
  RADDLE_REAL(close)(ended);
  int status = 0;
  while (RADDLE_REAL(wait4)(run, &status, 0, nullptr) < 0 && errno == EINTR) {
  }
  return status;
}

void reply(int channel, std::int32_t status, std::int32_t error) {
  wire::Reply answer{status, error};
  if (RADDLE_REAL(write)(channel, &answer, sizeof answer) != sizeof answer) end_process();
}

// A run from here that has just been forked. `resides`: it is going to be many.
void begin_from_here(int channel, const Counters& counters, const Masked& masked, bool resides) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  RADDLE_REAL(close)(channel);
  unmask_signals(masked);
  if (resides) reside();  // from here on as often as there are runs
  write_counters(counters);
}

// The process becomes a checkpoint. Returns in a run that goes on from here.
void serve_from_here(int channel, const wire::CheckpointNote& note, const Counters& counters) {
  Masked masked;
  mask_signals(masked);
  // Checkpoints of runs from here must not outlive all that would reap them.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (RADDLE_REAL(write)(channel, &note, sizeof note) != sizeof note) end_process();
  ResidentChild resident_child;
  for (;;) {
    wire::Command command;
    bool told = RADDLE_REAL(read)(channel, &command, 1) == 1;
    if (!told) end_process();
    if (command == wire::Command::bury) {
      reply(channel, resident_child.bury(), 0);
      continue;
    }
    // At the end of all, nobody is left to be reaped by others.
    resident_child.reap_others(command == wire::Command::quit ? 0 : WNOHANG);
    bool resides = command == wire::Command::reside;
    if (command != wire::Command::run && !resides) end_process();
    if (!can_serve_plan(note.before_threads != 0, resides)) {
      reply(channel, 0, wire::kDeclined);
      continue;
    }
    pid_t run = fork_run();
    if (run == 0) return begin_from_here(channel, counters, masked, resides);
    if (run < 0) {
      reply(channel, 0, wire::kDeclined);
      continue;
    }
    if (resides) {
      resident_child.process = run;
      reply(channel, run, 0);
      continue;
    }
    int status = await_run(channel, run);
    g.shared->run_pid.store(0);
    reply(channel, status, 0);
  }
}

// The current process is a run that was continued here.
void take_up_plan(const wire::CheckpointNote& note) {
  wire::SharedHeader& shared = *g.shared;
  shared.run_pid.store(static_cast<std::int32_t>(RADDLE_REAL(syscall)(SYS_getpid)));
  // The areas have to be mapped anew, so ask for that.
  g.record.ring_limit = g.record.ring_head;
  g.record.schedule_limit = g.record.choices;
  g.record.sets = shared.plan.systematic != 0 ? shared.sets() : nullptr;
  g.cares.keep_sets = g.record.sets != nullptr;
  update_sites();
  if (note.before_threads != 0)
    begin_policy();
  else
    resume_policy();
  left = shared.checkpoints.left;
  g.checkpoints = left > 0 && shared.checkpoints.at_choices != 0;
  shared.begun_ns = previous_ns = real_now_ns();
  begun_ns = previous_ns - note.prefix_ns;
}

bool can_be_shared() {
  return !lasting_effect && g.record.ring_head <= kEventsMax && !g.record.stacks && !g.exiting &&
         g.cares.outside_signals == 0 && !loader_is_busy() && shares_nothing();
}

void make_checkpoint(bool before_threads, std::uint64_t now) {
  if (!can_be_shared()) return stop_checkpoints();
  const wire::CheckpointOrder& order = g.shared->checkpoints;
  int channel = call_engine(order.address, order.address_size);
  if (channel < 0) return stop_checkpoints();
  wire::CheckpointNote note{.prefix_ns = now - begun_ns,
                            .events = g.record.ring_head,
                            .output_bytes = bytes_printed(STDOUT_FILENO),
                            .error_bytes = bytes_printed(STDERR_FILENO),
                            .choices = g.record.choices,
                            .before_threads = before_threads};
  Counters counters = read_counters();
  long checkpoint = RADDLE_REAL(syscall)(SYS_clone, CLONE_PARENT | SIGCHLD, 0L, 0L, 0L, 0L);
  if (checkpoint == 0) {
    serve_from_here(channel, note, counters);
    return take_up_plan(note);
  }
  RADDLE_REAL(close)(channel);
  if (checkpoint < 0) return stop_checkpoints();
  ++g.shared->checkpoints_made;
  if (--left == 0) stop_checkpoints();
  // What it took is no part of the run.
  previous_ns = real_now_ns();
  begun_ns += previous_ns - now;
}

void consider_checkpoint(bool before_threads) {
  std::uint64_t now = real_now_ns();
  if (now - previous_ns < g.shared->checkpoints.gap_ns) return;
  int error = errno;
  make_checkpoint(before_threads, now);
  errno = error;
}

}  // namespace

void begin_checkpoints() {
  wire::SharedHeader& shared = *g.shared;
  begun_ns = previous_ns = shared.begun_ns = real_now_ns();
  left = shared.checkpoints.left;
  g.checkpoints = left > 0 && shared.checkpoints.at_choices != 0;
  lasting_effect = false;
  lone_count = 0;
  notes_steps = left > 0;
  g.cares.tell_policy |= notes_steps;
}

void checkpoint_before_threads() {
  if (!notes_steps) return;
  notes_steps = false;
  g.cares.tell_policy = g.policy->counts_steps();
  if (running() && left > 0) consider_checkpoint(true);
}

void checkpoint_before_choice() {
  if (g.thread_count > 1) consider_checkpoint(false);
}

void note_lone_step() {
  if (!notes_steps) return;
  if (lone_count < kLoneStepsMax) {
    const model::PendingOp& op = g.views[0].op;
    lone_step(lone_count) = {op, op.address != 0 ? locate(op.address) : wire::Location{}, g.step};
  }
  if (lone_count <= kLoneStepsMax) ++lone_count;
}

void note_lasting_effect() { lasting_effect = true; }
bool had_lasting_effect() { return lasting_effect; }

}  // namespace raddle::runtime
