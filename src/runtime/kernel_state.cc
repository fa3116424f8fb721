// SPDX-License-Identifier: Apache-2.0
//
// See kernel_state.h.
#include "runtime/kernel_state.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <initializer_list>

#include "runtime/raw_call.h"

namespace raddle::runtime {
namespace {

constexpr long kMaskBytes = 8;
// Descriptors of the resident process lie below the limit that systems commonly set, far above what
// programs use.
constexpr long kOwnDescriptors = 900;
constexpr long kOwnMax = 80;

int lowest_own() {
  rlimit64 files{};
  raw_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, as_word(&files));
  long limit = files.rlim_cur > 1024 ? 1024 : static_cast<long>(files.rlim_cur);
  long lowest = limit - kOwnMax < kOwnDescriptors ? limit - kOwnMax : kOwnDescriptors;
  return static_cast<int>(lowest < 3 ? 3 : lowest);
}

int open_high(const char* path, int flags) {
  long file = raw_call(SYS_open, as_word(path), flags | O_CLOEXEC);
  if (file < 0) return -1;
  int high = copy_high(static_cast<int>(file));
  raw_call(SYS_close, file);
  return high;
}

bool is_same_file(int a, int b) {
  struct stat first, second;
  return raw_call(SYS_fstat, a, as_word(&first)) == 0 &&
         raw_call(SYS_fstat, b, as_word(&second)) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

void close_from_to(int first, int end) {
  if (first < end) raw_call(SYS_close_range, first, end - 1, 0);
}

long file_mode_mask() {
  long mask = raw_call(SYS_umask, 077);
  raw_call(SYS_umask, mask);
  return mask;
}

template <class T, std::size_t kSize>
bool same_array(const T (&a)[kSize], const T (&b)[kSize]) {
  for (std::size_t i = 0; i < kSize; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace

int copy_high(int file) {
  return static_cast<int>(raw_call(SYS_fcntl, file, F_DUPFD_CLOEXEC, lowest_own()));
}

bool KernelState::take_files() {
  own_first_ = lowest_own();
  file_count_ = 0;
  for (int number = 0; number < own_first_; ++number) {
    long flags = raw_call(SYS_fcntl, number, F_GETFD);
    if (flags < 0) continue;
    if (file_count_ == kFilesMax) return false;
    File& file = files_[file_count_++];
    file = {number, copy_high(number), flags, raw_call(SYS_fcntl, number, F_GETFL)};
    if (file.copy < 0) return false;
  }
  directory_ = open_high(".", O_PATH | O_DIRECTORY);
  memory_ = open_high("/proc/self/statm", O_RDONLY);
  own_end_ = memory_ + 1;
  return directory_ >= 0 && memory_ >= 0;
}

bool KernelState::take() {
  if (!take_files()) return false;
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, as_word(&mask_), kMaskBytes);
  for (int i = 0; i < kSignalsMax; ++i)
    raw_call(SYS_rt_sigaction, i + 1, 0, as_word(&actions_[i]), kMaskBytes);
  raw_call(SYS_sigaltstack, 0, as_word(&stack_));
  for (int i = 0; i < kLimitsMax; ++i) raw_call(SYS_prlimit64, 0, i, 0, as_word(&limits_[i]));
  raw_call(SYS_prctl, PR_GET_NAME, as_word(name_));
  file_mode_mask_ = file_mode_mask();
  heap_end_ = raw_call(SYS_brk, 0);
  accept_size();
  return pages_ != 0;
}

bool KernelState::put_back_file(const File& file) {
  bool closes = (file.descriptor_flags & FD_CLOEXEC) != 0;
  if (raw_call(SYS_dup3, file.copy, file.number, closes ? O_CLOEXEC : 0) != file.number)
    return false;
  return raw_call(SYS_fcntl, file.number, F_SETFL, file.status_flags) == 0;
}

bool KernelState::put_back_files(bool may_have_changed) {
  int first = 0;
  for (int i = 0; i < file_count_; ++i) {
    const File& file = files_[i];
    close_from_to(first, file.number);
    first = file.number + 1;
    if (may_have_changed && !put_back_file(file)) return false;
  }
  close_from_to(first, own_first_);
  raw_call(SYS_close_range, own_end_, ~0u, 0);
  return true;
}

bool KernelState::put_back_limits() {
  for (int i = 0; i < kLimitsMax; ++i)
    if (raw_call(SYS_prlimit64, 0, i, as_word(&limits_[i]), 0) != 0) return false;
  return true;
}

bool KernelState::restore(std::uint32_t parts, std::uint64_t signals) {
  // First: others may need what a limit has kept back.
  if ((parts & kLimits) != 0 && !put_back_limits()) return false;
  for (std::uint64_t left = signals; left != 0; left &= left - 1) {
    int i = __builtin_ctzll(left);
    raw_call(SYS_rt_sigaction, i + 1, as_word(&actions_[i]), 0, kMaskBytes);
  }
  bool whole = put_back_files((parts & kInheritedFiles) != 0);
  if ((parts & kDirectory) != 0) whole &= raw_call(SYS_fchdir, directory_) == 0;
  if ((parts & kFileMode) != 0) raw_call(SYS_umask, file_mode_mask_);
  if ((parts & kName) != 0) raw_call(SYS_prctl, PR_SET_NAME, as_word(name_));
  if ((parts & kMappings) != 0) whole &= raw_call(SYS_brk, heap_end_) == heap_end_;
  if ((parts & kSignals) != 0 || signals != 0) {
    raw_call(SYS_sigaltstack, as_word(&stack_), 0);
    raw_call(SYS_rt_sigprocmask, SIG_SETMASK, as_word(&mask_), 0, kMaskBytes);
  }
  return whole;
}

bool KernelState::same_files() const {
  for (int i = 0; i < file_count_; ++i) {
    const File& file = files_[i];
    // A run opens its standard input anew (reopen_input).
    bool reopened = file.number == 0;
    if (!is_same_file(file.number, file.copy)) return false;
    if (!reopened && raw_call(SYS_fcntl, file.number, F_GETFL) != file.status_flags) return false;
  }
  struct stat here, then;
  return raw_call(SYS_stat, as_word("."), as_word(&here)) == 0 &&
         raw_call(SYS_fstat, directory_, as_word(&then)) == 0 && here.st_dev == then.st_dev &&
         here.st_ino == then.st_ino;
}

bool KernelState::same_signals() const {
  std::uint64_t mask = 0, pending = 0;
  raw_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, as_word(&mask), kMaskBytes);
  raw_call(SYS_rt_sigpending, as_word(&pending), kMaskBytes);
  AlternateStack stack{};
  raw_call(SYS_sigaltstack, 0, as_word(&stack));
  if (mask != mask_ || pending != 0 || stack != stack_) return false;
  for (int i = 0; i < kSignalsMax; ++i) {
    Action action{};
    raw_call(SYS_rt_sigaction, i + 1, 0, as_word(&action), kMaskBytes);
    if (action != actions_[i]) return false;
  }
  return true;
}

bool KernelState::same_limits() const {
  for (int i = 0; i < kLimitsMax; ++i) {
    rlimit64 limit{};
    raw_call(SYS_prlimit64, 0, i, 0, as_word(&limit));
    if (limit.rlim_cur != limits_[i].rlim_cur || limit.rlim_max != limits_[i].rlim_max)
      return false;
  }
  return true;
}

bool KernelState::same_rest() const {
  for (int which : {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF}) {
    itimerval timer{};
    raw_call(SYS_getitimer, which, as_word(&timer));
    if (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0) return false;
  }
  char name[kNameBytes] = {};
  raw_call(SYS_prctl, PR_GET_NAME, as_word(name));
  return same_array(name, name_) && file_mode_mask() == file_mode_mask_ &&
         raw_call(SYS_brk, 0) == heap_end_;
}

bool KernelState::is_same() const {
  return same_files() && same_signals() && same_limits() && same_rest();
}

// The first number of statm: the size of all mappings.
std::uint64_t KernelState::mapped_pages() const {
  char text[32];
  long size = raw_call(SYS_pread64, memory_, as_word(text), sizeof text, 0);
  std::uint64_t pages = 0;
  for (long i = 0; i < size && text[i] >= '0' && text[i] <= '9'; ++i)
    pages = pages * 10 + static_cast<std::uint64_t>(text[i] - '0');
  return pages;
}

}  // namespace raddle::runtime
