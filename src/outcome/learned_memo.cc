// SPDX-License-Identifier: Apache-2.0
//
// See learned_memo.h. Engine side.
#include "outcome/learned_memo.h"

#include <sys/stat.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <map>

#include "outcome/memo_place.h"
#include "report/file_io.h"

namespace raddle::outcome {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kWriteEvery{1};

// Changes with a file, and with the log that SQLite keeps beside it.
using Stamp = std::array<std::int64_t, 6>;

Stamp stamp_of(const std::string& path) {
  Stamp stamp{};
  std::size_t used = 0;
  for (const std::string& file : {path, path + "-wal"}) {
    struct stat info {};
    if (stat(file.c_str(), &info) != 0) info = {};
    stamp[used++] = info.st_size;
    stamp[used++] = info.st_mtim.tv_sec;
    stamp[used++] = info.st_mtim.tv_nsec;
  }
  return stamp;
}

Result<memo::Invariants> read_invariants(const std::string& path, const std::string& program) {
  memo::MemoOptions options;
  bool disk_trouble = false;
  options.create = false;
  options.disk_trouble = &disk_trouble;
  auto memo = memo::open_memo(path, options);
  if (!memo && disk_trouble) return memo::Invariants();
  if (!memo) return memo.error();
  return (*memo)->invariants(program);
}

}  // namespace

Result<memo::Invariants> learned_invariants(const std::string& memo_path,
                                            const std::string& program) {
  static std::string known_path, known_program;
  static Stamp known_stamp;
  static memo::Invariants known;
  Stamp stamp = stamp_of(memo_path);
  if (stamp == Stamp{}) return memo::Invariants();  // there is none
  if (memo_path == known_path && program == known_program && stamp == known_stamp) return known;
  auto read = read_invariants(memo_path, program);
  if (!read) return read;
  known_path = memo_path;
  known_program = program;
  known_stamp = stamp;
  known = *read;
  return read;
}

LearnedMemo::LearnedMemo(std::string path, memo::TrainingRecord training)
    : path_(std::move(path)), record_(std::move(training)) {
  record_.uid = memo::new_uid();
  record_.begun = static_cast<std::int64_t>(std::time(nullptr));
}

Status LearnedMemo::look() const {
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return Done{};
  auto memo = memo::open_memo(path_);
  return memo ? Status(Done{}) : memo.error();
}

Status LearnedMemo::on_run(const analysis::Training& training, std::uint64_t failed,
                           std::span<const wire::Module> modules) {
  record_.failed = failed;
  if (Clock::now() - written_at_ < kWriteEvery) return Done{};
  return write(training, modules);
}

Status LearnedMemo::end(const analysis::Training& training, std::uint64_t failed,
                        std::span<const wire::Module> modules) {
  record_.failed = failed;
  record_.ended = true;
  return write(training, modules);
}

Status LearnedMemo::write(const analysis::Training& training,
                          std::span<const wire::Module> modules) {
  if (Status made = report::make_folders(path_.substr(0, path_.rfind('/'))); !made) return made;
  auto memo = memo::open_memo(path_);
  if (!memo) return memo.error();
  record_.runs = training.runs();
  record_.unchanged = training.unchanged();
  std::vector<memo::Record> records{record_};
  facts::ModuleTable table = facts::ModuleTable::from_wire(modules);
  // Two sites may be one to the memo, where there are no symbols for instance: what is violated
  // counts.
  std::map<std::string, memo::InvariantRecord> invariants;
  for (const auto& [site, count] : training.counts()) {
    const facts::Module* module = table.find(site);
    if (module == nullptr) continue;
    memo::PlaceRecord& place = places_[site];
    if (place.site.empty()) {
      place = memo_place(record_.program, *module, site - module->site_base, symbolizer_);
      records.emplace_back(place);
    }
    memo::InvariantRecord& invariant = invariants[place.site];
    invariant.training = record_.uid;
    invariant.site = place.site;
    invariant.file = place.file;
    invariant.line = place.line;
    invariant.runs = std::max(invariant.runs, count.runs);
    invariant.violations = std::max(invariant.violations, count.violations);
  }
  for (auto& [site, invariant] : invariants) records.emplace_back(std::move(invariant));
  Status added = (*memo)->add(records);
  written_at_ = Clock::now();  // not before: what takes long is done less often
  if (!added) places_.clear();
  return added;
}

}  // namespace raddle::outcome
