// SPDX-License-Identifier: Apache-2.0
//
// The client of the fork server in the program. Engine side. The path of a run is kept short: one
// write, one poll, one read, and no allocation unless the run was long or failed.
#include "launch/fork_executor.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include <algorithm>
#include <fstream>

#include "launch/watchdog.h"

namespace raddle::launch {
namespace {

using Clock = std::chrono::steady_clock;

// A reason that starts so concerns forking only.
constexpr std::string_view kForkReason = "fork:";

// How long processes that were told to end may take.
constexpr int kFarewellMs = 200;

// As the runtime's stamps.
std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(Clock::now().time_since_epoch()).count());
}

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return Error{fmt::format("cannot make a pipe: {}", strerror(errno)), kExitCannotRun};
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

pid_t parent_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  // The name in parentheses may contain anything, so look behind the last one.
  size_t after_name = text.rfind(')');
  if (after_name == std::string::npos) return 0;
  char state = 0;
  int parent = 0;
  if (sscanf(text.c_str() + after_name + 1, " %c %d", &state, &parent) != 2) return 0;
  return parent;
}

}  // namespace

ForkExecutor::ForkExecutor(const Program& program, const ExecutorOptions& options, RunArea area,
                           TargetProcess server, UniqueFd command, UniqueFd reply)
    : program_(program),
      options_(options),
      area_(std::move(area)),
      server_(std::move(server)),
      command_(std::move(command)),
      reply_(std::move(reply)),
      checkpoints_(options.checkpoints),
      residence_(options.resident, options.twice) {
  residence_.introduce(area_.memory().header().resident);
}

ForkExecutor::~ForkExecutor() {
  residence_.leave();
  // Checkpoints are reaped by the server: give it the time to do so.
  if (checkpoints_.end() && send(wire::Command::quit)) {
    pollfd entry = {server_.pidfd(), POLLIN, 0};
    poll(&entry, 1, kFarewellMs);
  }
  server_.kill_group();
}

Result<std::unique_ptr<ForkExecutor>> ForkExecutor::start(const Program& program,
                                                          const ExecutorOptions& options,
                                                          bool& refused_fork) {
  refused_fork = false;
  auto area = RunArea::create(options, wire::Tier::fork_server);
  if (!area) return area.error();
  auto command = make_pipe();
  if (!command) return command.error();
  auto reply = make_pipe();
  if (!reply) return reply.error();
  SpawnFiles files;
  files.shared = area->memory().fd();
  files.command = command->read.get();
  files.reply = reply->write.get();
  files.output = area->output().fd();
  files.error = area->error_output().fd();
  files.bind_now = true;
  auto server = TargetProcess::spawn(program, files);
  if (!server) return server.error();
  std::unique_ptr<ForkExecutor> executor(
      new ForkExecutor(program, options, std::move(*area), std::move(*server),
                       std::move(command->write), std::move(reply->read)));
  // The program's ends belong to the program alone now: when it dies, ours report it.
  command->read.reset();
  reply->write.reset();
  if (auto status = executor->await_ready(refused_fork); !status) return status.error();
  return executor;
}

Status ForkExecutor::await_ready(bool& refused_fork) {
  using wire::TargetStage;
  Clock::time_point deadline = Clock::now() + options_.start_timeout;
  int sleep_ms = 0;
  while (true) {
    TargetStage stage = area_.stage();
    if (stage == TargetStage::ready) return Done{};
    if (stage == TargetStage::refused) {
      refused_fork = area_.refusal().starts_with(kForkReason);
      return failed_before_main(program_, area_, 0);
    }
    if (auto status = server_.ended()) {
      // It may have said why in its last moment.
      if (area_.stage() == TargetStage::refused) continue;
      // A symbol that nobody calls may be missing: without LD_BIND_NOW the program may start.
      refused_fork = area_.error_output().text().find("undefined symbol") != std::string::npos;
      return failed_before_main(program_, area_, *status);
    }
    if (interrupted(options_)) return Error{"interrupted", kExitInterrupted};
    if (Clock::now() >= deadline)
      return Error{fmt::format("{} did not reach main within {} s", program_.argv[0],
                               options_.start_timeout.count() / 1000),
                   kExitCannotRun};
    pollfd entry = {server_.pidfd(), POLLIN, 0};
    poll(&entry, 1, sleep_ms);
    if (sleep_ms < 10) ++sleep_ms;
  }
}

Status ForkExecutor::send(wire::Command command) {
  ssize_t written;
  do {
    written = write(command_.get(), &command, 1);
  } while (written < 0 && errno == EINTR);
  if (written != 1) return server_lost();
  return Done{};
}

