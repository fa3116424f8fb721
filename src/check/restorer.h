// SPDX-License-Identifier: Apache-2.0
//
// Restorer: has the program's global variables put back after every run in place, to what they were
// when it was made. Engine side, in the program's process; the work is done by the runtime
// (wire/restore.h), since runs come in batches.
//
// The variables are those that Leftovers would tell of, and the guards of static locals among them,
// so that these are made anew in every run. What they were before the first run counts, not after
// it: containers that the first run has filled refer to blocks of the heap, which are not put back.
// For the same reason nothing is put back any more once a run has changed a variable that referred
// to such memory from the start.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/globals.h"
#include "check/outside_memory.h"
#include "wire/restore.h"

namespace raddle::check {

class Restorer {
 public:
  // `modules` are those of this process, the executable first. Requires: the runtime is attached,
  // and stays so while this lives.
  explicit Restorer(std::span<const wire::Module> modules);
  ~Restorer();
  Restorer(const Restorer&) = delete;
  Restorer& operator=(const Restorer&) = delete;

  // Why variables are not put back, or not any more; empty: they are.
  std::string note() const;

 private:
  using Word = std::uint64_t;

  void watch_memory();
  void describe(std::vector<wire::RestoredPiece>& pieces, std::size_t bytes);
  void learn();
  void mark(const GlobalsSnapshot::Copied& bytes);
  bool refers_outside(const GlobalsSnapshot::Copied& variable) const;
  void keep_libraries();

  std::optional<GlobalsSnapshot> before_;
  std::string refusal_;
  OutsideMemory outside_;                    // is not put back
  std::vector<void*> libraries_;             // that stay loaded
  std::vector<Word> then_;                   // all memory, and
  std::vector<wire::RestoredPiece> all_;     // pieces of it, by address
  std::vector<Word> masks_;                  // once it is learned,
  std::vector<wire::RestoredPiece> pieces_;  // those with variables
  std::vector<std::uint32_t> watched_;
  std::vector<wire::AnchoredVariable> anchored_;
  wire::Restore restore_;
};

}  // namespace raddle::check
