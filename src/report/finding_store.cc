// SPDX-License-Identifier: Apache-2.0
//
// Storing and loading findings. Engine side.
#include "report/finding_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "report/file_io.h"
#include "report/finding_json.h"

namespace raddle::report {
namespace {

namespace fs = std::filesystem;
using facts::Finding;
using facts::Schedule;

// Unfinished folders are called ".new-PID": hidden, and their owner is known.
constexpr std::string_view kUnfinished = ".new-";

// The number that the text is, or nothing.
std::optional<int> finding_number(const std::string& text) {
  bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  return digits ? facts::parse_number<int>(text) : std::nullopt;
}

// Removes what killed processes have left behind.
void sweep(const std::string& findings) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(findings, error)) {
    std::string name = entry.path().filename();
    if (!name.starts_with(kUnfinished)) continue;
    auto owner = facts::parse_number<pid_t>(std::string_view(name).substr(kUnfinished.size()));
    bool gone = owner && *owner > 0 && kill(*owner, 0) != 0 && errno == ESRCH;
    std::error_code ignored;
    if (gone) fs::remove_all(entry.path(), ignored);
  }
}

// Deletes a folder unless told that it has found its place.
class Unfinished {
 public:
  explicit Unfinished(std::string path) : path_(std::move(path)) {}
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Status write_constant_parts(const std::string& folder, const StoredFinding& stored) {
  std::vector<std::pair<const char*, std::string>> files;
  files.emplace_back(kScheduleFile, print_schedule(stored.schedule, stored.site_comments));
  files.emplace_back(kEventsFile, encode_events(stored.recording));
  files.emplace_back(kStacksFile, stored.stacks);
  files.emplace_back(kStdoutFile, stored.output);
  files.emplace_back(kStderrFile, stored.error_output);
  if (!stored.show.empty()) files.emplace_back(kShowFile, stored.show);
  for (const auto& [name, contents] : files) {
    Status status = write_file(folder + "/" + name, contents);
    if (!status) return status;
  }
  return Done{};
}

}  // namespace

std::string FindingStore::folder(int number) const {
  return fmt::format("{}/findings/{}", directory_, number);
}

Result<Finding> FindingStore::save(StoredFinding stored) const {
  std::string findings = directory_ + "/findings";
  Status status = make_folders(findings);
  if (!status) return status.error();
  sweep(findings);
  Unfinished unfinished(fmt::format("{}/{}{}", findings, kUnfinished, getpid()));
  std::error_code ignored;
  fs::remove_all(unfinished.path(), ignored);
  status = make_folders(unfinished.path());
  if (status) status = write_constant_parts(unfinished.path(), stored);
  if (!status) return status.error();
  std::vector<int> taken = list();
  Finding& finding = stored.finding;
  finding.id = taken.empty() ? 1 : taken.back() + 1;
  // Another campaign may take the number first: then the next one.
  while (true) {
    finding.directory = folder(finding.id);
    status = write_file(unfinished.path() + "/" + kFindingFile, finding_json(finding));
    if (status) status = sync_folder(unfinished.path());
    if (!status) return status.error();
    if (renameat2(AT_FDCWD, unfinished.path().c_str(), AT_FDCWD, finding.directory.c_str(),
                  RENAME_NOREPLACE) == 0)
      break;
    // A file system without RENAME_NOREPLACE: rename() replaces no folder that holds files.
    if (errno == EINVAL && rename(unfinished.path().c_str(), finding.directory.c_str()) == 0) break;
    if (errno != EEXIST && errno != ENOTEMPTY)
      return Error{fmt::format("cannot create {}: {}", finding.directory, strerror(errno))};
    ++finding.id;
  }
  status = sync_folder(findings);
  if (!status) return status.error();
  return finding;
}

std::vector<int> FindingStore::list() const {
  std::vector<int> numbers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_ + "/findings", error))
    if (auto number = finding_number(entry.path().filename())) numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

Error FindingStore::no_such_finding(const std::string& reference) const {
  std::vector<int> numbers = list();
  constexpr std::size_t kShownMax = 20;
  std::string known = "there are none yet";
  if (!numbers.empty()) {
    bool many = numbers.size() > kShownMax;
    if (many) numbers.resize(kShownMax);
    known = fmt::format("there are {}{}", fmt::join(numbers, ", "), many ? ", …" : "");
  }
  return Error{fmt::format("no finding {} in {}/findings: {}", reference, directory_, known)};
}

Result<std::string> FindingStore::find_folder(const std::string& reference) const {
  std::error_code ignored;
  if (auto number = finding_number(reference)) {
    if (fs::is_directory(folder(*number), ignored)) return folder(*number);
    return no_such_finding(reference);
  }
  if (fs::is_directory(reference, ignored)) return reference;
  if (!fs::exists(reference, ignored))
    return Error{fmt::format("{}: neither a finding's number, nor its folder, nor a schedule file",
                             reference)};
  std::string parent = fs::path(reference).parent_path();
  return parent.empty() ? "." : parent;
}

Result<std::string> FindingStore::schedule_path(const std::string& reference) const {
  Result<std::string> found = find_folder(reference);
  if (!found) return found;
  std::error_code ignored;
  if (fs::is_directory(reference, ignored) || finding_number(reference))
    return *found + "/" + kScheduleFile;
  return reference;
}

Result<Schedule> FindingStore::load_schedule(const std::string& reference) const {
  Result<std::string> path = schedule_path(reference);
  if (!path) return path.error();
  Result<std::string> text = read_file(*path);
  if (!text) return text.error();
  return facts::parse_schedule(*text, *path);
}

Result<StoredFinding> FindingStore::load(const std::string& reference) const {
  Result<std::string> path = find_folder(reference);
  if (!path) return path.error();
  StoredFinding stored;
  Result<Schedule> schedule = load_schedule(reference);
  if (!schedule) return schedule.error();
  stored.schedule = std::move(*schedule);
  std::error_code ignored;
  std::string json_path = *path + "/" + kFindingFile;
  if (!fs::exists(json_path, ignored))
    return Error{fmt::format("{}: no {} beside it: a schedule alone can be replayed, not shown",
                             reference, kFindingFile)};
  Result<std::string> json = read_file(json_path);
  if (!json) return json.error();
  Result<Finding> finding = parse_finding_json(*json, json_path);
  if (!finding) return finding.error();
  stored.finding = std::move(*finding);
  stored.finding.directory = *path;  // it may have been moved
  Result<std::string> data = read_file(*path + "/" + kEventsFile);
  if (!data) return data.error();
  Result<EventFile> events = decode_events(*data, *path + "/" + kEventsFile);
  if (!events) return events.error();
  stored.recording = std::move(*events);
  for (auto [name, field] :
       {std::pair(kStacksFile, &stored.stacks), std::pair(kStdoutFile, &stored.output),
        std::pair(kStderrFile, &stored.error_output)}) {
    Result<std::string> text = read_file(*path + "/" + name);
    if (!text) return text.error();
    *field = std::move(*text);
  }
  return stored;
}

}  // namespace raddle::report