Result<wire::Reply> ForkExecutor::read_reply() {
  wire::Reply reply;
  ssize_t got;
  do {
    got = read(reply_.get(), &reply, sizeof reply);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof reply) return server_lost();
  if (reply.error != 0)
    return Error{
        fmt::format("{} could not fork for a run: {}", program_.argv[0], strerror(reply.error)),
        kExitCannotRun};
  return reply;
}

Error ForkExecutor::server_lost() {
  // The pipe closes a moment before the process can be reaped.
  pollfd entry = {server_.pidfd(), POLLIN, 0};
  poll(&entry, 1, 1000);
  auto status = server_.ended();
  std::string how = status ? describe_status(*status) : "closed its pipes";
  return {fmt::format("the process that starts the runs of {} {}; if the program signals its "
                      "parent or its process group, set RADDLE_EXECUTOR=exec",
                      program_.argv[0], how),
          kExitCannotRun};
}

// The number comes from memory that the program can overwrite: believe it only if it names a child
// of the process that forks the run.
pid_t ForkExecutor::find_run(pid_t parent) const {
  pid_t process = area_.memory().header().run_pid.load();
  return process > 1 && parent_of(process) == parent ? process : 0;
}

Result<bool> ForkExecutor::await_run(int fd, pid_t parent) {
  WaitEnd end = await_end(
      area_, fd, options_, [&] { return find_run(parent); }, begin_);
  if (end == WaitEnd::interrupted) {
    server_.kill_group();
    return Error{"interrupted", kExitInterrupted};
  }
  if (end == WaitEnd::stuck) {
    server_.kill_group();
    return Error{fmt::format("a run of {} took longer than --run-timeout and could not be ended",
                             program_.argv[0]),
                 kExitCannotRun};
  }
  return end == WaitEnd::timed_out;
}

int ForkExecutor::end_descriptor() const {
  if (in_residence_) return residence_.channel();
  return from_ != nullptr ? from_->channel.get() : reply_.get();
}

std::chrono::milliseconds ForkExecutor::attend() {
  using std::chrono::milliseconds;
  if (options_.interrupts != nullptr && *options_.interrupts > 0) return milliseconds(0);
  milliseconds sleep = std::max(area_.drain(), milliseconds(1));
  if (options_.run_timeout.count() == 0) return sleep;
  auto left = std::chrono::ceil<milliseconds>(begin_ + options_.run_timeout - Clock::now());
  return std::clamp(left, milliseconds(0), sleep);
}

void ForkExecutor::note_start() {
  std::uint64_t begun = area_.memory().header().begun_ns;
  if (begun > sent_ns_ && begun < now_ns())
    checkpoints_.note_start(from_ != nullptr, begun - sent_ns_);
}

Result<facts::Run> ForkExecutor::run(const facts::Plan& plan) {
  if (auto status = begin_one(plan, true); !status) return status.error();
  return finish();
}

Status ForkExecutor::begin(const facts::Plan& plan) { return begin_one(plan, false); }

Status ForkExecutor::begin_one(const facts::Plan& plan, bool alone) {
  plan_ = plan;
  if (auto status = area_.prepare(plan_); !status) return status;
  from_ = checkpoints_.nearest(plan_);
  if (residence_.wants(plan_, from_) && begin_resident(alone)) return Done{};
  checkpoints_.order(area_.memory().header(), plan_, from_);
  if (from_ == nullptr) return begin_from_main();
  ++from_->starts;
  area_.begin_with(from_->part);
  begin_ = Clock::now();
  sent_ns_ = now_ns();
  constexpr wire::Command kRun = wire::Command::run;
  // If it is no longer there, finish() will notice.
  ::send(from_->channel.get(), &kRun, 1, MSG_NOSIGNAL);
  return Done{};
}

Status ForkExecutor::begin_from_main() {
  from_ = nullptr;
  in_residence_ = false;
  begin_ = Clock::now();
  sent_ns_ = now_ns();
  return send(wire::Command::run);
}

Result<wire::Reply> ForkExecutor::ask_host(wire::Command command, bool& timed_out) {
  if (from_ == nullptr)
    if (auto status = send(command); !status) return status.error();
  int channel = from_ != nullptr ? from_->channel.get() : reply_.get();
  if (from_ != nullptr) ::send(channel, &command, 1, MSG_NOSIGNAL);
  auto late = await_run(channel, host());
  if (!late) return late.error();
  timed_out |= *late;
  if (from_ == nullptr) return read_reply();
  wire::Reply reply{0, wire::kDeclined};
  if (recv(channel, &reply, sizeof reply, 0) == sizeof reply && reply.error == 0) return reply;
  return Error{"a checkpoint is no longer there", kExitCannotRun};
}

