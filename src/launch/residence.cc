// SPDX-License-Identifier: Apache-2.0
//
// See residence.h.
#include "launch/residence.h"

#include <fmt/core.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "wire/turn.h"

namespace raddle::launch {
namespace {

using wire::ResidentEnd;

// To copy a large memory takes a while.
constexpr int kReadyMs = 10'000;
// Longer runs are left to checkpoints, which a resident run does not make.
constexpr std::uint64_t kLongRunNs = 1'000'000;
constexpr std::uint64_t kFirstRuns = 16, kLeastTimed = 4;
constexpr std::uint32_t kForkedFirst = 8;
constexpr std::uint64_t kTryAgain = 64;
constexpr std::uint64_t kFailuresCompared = 8;
// Runs from a checkpoint before a process resides there.
constexpr std::uint32_t kStartsToHost = 4;
// How long a process that was killed may take to end.
constexpr int kEndMs = 1000;
// Runs that end the process count so much each, and all of them fade by one in so many.
constexpr std::uint32_t kEndCounts = 256, kEndFades = 16, kEndsTooMany = 1600;

const char* reason(ResidentEnd end) {
  switch (end) {
    case ResidentEnd::none:
      return "";
    case ResidentEnd::unsupported:
      return "the kernel does not say which pages were written (Linux 6.7 does)";
    case ResidentEnd::too_large:
      return "its memory is too large";
    case ResidentEnd::children:
      return "of child processes";
    case ResidentEnd::libraries:
      return "libraries are loaded";
    case ResidentEnd::signals:
      return "of signals from other processes";
    case ResidentEnd::kernel_state:
      return "users, priorities or the like are changed";
    case ResidentEnd::raw_calls:
      return "of system calls made directly";
    case ResidentEnd::mappings:
      return "memory is mapped in a way that cannot be undone";
    case ResidentEnd::descriptors:
      return "inherited files cannot be put back";
    case ResidentEnd::unseen_memory:
      return "memory has changed unseen";
    case ResidentEnd::unseen_state:
      return "what the kernel keeps of it has changed unseen (system calls made directly?)";
  }
  return "of something unknown";
}

// How often in a row waiting in a loop is left out at the most.
constexpr std::uint32_t kImpatienceMax = 1023;

int processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

bool is_power_of_two(std::uint64_t number) { return (number & (number - 1)) == 0; }

bool is_sampled(std::uint64_t run) { return is_power_of_two(run) || run % 4096 == 0; }

void average(std::uint64_t& value, std::uint64_t sample) {
  value = value == 0 || sample < value ? sample : value + (sample - value) / 8;
}

template <class T>
bool same_bytes(const std::vector<T>& a, std::span<const T> b) {
  return a.size() == b.size() && (a.empty() || memcmp(a.data(), b.data(), b.size_bytes()) == 0);
}

}  // namespace

KeptRun::KeptRun(const facts::Run& run, const RunArea& area)
    : events_(run.events.begin(), run.events.end()),
      choices_(run.choices.begin(), run.choices.end()),
      sets_(run.sets.begin(), run.sets.end()),
      verdict_(run.verdict),
      wait_status_(run.wait_status),
      steps_(run.steps),
      output_(area.printed(Stream::output)),
      error_output_(area.printed(Stream::error)) {}

std::string KeptRun::difference(const facts::Run& other, const RunArea& area) const {
  if (!same_bytes(events_, other.events)) return "events";
  if (!same_bytes(choices_, other.choices)) return "choices";
  if (!same_bytes(sets_, other.sets)) return "pending operations";
  if (steps_ != other.steps) return "steps";
  if (wait_status_ != other.wait_status) return "exit statuses";
  bool same_verdict = verdict_.kind == other.verdict.kind && verdict_.code == other.verdict.code &&
                      verdict_.step == other.verdict.step &&
                      strncmp(verdict_.message, other.verdict.message, wire::kMessageMax) == 0;
  if (!same_verdict) return "verdicts";
  if (output_ != area.printed(Stream::output)) return "outputs";
  if (error_output_ != area.printed(Stream::error)) return "error outputs";
  return "";
}

Residence::Residence(ResidentUse use, bool compares)
    : use_(use), compares_(compares), has_processors_(processors() > 1) {
  if (use_ != ResidentUse::off && !socket_.open(2, wire::kResidentAddressMax))
    give_up("there is no socket for it");
}

void Residence::introduce(wire::ResidentArea& area) const {
  area.address_size = static_cast<std::uint8_t>(socket_.address().size());
  std::ranges::copy(socket_.address(), area.address);
}

bool Residence::wants(const facts::Plan& plan, const Checkpoint* from) {
  if (use_ == ResidentUse::off || !given_up_.empty()) return false;
  // What is to be told of, or repeats something, is a forked run.
  if (facts::is_recorded(plan.steering) || plan.header.stacks != 0) return false;
  // A copy of the memory is worth while where many runs go on: not where a search passes by.
  if (from != nullptr)
    return from->before_threads && from->can_host &&
           (use_ == ResidentUse::forced || from->starts >= kStartsToHost);
  if (use_ == ResidentUse::forced) return true;
  // A copy of the memory, and runs that are made twice, are too much for a few.
  if (forked_ < kForkedFirst) {
    ++forked_;
    return false;
  }
  // The first ones have their pages copied for them.
  if (timed_ < kLeastTimed || resident_ns_ < kLongRunNs * (timed_ < kFirstRuns ? 4 : 1))
    return true;
  // Bad luck may have been the reason.
  return ++passed_over_ % kTryAgain == 0;
}

void Residence::leave() {
  if (channel_.valid() && process_.valid()) {
    // Two of them must not look at the same words.
    syscall(SYS_pidfd_send_signal, process_.get(), SIGKILL, nullptr, 0);
    pollfd entry = {process_.get(), POLLIN, 0};
    poll(&entry, 1, kEndMs);
  }
  forget();
}

void Residence::forget() {
  channel_.reset();
  process_.reset();
}

void Residence::expect(wire::ResidentArea& area) {
  leave();
  area.ordered.store(area.ended.load());
  area.engine_sleeps.store(0);
  area.program_sleeps.store(0);
  area.restoring.store(0);
}

bool Residence::meet(pid_t process, pid_t host) {
  wire::ResidentReply ready = {};
  auto call = socket_.accept(&ready, sizeof ready, kReadyMs);
  if (!call || !call->channel.valid() || call->process != process) {
    give_up("it cannot be set up");
    return false;
  }
  if (ready.end != ResidentEnd::none) {
    give_up(reason(ready.end));
    return false;
  }
  channel_ = std::move(call->channel);
  process_ = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));
  host_ = host;
  return true;
}

