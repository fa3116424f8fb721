// SPDX-License-Identifier: Apache-2.0
//
// See checkpoints.h. When a checkpoint is made and used is decided by what was measured: the time
// that the run took to get there, against the time that it takes to fork it.
#include "launch/checkpoints.h"

#include <sys/socket.h>

#include <algorithm>

#include "launch/common_choices.h"

namespace raddle::launch {
namespace {

// Carrying out less than this again is not worth a process.
constexpr std::uint64_t kLeastGapNs = 1'000'000;
// A checkpoint that does not pay is tried again after so many runs: the measurement may have been
// bad luck.
constexpr std::uint64_t kTryAgain = 64;
// Noise only ever adds, so less counts at once and more bit by bit.
void average(std::uint64_t& value, std::uint64_t sample) {
  value = value == 0 || sample < value ? sample : value + (sample - value) / 8;
}

}  // namespace

Checkpoints::Checkpoints(CheckpointUse use) : use_(use) {
  if (use_ != CheckpointUse::off && !socket_.open(2 * kCheckpointsMax, wire::kCheckpointAddressMax))
    use_ = CheckpointUse::off;
}

bool Checkpoints::serves(const Checkpoint& checkpoint, const facts::Plan& plan) const {
  if (checkpoint.before_threads) return same_before_threads(checkpoint.plan, plan);
  auto common = common_choices(checkpoint.plan, plan);
  return common && *common >= checkpoint.choices;
}

bool Checkpoints::pays(const Checkpoint& checkpoint) const {
  return use_ == CheckpointUse::forced ||
         checkpoint.prefix_ns + from_main_ns_ > from_checkpoint_ns_ || runs_ % kTryAgain == 0;
}

Checkpoint* Checkpoints::nearest(const facts::Plan& plan) {
  ++runs_;
  if (facts::is_recorded(plan.steering) || plan.header.stacks != 0) return nullptr;
  Checkpoint* best = nullptr;
  for (Checkpoint& checkpoint : all_) {
    if (!serves(checkpoint, plan)) continue;
    checkpoint.used = runs_;
    if (best == nullptr || best->choices < checkpoint.choices) best = &checkpoint;
  }
  return best != nullptr && pays(*best) ? best : nullptr;
}

void Checkpoints::order(wire::SharedHeader& header, const facts::Plan& plan,
                        const Checkpoint* start) {
  wire::CheckpointOrder& order = header.checkpoints;
  order_none(header);
  if (use_ == CheckpointUse::off || facts::is_recorded(plan.steering) || plan.header.stacks != 0)
    return;
  // From main although there is one: it was of no use.
  bool passed_over = start == nullptr && std::any_of(all_.begin(), all_.end(), [&](auto& other) {
                       return other.before_threads && serves(other, plan);
                     });
  if (passed_over) return;
  order.left = kCheckpointsMax;
  order.gap_ns = use_ == CheckpointUse::forced ? 0 : std::max(kLeastGapNs, 2 * from_checkpoint_ns_);
  order.at_choices = is_resumable(plan.steering) ? 1 : 0;
  order.address_size = static_cast<std::uint8_t>(socket_.address().size());
  std::ranges::copy(socket_.address(), order.address);
}

std::optional<Checkpoint> Checkpoints::accept_one() const {
  wire::CheckpointNote note = {};
  auto call = socket_.accept(&note, sizeof note);
  if (!call) return std::nullopt;
  Checkpoint checkpoint;
  checkpoint.channel = std::move(call->channel);
  checkpoint.process = call->process;
  checkpoint.before_threads = note.before_threads != 0;
  checkpoint.choices = note.choices;
  checkpoint.prefix_ns = note.prefix_ns;
  checkpoint.part.event_count = note.events;
  checkpoint.part.output_bytes = note.output_bytes;
  checkpoint.part.error_bytes = note.error_bytes;
  return checkpoint;
}

void Checkpoints::adopt(RunArea& area, const facts::Plan& plan, const facts::Run& run) {
  if (use_ == CheckpointUse::off || area.memory().header().checkpoints_made == 0) return;
  std::vector<Checkpoint> made;
  while (auto checkpoint = accept_one()) {
    // The notes come from the memory of a program that may have written anywhere.
    bool usable = checkpoint->channel.valid() && checkpoint->choices <= run.choices.size() &&
                  checkpoint->part.event_count <= run.events.size();
    if (usable) made.push_back(std::move(*checkpoint));
  }
  if (made.empty()) return;
  any_ = true;
  std::uint64_t events = 0;
  for (const Checkpoint& checkpoint : made) events = std::max(events, checkpoint.part.event_count);
  auto kept = std::make_shared<const std::vector<wire::Event>>(
      run.events.begin(), run.events.begin() + static_cast<std::ptrdiff_t>(events));
  for (Checkpoint& checkpoint : made) {
    checkpoint.plan = plan;
    checkpoint.used = runs_;
    checkpoint.part.events = kept;
    checkpoint.part.choices.assign(run.choices.begin(), run.choices.begin() + checkpoint.choices);
    if (!run.sets.empty())
      checkpoint.part.sets.assign(run.sets.begin(), run.sets.begin() + checkpoint.choices);
    area.keep_output(checkpoint.part);
    all_.push_back(std::move(checkpoint));
  }
  make_room(plan);
}

void Checkpoints::make_room(const facts::Plan& plan) {
  // Those along the last run, and those that it passed by.
  while (all_.size() > kCheckpointsMax) {
    std::vector<std::list<Checkpoint>::iterator> along;
    auto oldest = all_.end();
    for (auto at = all_.begin(); at != all_.end(); ++at) {
      if (serves(*at, plan))
        along.push_back(at);
      else if (oldest == all_.end() || at->used < oldest->used)
        oldest = at;
    }
    if (oldest == all_.end()) {
      auto earlier = [](auto a, auto b) { return a->prefix_ns < b->prefix_ns; };
      std::stable_sort(along.begin(), along.end(), earlier);
      std::vector<std::uint64_t> times;
      for (auto at : along) times.push_back(at->prefix_ns);
      oldest = along[least_useful(times, times.back() + kLeastGapNs)];
    }
    all_.erase(oldest);
  }
}

void Checkpoints::order_none(wire::SharedHeader& header) {
  header.checkpoints = {};
  header.checkpoints_made = 0;
  header.begun_ns = 0;
}

void Checkpoints::drop(const Checkpoint& checkpoint) {
  all_.remove_if([&](const Checkpoint& other) { return &other == &checkpoint; });
}

bool Checkpoints::end() {
  constexpr wire::Command kQuit = wire::Command::quit;
  for (const Checkpoint& checkpoint : all_)
    send(checkpoint.channel.get(), &kQuit, sizeof kQuit, MSG_NOSIGNAL);
  all_.clear();
  return any_;
}

void Checkpoints::note_start(bool from_checkpoint, std::uint64_t ns) {
  average(from_checkpoint ? from_checkpoint_ns_ : from_main_ns_, ns);
}

}  // namespace raddle::launch
