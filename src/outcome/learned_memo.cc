// SPDX-License-Identifier: Apache-2.0
//
// See learned_memo.h. Engine side.
#include "outcome/learned_memo.h"

#include <ctime>
#include <filesystem>
#include <map>

#include "outcome/memo_place.h"
#include "report/file_io.h"

namespace raddle::outcome {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kWriteEvery{1};

}  // namespace

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
