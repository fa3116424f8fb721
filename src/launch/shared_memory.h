// SPDX-License-Identifier: Apache-2.0
//
// SharedMemory: the engine's end of wire::SharedHeader. Creates the memfd, lays the areas out and
// maps it. Engine side.
//
// Invariant: layout and capacities are kept here as well. The program under test can overwrite the
// block, so nothing that decides where the engine reads or writes is taken from it.
#pragma once

#include <cstddef>
#include <span>

#include "base/result.h"
#include "launch/unique_fd.h"
#include "wire/shared_block.h"

namespace raddle::launch {

inline constexpr std::uint32_t kSitesMax = 1u << 18;

class SharedMemory {
 public:
  // Room for runs of `max_steps` steps.
  static Result<SharedMemory> create(std::uint32_t max_steps, wire::Tier tier);

  SharedMemory(SharedMemory&& other) noexcept { *this = std::move(other); }
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  int fd() const { return fd_.get(); }
  wire::SharedHeader& header() const { return *header_; }
  std::span<std::byte> steering() const { return steering_; }  // as many rows as schedule() has
  std::span<SiteId> sites() const { return sites_; }
  std::span<wire::ChoiceRecord> schedule() const { return schedule_; }
  std::span<wire::ThreadReport> reports() const { return reports_; }
  std::span<wire::Event> ring() const { return ring_; }
  std::span<wire::ThreadWeight> weights() const { return weights_; }
  std::span<wire::ChoiceSets> sets() const { return sets_; }  // one for each entry of schedule()

  // False when the program under test has written over the parts that only the engine writes.
  bool intact() const;

  // Prepares the block for another process (re-exec): the target's state becomes that of a start.
  void forget_target();

 private:
  SharedMemory() = default;
  void describe_layout();

  UniqueFd fd_;
  wire::SharedHeader* header_ = nullptr;
  std::size_t bytes_ = 0;
  std::span<std::byte> steering_;
  std::span<SiteId> sites_;
  std::span<wire::ChoiceRecord> schedule_;
  std::span<wire::ThreadReport> reports_;
  std::span<wire::Event> ring_;
  std::span<wire::ThreadWeight> weights_;
  std::span<wire::ChoiceSets> sets_;
};

}  // namespace raddle::launch
