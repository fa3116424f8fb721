// SPDX-License-Identifier: Apache-2.0
//
// See residence.h.
#include "launch/residence.h"

#include <fmt/core.h>
#include <string.h>
#include <sys/socket.h>

#include <algorithm>

namespace raddle::launch {
namespace {

using wire::ResidentEnd;

// To copy a large memory takes a while.
constexpr int kReadyMs = 10'000;
// Longer runs are left to checkpoints, which a resident run does not make.
constexpr std::uint64_t kLongRunNs = 1'000'000;
constexpr std::uint64_t kFirstRuns = 16;
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
      return "limits or the like are changed";
    case ResidentEnd::raw_calls:
      return "of system calls made directly";
    case ResidentEnd::mappings:
      return "memory is mapped or protected";
    case ResidentEnd::descriptors:
      return "inherited files are closed";
    case ResidentEnd::unseen:
      return "memory has changed unseen";
  }
  return "of something unknown";
}

bool is_power_of_two(std::uint64_t number) { return (number & (number - 1)) == 0; }

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

Residence::Residence(ResidentUse use, bool compares) : use_(use), compares_(compares) {
  if (use_ != ResidentUse::off && !socket_.open(2, wire::kResidentAddressMax))
    give_up("there is no socket for it");
}

void Residence::order(wire::SharedHeader& header) const {
  header.resident = {};
  header.resident.address_size = static_cast<std::uint8_t>(socket_.address().size());
  std::ranges::copy(socket_.address(), header.resident.address);
}

bool Residence::wants(const facts::Plan& plan) const {
  if (use_ == ResidentUse::off || !given_up_.empty()) return false;
  // What is to be told of, or repeats something, is a forked run.
  if (facts::is_recorded(plan.steering) || plan.header.stacks != 0) return false;
  if (use_ == ResidentUse::forced) return true;
  // The first ones have their pages copied for them.
  return runs_ < kFirstRuns || resident_ns_ < kLongRunNs;
}

bool Residence::meet(pid_t process) {
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
  return true;
}

bool Residence::begin() {
  constexpr wire::Command kRun = wire::Command::run;
  ++runs_;
  begun_ = Clock::now();
  return send(channel_.get(), &kRun, 1, MSG_NOSIGNAL) == 1;
}

std::optional<wire::ResidentReply> Residence::finish() {
  wire::ResidentReply reply;
  bool there = recv(channel_.get(), &reply, sizeof reply, 0) == sizeof reply;
  ended_ -= ended_ / kEndFades;
  if (!there) {
    leave();
    ended_ += kEndCounts;
    if (ended_ > kEndsTooMany) give_up("runs kill it");
    return std::nullopt;
  }
  average(resident_ns_,
          static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - begun_).count()));
  if (reply.end != ResidentEnd::none) note_end(reply.end);
  if (use_ == ResidentUse::measured && forked_ns_ != 0 && runs_ > 64 &&
      resident_ns_ > forked_ns_ + forked_ns_ / 8)
    give_up("that is quicker");
  return reply;
}

void Residence::note_end(ResidentEnd end) {
  leave();
  ended_ += kEndCounts;
  if (end == ResidentEnd::unseen) give_up(reason(end));
  if (ended_ > kEndsTooMany && use_ == ResidentUse::measured) give_up(reason(end));
}

bool Residence::samples(const wire::ResidentReply& reply) const {
  // Files that a run has changed are others for the next.
  if (!compares_ || reply.lasting != 0) return false;
  return is_power_of_two(runs_) || runs_ % 4096 == 0;
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
