// SPDX-License-Identifier: Apache-2.0
//
// What the kernel keeps of a process beside its memory, and runs change: descriptors, signals,
// working directory, file mode mask. Target side; for resident runs (resident.h). What is not here
// ends the residence when it is changed.
//
// invariant: lies in memory that is not put back; no libc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace raddle::runtime {

// Descriptors below this are the program's; the resident process's own are above.
inline constexpr int kOwnDescriptors = 100;

class KernelState {
 public:
  // As it is now. False if it cannot be known.
  bool take();
  // `touched_signals`: whose actions may have changed, a bit each. False if something cannot be put
  // back.
  bool restore(std::uint64_t touched_signals);
  // Whether as much memory is mapped as then, or as was accepted since.
  bool same_mappings() { return mapped_pages() == pages_; }
  void accept_mappings() { pages_ = mapped_pages(); }

 private:
  struct Action {  // the kernel's
    void* handler;
    unsigned long flags;
    void* restorer;
    std::uint64_t mask;
  };
  struct AlternateStack {
    void* base;
    int flags;
    std::size_t size;
  };
  static constexpr int kSignals = 64;
  static constexpr int kInheritedMax = 64;

  bool take_descriptors();
  bool restore_descriptors();
  std::uint64_t mapped_pages();

  std::uint64_t mask_;
  Action actions_[kSignals];
  AlternateStack stack_;
  int streams_[3];  // copies of the first three
  int directory_;
  int memory_;  // /proc/self/statm
  long file_mode_mask_;
  int inherited_[kInheritedMax];  // beyond the first three, ascending
  int inherited_count_;
  std::uint64_t pages_;
};

}  // namespace raddle::runtime
