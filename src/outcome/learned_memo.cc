// SPDX-License-Identifier: Apache-2.0
//
// See learned_memo.h. Engine side.
#include "cli/learned_memo.h"

#include <ctime>
#include <filesystem>
#include <map>

#include "cli/campaign_memo.h"
#include "cli/known_invariants.h"
#include "cli/memo_place.h"
#include "report/file_io.h"

namespace raddle::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kWriteEvery{1};

}  // namespace

LearnedMemo::LearnedMemo(const LearnOptions& options, const memo::ProgramRecord& program,
                         const std::string& arguments)
    : path_(memo_path(options.test.out)) {
  record_.uid = memo::new_uid();
  record_.program = program;
  record_.arguments = arguments;
  record_.input = options.test.stdin_file;
  record_.granularity = granularity_name(options.granularity);
  record_.tolerated = options.tolerated;
  record_.begun = static_cast<std::int64_t>(std::time(nullptr));
}

Status LearnedMemo::open() {
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return Done{};
  auto memo = memo::open_memo(path_);
  if (!memo) return memo.error();
  memo_ = std::move(*memo);
  return Done{};
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
  if (!memo_) {
    if (Status made = report::make_folders(path_.substr(0, path_.rfind('/'))); !made) return made;
    auto memo = memo::open_memo(path_);
    if (!memo) return memo.error();
    memo_ = std::move(*memo);
  }
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
  Status added = memo_->add(records);
  written_at_ = Clock::now();  // not before: what takes long is done less often
  if (!added) places_.clear();
  return added;
}

}  // namespace raddle::cli
