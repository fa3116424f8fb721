// SPDX-License-Identifier: Apache-2.0
//
// Digest: a 64-bit number for a lot of memory. Target side; pure. Equal for equal contents at equal
// addresses. Words that are zero do not count, so that memory which was never touched is as good as
// memory that was cleared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/rng.h"

namespace raddle::runtime {

class Digest {
 public:
  void add(std::uint64_t value) { sum_ = mix64(sum_ + value); }

  // The order of calls does not matter.
  void add_memory(std::uintptr_t begin, std::size_t size) {
    std::uintptr_t end = begin + size;
    for (std::uintptr_t at = begin; at < end; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, reinterpret_cast<const void*>(at), end - at < 8 ? end - at : 8);
      if (word != 0) memory_ += mix64(word ^ (at * 0x9e37'79b9'7f4a'7c15));
    }
  }

  std::uint64_t value() const { return mix64(sum_) ^ memory_; }

 private:
  std::uint64_t sum_ = 0;
  std::uint64_t memory_ = 0;
};

}  // namespace raddle::runtime
