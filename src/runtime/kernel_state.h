// SPDX-License-Identifier: Apache-2.0
//
// What the kernel keeps of a process beside its memory, and runs change: descriptors, signals,
// working directory, file mode mask, limits, name, end of the heap. Target side; for resident runs
// (resident.h). What is not here ends the residence when it is changed.
//
// Files that a run has opened are closed after each; the rest is put back if the run has made a
// call that changes it. is_same() asks for all of it, and so finds what was changed by system calls
// that the runtime does not see.
//
// invariant: lies in memory that is not put back; no libc.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>

namespace raddle::runtime {

// What a run may have changed, as bits.
enum KernelPart : std::uint32_t {
  kInheritedFiles = 1,  // closed, replaced, or their flags
  kSignals = 2,         // mask, alternate stack
  kDirectory = 4,
  kFileMode = 8,
  kLimits = 16,
  kName = 32,
  kMappings = 64,  // including the end of the heap
};

class KernelState {
 public:
  // As it is now. False if it cannot be known.
  bool take();
  // `parts`: KernelPart; `signals`: whose actions may have changed, a bit each. False if something
  // cannot be put back.
  bool restore(std::uint32_t parts, std::uint64_t signals);
  bool is_same() const;
  // Whether as much memory is mapped as then, or as was accepted since.
  bool same_size() const { return mapped_pages() == pages_; }
  void accept_size() { pages_ = mapped_pages(); }
  // The descriptors that this needs.
  int own_first() const { return own_first_; }
  int own_end() const { return own_end_; }

 private:
  struct Action {  // the kernel's
    void* handler;
    unsigned long flags;
    void* restorer;
    std::uint64_t mask;
    bool operator==(const Action&) const = default;
  };
  struct AlternateStack {
    void* base;
    int flags;
    std::size_t size;
    bool operator==(const AlternateStack&) const = default;
  };
  // One that the program had from the start.
  struct File {
    int number;
    int copy;
    long descriptor_flags, status_flags;
  };
  static constexpr int kSignalsMax = 64;
  static constexpr int kFilesMax = 64;
  static constexpr int kLimitsMax = RLIM_NLIMITS;
  static constexpr std::size_t kNameBytes = 16;

  bool take_files();
  bool put_back_files(bool may_have_changed);
  bool put_back_file(const File& file);
  bool put_back_limits();
  bool same_files() const;
  bool same_signals() const;
  bool same_limits() const;
  bool same_rest() const;
  std::uint64_t mapped_pages() const;

  std::uint64_t mask_;
  Action actions_[kSignalsMax];
  AlternateStack stack_;
  int directory_;
  int memory_;  // /proc/self/statm
  int own_first_, own_end_;
  long file_mode_mask_;
  long heap_end_;
  char name_[kNameBytes];
  rlimit64 limits_[kLimitsMax];
  File files_[kFilesMax];  // ascending
  int file_count_;
  std::uint64_t pages_;
};

// A copy of the descriptor above those that programs use; negative: there is none.
int copy_high(int file);

}  // namespace raddle::runtime
