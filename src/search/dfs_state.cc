// SPDX-License-Identifier: Apache-2.0
//
// The state of a depth-first enumeration in a file (search/tree_file.h): a path, and no tree.
// Engine side.
#include <fmt/core.h>

#include "search/bytes.h"
#include "search/dfs.h"
#include "search/tree_file.h"

namespace raddle::search {
namespace {

constexpr const char* kLearnedTable = "learned";
constexpr const char* kPathTable = "path";

// There is none, but files have one.
struct NoTree {
  ExecutionTree tree;
  Fringe fringe;
  Overflow overflow{tree, fringe, {}};
};

}  // namespace

Status Dfs::save(const std::string& path, std::string_view subject) {
  NoTree none;
  std::string saved;
  put_bytes(saved, counts_);
  put_bytes(saved, restarts_);
  put_bytes(saved, path_.wide);
  put_array(saved, std::vector(ranks_.begin(), ranks_.begin() + path_.count));
  const SideTable tables[] = {{kLearnedTable, learned_.save()}, {kPathTable, saved}};
  return write_tree_file(path, subject, none.tree, none.fringe, none.overflow, {}, tables);
}

Status Dfs::load(const std::string& path, std::string_view subject) {
  NoTree none;
  auto tables = read_tree_file(path, subject, none.tree, none.fringe, none.overflow);
  if (!tables) return tables.error();
  std::size_t understood = 0;
  for (const SideTable& table : *tables) {
    std::string_view saved = table.contents;
    if (table.name == kLearnedTable) understood += learned_.load(saved);
    if (table.name == kPathTable)
      understood += take_bytes(saved, counts_) && take_bytes(saved, restarts_) &&
                    take_bytes(saved, path_.wide) && take_array(saved, ranks_);
  }
  if (understood != 2 || tables->size() != 2 || !none.tree.empty())
    return Error{fmt::format("{}: it is not the state of a depth-first search", path), kExitUsage};
  path_.ranks = ranks_.data();
  path_.count = static_cast<std::uint32_t>(ranks_.size());
  return Done{};
}

}  // namespace raddle::search