bool ForkExecutor::take_up_residence() {
  if (residence_.lives(host())) return true;
  begin_ = Clock::now();
  residence_.expect(area_.memory().header().resident);
  bool timed_out = false;
  auto forked = ask_host(wire::Command::reside, timed_out);
  bool there = forked && residence_.meet(forked->wait_status, host());
  if (!there && from_ != nullptr) from_->can_host = false;
  return there;
}

bool ForkExecutor::begin_resident(bool alone) {
  if (!take_up_residence()) return false;
  wire::SharedHeader& header = area_.memory().header();
  Checkpoints::order_none(header);
  if (from_ != nullptr) area_.begin_with(from_->part);
  header.run_pid.store(0);
  begin_ = Clock::now();
  residence_.begin(header.resident, from_ == nullptr, alone);
  in_residence_ = true;
  return true;
}

Result<facts::Run> ForkExecutor::finish_resident() {
  wire::ResidentArea& resident = area_.memory().header().resident;
  bool timed_out = false;
  bool ended = residence_.await_a_moment(resident);
  while (!ended) {
    auto late = await_run(residence_.channel(), host());
    if (!late) return late.error();
    timed_out |= *late;
    ended = residence_.take_byte(resident);
  }
  in_residence_ = false;
  auto reply = residence_.finish(resident);
  if (!reply) return finish_without_answer(timed_out);
  auto run = area_.collect(reply->wait_status, timed_out);
  if (!run || timed_out || !residence_.samples(*reply, *run)) return run;
  return make_again(*run);
}

// The process has died, or its program has closed the channel and goes on.
Result<facts::Run> ForkExecutor::finish_without_answer(bool timed_out) {
  const wire::SharedHeader& header = area_.memory().header();
  bool begun = header.run_pid.load() != 0 && header.resident.restoring.load() == 0;
  auto ended = ask_host(wire::Command::bury, timed_out);
  if (!ended && from_ == nullptr) return ended.error();
  if (!ended) checkpoints_.drop(*from_);
  return ended && begun ? area_.collect(ended->wait_status, timed_out) : run_from_main();
}

Result<facts::Run> ForkExecutor::run_from_main() {
  if (auto status = area_.prepare(plan_); !status) return status.error();
  Checkpoints::order_none(area_.memory().header());
  if (auto status = begin_from_main(); !status) return status.error();
  return finish_from_main();
}

// A resident run has to be the forked one.
Result<facts::Run> ForkExecutor::make_again(const facts::Run& resident) {
  KeptRun kept(resident, area_);
  auto forked = run_from_main();
  if (!forked || forked->timed_out) return forked;
  residence_.note_forked(Clock::now() - begin_);
  std::string difference = kept.difference(*forked, area_);
  if (!difference.empty()) residence_.note_difference(difference);
  return forked;
}

Result<facts::Run> ForkExecutor::finish() {
  if (in_residence_) return finish_resident();
  if (from_ == nullptr) return finish_from_main();
  auto run = finish_from_checkpoint();
  if (!run) return run.error();
  if (*run) return std::move(**run);
  if (auto status = area_.prepare(plan_); !status) return status.error();
  checkpoints_.order(area_.memory().header(), plan_, nullptr);
  if (auto status = begin_from_main(); !status) return status.error();
  return finish_from_main();
}

Result<facts::Run> ForkExecutor::finish_from_main() {
  auto timed_out = await_run(reply_.get(), server_.pid());
  if (!timed_out) return timed_out.error();
  auto reply = read_reply();
  if (!reply) return reply.error();
  note_start();
  auto run = area_.collect(reply->wait_status, *timed_out);
  if (run) checkpoints_.adopt(area_, plan_, *run);
  return run;
}

Result<std::optional<facts::Run>> ForkExecutor::finish_from_checkpoint() {
  using MaybeRun = std::optional<facts::Run>;
  wire::Reply reply{0, wire::kDeclined};
  auto timed_out = await_run(from_->channel.get(), from_->process);
  if (!timed_out) return timed_out.error();
  bool there = recv(from_->channel.get(), &reply, sizeof reply, 0) == sizeof reply;
  if (!there) checkpoints_.drop(*from_);
  if (!there || reply.error != 0) return MaybeRun();
  note_start();
  auto run = area_.collect(reply.wait_status, *timed_out);
  if (!run) return run.error();
  checkpoints_.adopt(area_, plan_, *run);
  return MaybeRun(std::move(*run));
}

Result<facts::Run> ForkExecutor::repeat(const facts::Plan& plan) {
  plan_ = plan;
  return run_from_main();
}

}  // namespace raddle::launch
