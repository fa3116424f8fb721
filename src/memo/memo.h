// SPDX-License-Identifier: Apache-2.0
//
// Memo: what campaigns remember from one to the next, in one file. Engine side.
//
// Several processes may use one file at a time. What add() has returned from survives the death of
// this process at any moment (kill -9); a power failure may take the last few additions, never
// parts of one. A file that is no memo, is damaged or was written by a newer raddle is refused and
// stays as it is.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "memo/records.h"
#include "memo/schema.h"

namespace raddle::memo {

struct ProgramStats {
  std::string path;
  std::uint64_t builds = 0, sites = 0, shared_sites = 0, campaigns = 0, runs = 0, findings = 0;
  std::uint64_t covered = 0;  // properties of interleavings that a run has shown
};

struct FindingStats {
  std::string path, kind, message;
  std::uint64_t times = 0, campaigns = 0;
};

// What trainings of a program have learned at a granularity.
struct TrainingStats {
  std::string path, granularity;
  std::uint64_t trainings = 0, runs = 0, failed = 0;
  std::uint64_t invariants = 0, violated = 0;  // places of code
};

// A place of code in the light of all trainings of a program at a granularity.
struct Invariant {
  std::string site, file;
  std::int64_t line = 0;
  std::uint64_t runs = 0, violations = 0;
  bool holds = false;  // no training has violated it more often than it tolerates
};

struct Invariants {
  std::string granularity;        // that of the last training; empty: there is none
  std::vector<Invariant> places;  // by site
};

struct Stats {
  std::vector<ProgramStats> programs;    // by path
  std::vector<FindingStats> findings;    // by path, kind and signature
  std::vector<TrainingStats> trainings;  // by path and granularity
  std::uint64_t sites = 0;               // of all programs: they may share some
};

class Memo {
 public:
  virtual ~Memo() = default;

  // Adds all of them or none. What is there already stays; of campaigns, trainings and what belongs
  // to them the later state. The campaign of a sighting or of coverage has to be there, or before
  // it, and so have the property that is covered and the training of an invariant.
  virtual Status add(std::span<const Record> records) = 0;

  // Every record, each after those that it needs, as of one moment. Ends at the first error.
  virtual Status each(const std::function<Status(const Record&)>& visit) = 0;

  // The places (module, offset) of a set, in order.
  using Places = std::vector<std::pair<std::string, std::uint64_t>>;
  virtual Result<Places> learned(const ProgramRecord& program, const std::string& subject,
                                 const std::string& set) = 0;

  // What trainings of the program with this path have learned, in every build: at the granularity
  // asked for, or at that of the last training.
  virtual Result<Invariants> invariants(const std::string& path,
                                        const std::string& granularity = "") = 0;

  virtual Result<Stats> stats() = 0;

  // All that belongs to the program with this path, in every build; an empty path: everything.
  // Says how many builds there were.
  virtual Result<std::uint64_t> forget(const std::string& path) = 0;
};

struct MemoOptions {
  bool create = true;                    // if there is no such file
  std::chrono::milliseconds busy{5000};  // so long others are waited for
  std::span<const char* const> schema = kSchema;
  // Set to true at an error that is the disk's (it is full, say) and not the file's; may be null.
  bool* disk_trouble = nullptr;
};

// The memo of a directory in which findings are kept.
inline std::string memo_path(const std::string& out) { return out + "/memo.db"; }

Result<std::unique_ptr<Memo>> open_memo(const std::string& path, const MemoOptions& options = {});

// For campaigns: no two are equal, and of two the later one is the greater, as far as clocks agree.
std::string new_uid();

}  // namespace raddle::memo
