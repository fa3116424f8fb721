// SPDX-License-Identifier: Apache-2.0
//
// See kernel_state.h.
#include "runtime/kernel_state.h"

#include <fcntl.h>
#include <signal.h>

#include "runtime/raw_call.h"

namespace raddle::runtime {
namespace {

constexpr long kMaskBytes = 8;

bool is_open(int file) { return raw_call(SYS_fcntl, file, F_GETFD) >= 0; }

int copy_high(int file) {
  return static_cast<int>(raw_call(SYS_fcntl, file, F_DUPFD_CLOEXEC, kOwnDescriptors));
}

int open_high(const char* path, int flags) {
  long file = raw_call(SYS_open, as_word(path), flags | O_CLOEXEC);
  if (file < 0) return -1;
  int high = copy_high(static_cast<int>(file));
  raw_call(SYS_close, file);
  return high;
}

}  // namespace

bool KernelState::take_descriptors() {
  inherited_count_ = 0;
  for (int file = 3; file < kOwnDescriptors; ++file) {
    if (!is_open(file)) continue;
    if (inherited_count_ == kInheritedMax) return false;
    inherited_[inherited_count_++] = file;
  }
  for (int i = 0; i < 3; ++i)
    if ((streams_[i] = copy_high(i)) < 0) return false;
  directory_ = open_high(".", O_PATH | O_DIRECTORY);
  memory_ = open_high("/proc/self/statm", O_RDONLY);
  return directory_ >= 0 && memory_ >= 0;
}

bool KernelState::take() {
  if (!take_descriptors()) return false;
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, as_word(&mask_), kMaskBytes);
  for (int i = 0; i < kSignals; ++i)
    raw_call(SYS_rt_sigaction, i + 1, 0, as_word(&actions_[i]), kMaskBytes);
  raw_call(SYS_sigaltstack, 0, as_word(&stack_));
  file_mode_mask_ = raw_call(SYS_umask, 077);
  raw_call(SYS_umask, file_mode_mask_);
  pages_ = mapped_pages();
  return pages_ != 0;
}

bool KernelState::restore_descriptors() {
  int first = 3;
  for (int i = 0; i < inherited_count_; ++i) {
    if (!is_open(inherited_[i])) return false;
    if (first < inherited_[i]) raw_call(SYS_close_range, first, inherited_[i] - 1, 0);
    first = inherited_[i] + 1;
  }
  raw_call(SYS_close_range, first, kOwnDescriptors - 1, 0);
  for (int i = 0; i < 3; ++i)
    if (raw_call(SYS_dup2, streams_[i], i) != i) return false;
  return true;
}

bool KernelState::restore(std::uint64_t touched_signals) {
  for (std::uint64_t left = touched_signals; left != 0; left &= left - 1) {
    int i = __builtin_ctzll(left);
    raw_call(SYS_rt_sigaction, i + 1, as_word(&actions_[i]), 0, kMaskBytes);
  }
  raw_call(SYS_sigaltstack, as_word(&stack_), 0);
  bool whole = restore_descriptors();
  whole &= raw_call(SYS_fchdir, directory_) == 0;
  raw_call(SYS_umask, file_mode_mask_);
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, as_word(&mask_), 0, kMaskBytes);
  return whole;
}

// The first number of statm: the size of all mappings.
std::uint64_t KernelState::mapped_pages() {
  char text[32];
  long size = raw_call(SYS_pread64, memory_, as_word(text), sizeof text, 0);
  std::uint64_t pages = 0;
  for (long i = 0; i < size && text[i] >= '0' && text[i] <= '9'; ++i)
    pages = pages * 10 + static_cast<std::uint64_t>(text[i] - '0');
  return pages;
}

}  // namespace raddle::runtime
