// SPDX-License-Identifier: Apache-2.0
//
// A flat hash map from 64-bit keys for state that lives as long as one run. Engine side. clear()
// costs nothing: every slot carries the number of the run that filled it. Open addressing with
// linear probing, at most half full. Eight neighbouring keys have neighbouring slots: programs go
// through their data in order, and the cache follows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace raddle::analysis {

template <class Value>
class EpochMap {
 public:
  EpochMap() : slots_(kInitialSlots) {}

  void clear() {
    used_ = 0;
    // After 2^32 runs old slots would come back to life.
    if (++epoch_ == 0) {
      slots_.assign(slots_.size(), Slot{});
      epoch_ = 1;
    }
  }

  // The value of the key, value-initialised if it is new. Valid until the next call.
  Value& operator[](std::uint64_t key) {
    if ((used_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = locate(key);
    if (slot.epoch != epoch_) {
      slot = {key, Value{}, epoch_};
      ++used_;
    }
    return slot.value;
  }

  // The value of the key if there is one. Valid until the next call of operator[].
  const Value* find(std::uint64_t key) const {
    const Slot& slot = slots_[index_of(key)];
    return slot.epoch == epoch_ ? &slot.value : nullptr;
  }

  std::size_t size() const { return used_; }

 private:
  static constexpr std::size_t kInitialSlots = 1024;

  struct Slot {
    std::uint64_t key = 0;
    Value value{};
    std::uint32_t epoch = 0;  // invariant: a slot is in use iff this is the map's epoch
  };

  // Of its slot, or of the one it would get.
  std::size_t index_of(std::uint64_t key) const {
    std::size_t mask = slots_.size() - 1;
    // One multiplication: the keys are dense small numbers, not adversaries.
    std::size_t group = static_cast<std::size_t>(((key >> 3) * 0x9e3779b97f4a7c15ull) >> 32);
    std::size_t at = (group << 3 | (key & 7)) & mask;
    while (slots_[at].epoch == epoch_ && slots_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  Slot& locate(std::uint64_t key) { return slots_[index_of(key)]; }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (Slot& slot : old)
      if (slot.epoch == epoch_) locate(slot.key) = std::move(slot);
  }

  std::vector<Slot> slots_;  // invariant: the size is a power of two
  std::size_t used_ = 0;
  std::uint32_t epoch_ = 1;
};

}  // namespace raddle::analysis
