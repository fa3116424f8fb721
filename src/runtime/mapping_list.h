// SPDX-License-Identifier: Apache-2.0
//
// What is mapped at one moment, and going back to it. Target side; for resident runs (snapshot.h).
//
// What a run has mapped is unmapped, what it has unmapped or replaced is mapped anew if it is no
// file's, protections are set as they were. Left alone are the region of the snapshot, the first
// stack, which only grows, and protections of the threads' stacks, which the runtime sets as it
// needs them (fiber.cc).
//
// invariant: lies in memory that is not put back; no libc.
#pragma once

#include "runtime/page_scan.h"

namespace raddle::runtime {

class MappingList {
 public:
  // What is mapped now. False if it cannot be known.
  bool take();
  std::uint32_t size() const { return count_; }
  const Mapping& operator[](std::uint32_t index) const { return mappings_[index]; }

  // Two steps, since memory is put back between them, and has to be writable then. The first maps
  // and unmaps, and tells of ranges that it has mapped anew, which read as zero. False: there is
  // something that cannot be undone.
  bool go_back(Visit<std::uintptr_t, std::uintptr_t> renewed);
  bool protect_again();

  // Whether what is mapped, and how it is protected, is as it was.
  bool is_same();

 private:
  enum class Step : std::uint8_t { unmap, renew, protect };
  struct Change {
    std::uintptr_t begin, end;
    Step step;
    int protection;
  };
  static constexpr std::uint32_t kMappingsMax = 1 << 16;
  static constexpr std::uint32_t kChangesMax = 1 << 14;

  bool compare();
  bool meet(const Mapping& now);
  bool pass_until(std::uintptr_t address);
  bool compare_part(const Mapping& then, const Mapping& now, std::uintptr_t begin,
                    std::uintptr_t end);
  bool lose(const Mapping& then, std::uintptr_t begin, std::uintptr_t end);
  bool add(const Change& change);

  std::uint32_t count_;
  std::uint32_t change_count_;
  // While the lists are compared: the first of `mappings_` that is not behind `at_`, up to which
  // all is known.
  std::uint32_t next_;
  std::uintptr_t at_;
  Change changes_[kChangesMax];
  Mapping mappings_[kMappingsMax];
};

}  // namespace raddle::runtime
