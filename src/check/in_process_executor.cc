// SPDX-License-Identifier: Apache-2.0
//
// Runs in place and their repetitions. Engine side, in the program's process.
#include "check/in_process_executor.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launch/steering_area.h"
#include "launch/watchdog.h"

namespace raddle::check {
namespace {

constexpr std::uint64_t kRunsLookedAt = 64;

Error system_error(const char* what) {
  return {fmt::format("{}: {}", what, strerror(errno)), kExitCannotRun};
}

// Threads of the kernel would go on while a run believes that it is alone. One that was joined just
// now may still be there for a moment.
Status refuse_other_threads() {
  constexpr int kMilliseconds = 200;
  struct stat tasks {};
  for (int waited = 0; waited < kMilliseconds; ++waited) {
    if (stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink <= 3) return Done{};
    timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  auto others = tasks.st_nlink - 3;
  return Error{fmt::format("the process has {} other {}, which raddle cannot control; start them "
                           "inside the test, or join them before it",
                           others, others == 1 ? "thread" : "threads"),
               kExitCannotRun};
}

}  // namespace

InProcessExecutor::InProcessExecutor(const wire::Body& body, const launch::ExecutorOptions& options,
                                     launch::RunArea area)
    : body_(body), options_(options), area_(std::move(area)) {}

Result<std::unique_ptr<InProcessExecutor>> InProcessExecutor::create(
    const wire::Body& body, const launch::ExecutorOptions& options, bool restore) {
  if (auto status = refuse_other_threads(); !status) return status.error();
  auto area = launch::RunArea::create(options, wire::Tier::fork_server);
  if (!area) return area.error();
  if (const char* refusal = raddle_in_process_attach(&area->memory().header()))
    return Error{refusal, kExitCannotRun};
  std::unique_ptr<InProcessExecutor> executor(
      new InProcessExecutor(body, options, std::move(*area)));
  if (restore) executor->restorer_ = std::make_unique<Restorer>(executor->modules());
  if (auto status = executor->renew_server(); !status) return status.error();
  executor->watch(true);
  return executor;
}

InProcessExecutor::~InProcessExecutor() {
  watch(false);
  stop_server();
  restorer_.reset();
  raddle_in_process_detach();
}

// A signal from time to time: the runtime looks whether the run is still the same.
void InProcessExecutor::watch(bool on) {
  if (!on) {
    if (timer_) timer_delete(*timer_);
    timer_.reset();
    return;
  }
  if (options_.run_timeout.count() == 0) return;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = wire::kWatchdogSignal;
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
  timer_ = timer;
  auto span = options_.run_timeout.count();
  timespec period{span / 1000, span % 1000 * 1'000'000};
  itimerspec setting{period, period};
  timer_settime(timer, 0, &setting, nullptr);
}

Status InProcessExecutor::renew_server() {
  stop_server();
  int commands[2], replies[2];
  if (pipe2(commands, O_CLOEXEC) != 0) return system_error("cannot make a pipe");
  command_ = launch::UniqueFd(commands[1]);
  launch::UniqueFd command_end(commands[0]);
  if (pipe2(replies, O_CLOEXEC) != 0) return system_error("cannot make a pipe");
  reply_ = launch::UniqueFd(replies[0]);
  launch::UniqueFd reply_end(replies[1]);
  fflush(nullptr);  // or every child would print it again
  server_ = fork();
  if (server_ < 0) return system_error("cannot fork");
  if (server_ == 0) serve(command_end.get(), reply_end.get());
  return Done{};
}

void InProcessExecutor::serve(int commands, int replies) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(area_.output().fd(), STDOUT_FILENO);
  dup2(area_.error_output().fd(), STDERR_FILENO);
  command_.reset();
  reply_.reset();
  raddle_in_process_serve(commands, replies, &body_);
}

void InProcessExecutor::stop_server() {
  if (server_ <= 0) return;
  command_.reset();
  reply_.reset();
  kill(server_, SIGKILL);
  int status;
  while (waitpid(server_, &status, 0) < 0 && errno == EINTR) {
  }
  server_ = -1;
}

// Before the second run in place: the first may have initialised what later ones only find.
Status InProcessExecutor::warm_up() {
  if (runs_in_place_++ != 1) return Done{};
  return renew_server();
}

Result<facts::Run> InProcessExecutor::collect_in_place() {
  const wire::Verdict& verdict = area_.memory().header().verdict;
  ended_well_ = verdict.kind == wire::VerdictKind::none;
  // As if a process of its own had ended so.
  int status = verdict.kind == wire::VerdictKind::exited ? (verdict.code & 0xff) << 8 : 0;
  return area_.collect(status, verdict.kind == wire::VerdictKind::hang);
}

// A run that was cut short leaves what it was about to clean up.
void InProcessExecutor::look_for_leftovers() {
  if (ended_well_) leftovers_.look(area_.modules());
}

Result<facts::Run> InProcessExecutor::run(const facts::Plan& plan) {
  if (auto status = warm_up(); !status) return status.error();
  if (auto status = area_.prepare_in_place(plan); !status) return status.error();
  raddle_in_process_run(&body_);
  Result<facts::Run> run = collect_in_place();
  // It costs as much as a short run: of searches whose runs are all made here, samples will do.
  if (runs_in_place_ < kRunsLookedAt || runs_in_place_ % kRunsLookedAt == 0) look_for_leftovers();
  return run;
}

Result<facts::Run> InProcessExecutor::run_batch(facts::Batch& batch) {
  if (auto status = warm_up(); !status) return status.error();
  if (auto status = area_.prepare_in_place(batch.plan); !status) return status.error();
  raddle_in_process_batch(&batch.header, &body_);
  if (batch.header.enumerate != 0) batch.plan.steering = launch::read_ranks(area_.memory());
  Result<facts::Run> last = collect_in_place();
  if (!leftovers_.began()) look_for_leftovers();
  return last;
}

Result<facts::Run> InProcessExecutor::repeat(const facts::Plan& plan) {
  if (auto status = area_.prepare(plan); !status) return status.error();
  wire::Command command = wire::Command::run;
  if (write(command_.get(), &command, 1) != 1) return system_error("cannot repeat a run");
  launch::WaitEnd end = launch::await_end(area_, reply_.get(), options_, [this] {
    return static_cast<pid_t>(area_.memory().header().run_pid.load());
  });
  if (end == launch::WaitEnd::stuck)
    return Error{"a run that was repeated could not be ended", kExitCannotRun};
  wire::Reply reply;
  if (read(reply_.get(), &reply, sizeof reply) != sizeof reply)
    return Error{"the process that repeats runs has ended", kExitCannotRun};
  if (reply.error != 0)
    return Error{fmt::format("cannot fork: {}", strerror(reply.error)), kExitCannotRun};
  return area_.collect(reply.wait_status, end == launch::WaitEnd::timed_out);
}

}  // namespace raddle::check
