// SPDX-License-Identifier: Apache-2.0
//
// Layout of the shared memory. Engine side. Areas are generous, because pages that nobody touches
// cost nothing.
#include "launch/shared_memory.h"

#include <errno.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <new>

namespace raddle::launch {
namespace {

// A choice is at most one a step; value choices inside a step need some room more.
constexpr std::uint32_t kSpareChoices = 4096;
// 8 MiB, and only what a run touches becomes memory: almost every run fits without draining.
constexpr std::uint32_t kRingMax = 1u << 18;
constexpr std::uint32_t kRingMin = 1u << 12;

std::uint64_t place(std::uint64_t& end, std::uint64_t bytes) {
  std::uint64_t at = end;
  end = (end + bytes + 4095) & ~std::uint64_t{4095};
  return at;
}

Error failed(const char* what) {
  return {fmt::format("cannot {} the memory shared with the program: {}", what, strerror(errno)),
          kExitCannotRun};
}

}  // namespace

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(header_, other.header_);
  std::swap(bytes_, other.bytes_);
  std::swap(steering_, other.steering_);
  std::swap(sites_, other.sites_);
  std::swap(schedule_, other.schedule_);
  std::swap(reports_, other.reports_);
  std::swap(ring_, other.ring_);
  std::swap(weights_, other.weights_);
  std::swap(sets_, other.sets_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (header_ != nullptr) munmap(header_, bytes_);
}

Result<SharedMemory> SharedMemory::create(std::uint32_t max_steps, wire::Tier tier) {
  std::uint32_t choices = max_steps + kSpareChoices;
  std::uint32_t ring = kRingMax;
  if (max_steps < kRingMax / 4) ring = std::max(kRingMin, std::bit_ceil(max_steps * 4));

  std::uint64_t end = 0;
  place(end, sizeof(wire::SharedHeader));
  std::uint64_t steering_bytes = std::uint64_t{choices} * wire::kSteeringRowMax;
  std::uint64_t steering_at = place(end, steering_bytes);
  std::uint64_t sites_at = place(end, std::uint64_t{kSitesMax} * sizeof(SiteId));
  std::uint64_t schedule_at = place(end, std::uint64_t{choices} * sizeof(wire::ChoiceRecord));
  std::uint64_t reports_at = place(end, std::uint64_t{kMaxThreads} * sizeof(wire::ThreadReport));
  std::uint64_t ring_at = place(end, std::uint64_t{ring} * sizeof(wire::Event));
  std::uint64_t weights_at = place(end, std::uint64_t{kMaxThreads} * sizeof(wire::ThreadWeight));
  std::uint64_t sets_at = place(end, std::uint64_t{choices} * sizeof(wire::ChoiceSets));

  SharedMemory memory;
  memory.fd_ = UniqueFd(memfd_create("raddle", MFD_CLOEXEC));
  if (!memory.fd_.valid()) return failed("create");
  if (ftruncate(memory.fd_.get(), static_cast<off_t>(end)) != 0) return failed("size");
  void* mapped =
      mmap(nullptr, end, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory.fd_.get(), 0);
  if (mapped == MAP_FAILED) return failed("map");
  memory.bytes_ = end;
  memory.header_ = new (mapped) wire::SharedHeader();
  char* base = static_cast<char*>(mapped);
  memory.steering_ = {reinterpret_cast<std::byte*>(base + steering_at), steering_bytes};
  memory.sites_ = {reinterpret_cast<SiteId*>(base + sites_at), kSitesMax};
  memory.schedule_ = {reinterpret_cast<wire::ChoiceRecord*>(base + schedule_at), choices};
  memory.reports_ = {reinterpret_cast<wire::ThreadReport*>(base + reports_at), kMaxThreads};
  memory.ring_ = {reinterpret_cast<wire::Event*>(base + ring_at), ring};
  memory.weights_ = {reinterpret_cast<wire::ThreadWeight*>(base + weights_at), kMaxThreads};
  memory.sets_ = {reinterpret_cast<wire::ChoiceSets*>(base + sets_at), choices};
  memory.header_->tier = tier;
  memory.describe_layout();
  return memory;
}

void SharedMemory::describe_layout() {
  auto offset = [this](const void* area) {
    return static_cast<std::uint64_t>(static_cast<const char*>(area) -
                                      reinterpret_cast<const char*>(header_));
  };
  wire::SharedHeader& h = *header_;
  h.magic = wire::kMagic;
  h.version = wire::kProtocolVersion;
  h.total_bytes = bytes_;
  h.steering_at = offset(steering_.data());
  h.sites_at = offset(sites_.data());
  h.schedule_at = offset(schedule_.data());
  h.reports_at = offset(reports_.data());
  h.ring_at = offset(ring_.data());
  h.weights_at = offset(weights_.data());
  h.sets_at = offset(sets_.data());
  constexpr std::size_t kCounted = std::numeric_limits<std::uint32_t>::max();
  h.steering_bytes = static_cast<std::uint32_t>(std::min(steering_.size(), kCounted));
  h.sites_capacity = static_cast<std::uint32_t>(sites_.size());
  h.schedule_capacity = static_cast<std::uint32_t>(schedule_.size());
  h.report_capacity = static_cast<std::uint32_t>(reports_.size());
  h.ring_capacity = static_cast<std::uint32_t>(ring_.size());
  h.weights_capacity = static_cast<std::uint32_t>(weights_.size());
}

bool SharedMemory::intact() const {
  return header_->magic == wire::kMagic && header_->version == wire::kProtocolVersion &&
         header_->total_bytes == bytes_ && header_->ring_capacity == ring_.size();
}

void SharedMemory::forget_target() {
  header_->stage.store(wire::TargetStage::exec, std::memory_order_relaxed);
  header_->run_pid.store(0, std::memory_order_relaxed);
  header_->module_count = 0;
  describe_layout();
}

}  // namespace raddle::launch
