// SPDX-License-Identifier: Apache-2.0
//
// LearnedMemo: what a training adds to the memo (DIR/memo.db), and what is read of it. Engine side.
// Written once a second
// and at the end, so that a training that is killed has lost a second of its runs. The file is open
// while it is written only: runs may be made in this very process.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <unordered_map>

#include "analysis/invariants.h"
#include "facts/module_table.h"
#include "memo/memo.h"
#include "report/symbolizer.h"

namespace raddle::outcome {

// What trainings have learned of the program with this path; nothing if there is no memo, or the
// disk is full, which is no reason not to test. Read again only when the file has changed: a
// program may have many tests, and to open it takes a while.
Result<memo::Invariants> learned_invariants(const std::string& memo_path,
                                            const std::string& program);

class LearnedMemo {
 public:
  // `training` says of what: the program, its arguments and input, granularity, what is tolerated.
  LearnedMemo(std::string path, memo::TrainingRecord training);

  // Refuses a file that is no memo. It is created after the first run, so that a program that
  // cannot be run leaves nothing behind.
  Status look() const;
  // After a run; `failed` have been left out so far.
  Status on_run(const analysis::Training& training, std::uint64_t failed,
                std::span<const wire::Module> modules);
  Status end(const analysis::Training& training, std::uint64_t failed,
             std::span<const wire::Module> modules);
  const std::string& path() const { return path_; }

 private:
  Status write(const analysis::Training& training, std::span<const wire::Module> modules);

  std::string path_;
  memo::TrainingRecord record_;
  report::Symbolizer symbolizer_;
  std::unordered_map<SiteId, memo::PlaceRecord> places_;
  std::chrono::steady_clock::time_point written_at_ = std::chrono::steady_clock::now();
};

}  // namespace raddle::outcome
