// SPDX-License-Identifier: Apache-2.0
//
// FindingStore: the folder DIR/findings with one folder N for each finding. Engine side.
//
// A finding is written into a folder of its own beside the others and renamed into place when all
// of it is on the disk: whenever the process is killed, or the disk is full, a number is there with
// everything or not at all.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "facts/finding.h"
#include "facts/schedule.h"
#include "facts/schedule_text.h"
#include "report/event_file.h"

namespace raddle::report {

// File names inside a finding's folder.
inline constexpr const char* kScheduleFile = "schedule.raddle";
inline constexpr const char* kFindingFile = "finding.json";
inline constexpr const char* kEventsFile = "events.bin";
inline constexpr const char* kStacksFile = "stacks.txt";
inline constexpr const char* kStdoutFile = "stdout.txt";
inline constexpr const char* kStderrFile = "stderr.txt";
inline constexpr const char* kShowFile = "show.txt";

struct StoredFinding {
  facts::Finding finding;
  facts::Schedule schedule;
  EventFile recording;
  std::string stacks;  // as text, for people
  std::string output;
  std::string error_output;
  std::string show;                  // what `raddle show` prints; not written if empty
  facts::SiteComment site_comments;  // source places for the schedule's sites; may be empty
};

class FindingStore {
 public:
  // `directory` is the campaign's DIR; nothing is created before the first save().
  explicit FindingStore(std::string directory) : directory_(std::move(directory)) {}

  // Writes the finding under the next free number and returns it with number and directory set.
  Result<facts::Finding> save(StoredFinding stored) const;

  // The numbers that are taken, ascending.
  std::vector<int> list() const;

  // A reference is a number, a finding's folder, or a schedule file.
  // Only the schedule; a schedule file need not belong to a finding.
  Result<facts::Schedule> load_schedule(const std::string& reference) const;
  // Everything; the reference must lead to a finding's folder.
  Result<StoredFinding> load(const std::string& reference) const;

  std::string folder(int number) const;
  // Where the schedule of a reference lies.
  Result<std::string> schedule_path(const std::string& reference) const;

 private:
  Result<std::string> find_folder(const std::string& reference) const;
  Error no_such_finding(const std::string& reference) const;

  std::string directory_;
};

}  // namespace raddle::report
