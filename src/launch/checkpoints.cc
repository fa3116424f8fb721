// SPDX-License-Identifier: Apache-2.0
//
// See checkpoints.h. When a checkpoint is made and used is decided by what was measured: the time
// that the run took to get there, against the time that it takes to fork it.
#include "launch/checkpoints.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>

#include "launch/common_choices.h"

namespace raddle::launch {
namespace {

// Carrying out less than this again is not worth a process.
constexpr std::uint64_t kLeastGapNs = 1'000'000;
// A checkpoint that does not pay is tried again after so many runs: the measurement may have been
// bad luck.
constexpr std::uint64_t kTryAgain = 64;
// The process exists when the run that made it goes on; its first words come right after that.
constexpr int kFirstWordsMs = 1000;

// The message, and who the kernel says sent it.
bool receive_note(int channel, wire::CheckpointNote& note, pid_t& sender) {
  pollfd entry = {channel, POLLIN, 0};
  if (poll(&entry, 1, kFirstWordsMs) <= 0) return false;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(ucred))];
  iovec piece = {&note, sizeof note};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(channel, &message, MSG_DONTWAIT) != sizeof note) return false;
  cmsghdr* first = CMSG_FIRSTHDR(&message);
  if (first == nullptr || first->cmsg_type != SCM_CREDENTIALS) return false;
  ucred credentials;
  std::memcpy(&credentials, CMSG_DATA(first), sizeof credentials);
  sender = credentials.pid;
  return true;
}

// Noise only ever adds, so less counts at once and more bit by bit.
void average(std::uint64_t& value, std::uint64_t sample) {
  value = value == 0 || sample < value ? sample : value + (sample - value) / 8;
}

}  // namespace

Checkpoints::Checkpoints(CheckpointUse use) : use_(use) {
  if (use_ == CheckpointUse::off) return;
  use_ = CheckpointUse::off;
  UniqueFd listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  // The kernel finds an abstract name that nobody has.
  constexpr socklen_t kFamilyOnly = offsetof(sockaddr_un, sun_path);
  socklen_t size = sizeof address;
  int on = 1;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (!listener.valid() || bind(listener.get(), generic, kFamilyOnly) != 0 ||
      setsockopt(listener.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0 ||
      listen(listener.get(), 2 * kCheckpointsMax) != 0 ||
      getsockname(listener.get(), generic, &size) != 0)
    return;
  address_.assign(address.sun_path, size - kFamilyOnly);
  if (address_.empty() || address_.size() > wire::kCheckpointAddressMax) return;
  listener_ = std::move(listener);
  use_ = use;
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
  order.address_size = static_cast<std::uint8_t>(address_.size());
  std::copy(address_.begin(), address_.end(), order.address);
}

std::optional<Checkpoint> Checkpoints::accept_one() const {
  UniqueFd channel(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!channel.valid()) return std::nullopt;
  Checkpoint checkpoint;
  wire::CheckpointNote note = {};
  int on = 1;
  if (setsockopt(channel.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 &&
      receive_note(channel.get(), note, checkpoint.process)) {
    checkpoint.channel = std::move(channel);
    checkpoint.before_threads = note.before_threads != 0;
    checkpoint.choices = note.choices;
    checkpoint.prefix_ns = note.prefix_ns;
    checkpoint.part.event_count = note.events;
    checkpoint.part.output_bytes = note.output_bytes;
    checkpoint.part.error_bytes = note.error_bytes;
  }
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
