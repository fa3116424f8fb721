// SPDX-License-Identifier: Apache-2.0
//
// OwnPages: which pages no other process has, by the kernel's page map. Target side; no libc, no
// allocation. For a look at pages in the order of their addresses: it reads ahead.
#pragma once

#include <cstdint>

namespace raddle::runtime {

class OwnPages {
 public:
  OwnPages();
  ~OwnPages();
  OwnPages(const OwnPages&) = delete;
  OwnPages& operator=(const OwnPages&) = delete;

  // By its number. In doubt it is.
  bool is_own(std::uintptr_t page);

 private:
  static constexpr std::uintptr_t kEntries = 512;

  long file_;
  std::uintptr_t first_ = 0;
  std::uintptr_t count_ = 0;
  std::uint64_t entries_[kEntries];
};

}  // namespace raddle::runtime
