// SPDX-License-Identifier: Apache-2.0
//
// The tree search and files: its state for a later campaign, and what does not fit into memory.
// Engine side. See tree_search.h, search/tree_file.h and search/overflow.h.
//
// Nodes that are under way are kept as if they had not been started: a campaign that is killed, or
// interrupted in the middle of a run, loses no run and makes none twice but that one.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "search/bytes.h"
#include "search/tree_file.h"
#include "search/tree_search.h"

namespace raddle::search {
namespace {

constexpr const char* kLearnedTable = "learned";
constexpr const char* kCountsTable = "counts";
constexpr const char* kSleepTable = "sleep sets";
constexpr const char* kDoneTable = "done sets";
constexpr const char* kEstimateTable = "estimate";

// One row of a done set.
struct DoneRow {
  NodeId node;
  std::uint32_t choice;
  Mask done;
};
static_assert(sizeof(DoneRow) == 16);

std::string directory_of(const PlanOptions& options) {
  if (!options.spill_directory.empty()) return options.spill_directory;
  std::error_code ignored;
  return std::filesystem::temp_directory_path(ignored).string();
}

}  // namespace

void TreeSearch::make_overflow() {
  OverflowOptions limits;
  if (std::uint64_t bytes = learned_.options().memory_bytes; bytes != 0) {
    limits.limit = bytes;
    // What stays in memory whatever happens, at most a quarter of the limit.
    constexpr std::size_t kEach = sizeof(ExecutionTree::Node) + 16;
    limits.keep = std::clamp<std::size_t>(bytes / 4 / kEach, 2, limits.keep);
  }
  limits.directory = directory_of(learned_.options());
  // Partial-order reduction adds children to nodes that were run long ago.
  limits.keep_ancestors = options_.ways == Ways::reversals;
  OverflowHooks hooks;
  hooks.payload = [this](NodeId node) { return NodePayload{sleep_[node], estimate_.weight(node)}; };
  hooks.restored = [this](NodeId node, const NodePayload& payload) {
    if (sleep_.size() < tree_.slots()) sleep_.resize(tree_.slots());
    sleep_[node] = payload.sleep;
    estimate_.set_weight(node, payload.weight);
  };
  hooks.deleted = [this](NodeId node) { forget(node); };
  overflow_.emplace(tree_, fringe_, std::move(limits), std::move(hooks));
}

Status TreeSearch::save(const std::string& path, std::string_view subject) {
  std::vector<Open> in_flight;
  for (const Flight& flight : flights_) in_flight.push_back(flight.open);
  for (const Flight& flight : again_) in_flight.push_back(flight.open);
  std::string counts, done;
  put_bytes(counts, counts_);
  put_bytes(counts, restarts_);
  put_bytes(counts, added_);
  put_bytes(counts, preemptions_done_);
  put_bytes(counts, size_);
  for (bool flag : {started_, racing_only_, uses_time_, wide_}) put_bytes(counts, flag);
  std::string sleep;
  put_array(sleep, sleep_);
  for (const auto& [at, mask] : done_) put_bytes(done, DoneRow{at.first, at.second, mask});
  const SideTable tables[] = {{kLearnedTable, learned_.save()},
                              {kCountsTable, counts},
                              {kSleepTable, sleep},
                              {kDoneTable, done},
                              {kEstimateTable, estimate_.save()}};
  return write_tree_file(path, subject, tree_, fringe_, *overflow_, in_flight, tables);
}

bool TreeSearch::load_table(const std::string& name, std::string_view saved) {
  if (name == kLearnedTable) return learned_.load(saved);
  if (name == kEstimateTable) return estimate_.load(saved);
  if (name == kSleepTable) return take_array(saved, sleep_) && sleep_.size() >= tree_.slots();
  if (name == kCountsTable)
    return take_bytes(saved, counts_) && take_bytes(saved, restarts_) &&
           take_bytes(saved, added_) && take_bytes(saved, preemptions_done_) &&
           take_bytes(saved, size_) && take_bytes(saved, started_) &&
           take_bytes(saved, racing_only_) && take_bytes(saved, uses_time_) &&
           take_bytes(saved, wide_) && saved.empty();
  if (name != kDoneTable) return false;
  std::vector<DoneRow> rows;
  if (!take_array(saved, rows)) return false;
  for (const DoneRow& row : rows) {
    if (!tree_.alive(row.node)) return false;
    done_[{row.node, row.choice}] = row.done;
  }
  return true;
}

Status TreeSearch::load(const std::string& path, std::string_view subject) {
  RADDLE_CHECK(!started_ && flights_.empty());
  auto tables = read_tree_file(path, subject, tree_, fringe_, *overflow_);
  if (!tables) return tables.error();
  std::size_t understood = 0;
  for (const SideTable& table : *tables) understood += load_table(table.name, table.contents);
  if (understood != 5 || tables->size() != 5)
    return Error{fmt::format("{}: its tables do not fit its tree", path), kExitUsage};
  runs_before_ = counts_.runs;
  exhausted_ = started_ && tree_.empty() && overflow_->on_disk() == 0;
  return Done{};
}

}  // namespace raddle::search
