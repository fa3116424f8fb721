// SPDX-License-Identifier: Apache-2.0
//
// See own_pages.h.
#include "runtime/own_pages.h"

#include <fcntl.h>

#include "runtime/raw_call.h"

namespace raddle::runtime {
namespace {

constexpr std::uint64_t kExclusive = std::uint64_t{1} << 56;

}  // namespace

OwnPages::OwnPages()
    : file_(raw_call(SYS_open, as_word("/proc/self/pagemap"), O_RDONLY | O_CLOEXEC)) {}

OwnPages::~OwnPages() {
  if (file_ >= 0) raw_call(SYS_close, file_);
}

bool OwnPages::is_own(std::uintptr_t page) {
  if (file_ < 0) return true;
  if (page - first_ >= count_) {
    constexpr long kBytes = sizeof(std::uint64_t);
    long bytes = raw_call(SYS_pread64, file_, as_word(entries_), sizeof entries_,
                          static_cast<long>(page) * kBytes);
    first_ = page;
    count_ = bytes < kBytes ? 0 : static_cast<std::uintptr_t>(bytes / kBytes);
    if (count_ == 0) return true;
  }
  return (entries_[page - first_] & kExclusive) != 0;
}

}  // namespace raddle::runtime