// Waiting in a loop that leads to nothing is given up for a while, each time for longer: the
// processors have other things to do.
bool Residence::may_spin() {
  if (!has_processors_) return false;
  if (patience_ == 0) return true;
  --patience_;
  return false;
}

void Residence::begin(wire::ResidentArea& area, bool from_main, bool alone) {
  ++runs_;
  from_main_ = from_main;
  begun_ = Clock::now();
  number_ = area.ended.load() + 1;
  bool spins = alone && may_spin();
  area.spins = spins ? 1 : 0;
  byte_comes_ = !spins;
  area.engine_sleeps.store(byte_comes_ ? 1 : 0);
  area.restoring.store(0);
  // If it is no longer there, finish() will notice.
  wire::hand_over(area.ordered, number_, area.program_sleeps, [&] {
    constexpr char kByte = 0;
    send(channel_.get(), &kByte, 1, MSG_NOSIGNAL);
  });
}

bool Residence::await_a_moment(wire::ResidentArea& area) {
  if (byte_comes_) return false;
  if (wire::spin_until(area.ended, number_, sched_yield)) {
    impatience_ = 0;
    return true;
  }
  impatience_ = std::min(2 * impatience_ + 1, kImpatienceMax);
  patience_ = impatience_;
  byte_comes_ = wire::fall_asleep(area.engine_sleeps, area.ended, number_);
  return !byte_comes_;
}

bool Residence::take_byte(wire::ResidentArea& area) {
  char byte;
  if (recv(channel_.get(), &byte, 1, 0) != 1) return true;  // it has ended, perhaps with an answer
  if (area.ended.load() == number_) return true;
  byte_comes_ = wire::fall_asleep(area.engine_sleeps, area.ended, number_);
  return !byte_comes_;
}

std::optional<wire::ResidentReply> Residence::finish(const wire::ResidentArea& area) {
  ended_ -= ended_ / kEndFades;
  if (area.ended.load() != number_) {
    forget();
    ended_ += kEndCounts;
    if (area.restoring.load() != 0) give_up("it could not be put back");
    if (ended_ > kEndsTooMany) give_up("runs kill it");
    return std::nullopt;
  }
  wire::ResidentReply reply = area.reply;
  auto spent = static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - begun_).count());
  // After some the process looks at all of its memory.
  if (from_main_ && !is_sampled(number_)) {
    ++timed_;
    average(resident_ns_, spent);
  }
  if (reply.end != ResidentEnd::none) note_end(reply.end);
  if (use_ == ResidentUse::measured && from_main_ && forked_ns_ != 0 && timed_ > 64 &&
      resident_ns_ > forked_ns_ + forked_ns_ / 8)
    give_up("that is quicker");
  return reply;
}

void Residence::note_end(ResidentEnd end) {
  forget();
  ended_ += kEndCounts;
  if (end == ResidentEnd::unseen_memory || end == ResidentEnd::unseen_state) give_up(reason(end));
  if (ended_ > kEndsTooMany && use_ == ResidentUse::measured) give_up(reason(end));
}

bool Residence::samples(const wire::ResidentReply& reply, const facts::Run& run) {
  bool failed = run.verdict.kind != wire::VerdictKind::none;
  failures_ += failed ? 1 : 0;
  // Files that a run has changed are others for the next.
  if (!compares_ || reply.lasting != 0) return false;
  if (failed && (failures_ <= kFailuresCompared || is_power_of_two(failures_))) return true;
  return is_sampled(runs_);
}

void Residence::note_difference(const std::string& what) {
  give_up(
      fmt::format("the {} of run {} differ from those of its repetition in place", what, runs_));
}

void Residence::note_forked(std::chrono::nanoseconds time) {
  average(forked_ns_, static_cast<std::uint64_t>(time.count()));
}

void Residence::give_up(std::string why) {
  leave();
  if (given_up_.empty()) given_up_ = std::move(why);
}

}  // namespace raddle::launch
