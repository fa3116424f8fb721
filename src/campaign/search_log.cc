// SPDX-License-Identifier: Apache-2.0
//
// See search_log.h.
#include "campaign/search_log.h"

#include <errno.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

namespace raddle::campaign {

namespace {

Error cannot_write(const std::string& path) {
  return {fmt::format("RADDLE_SEARCH_LOG: cannot write {}: {}", path, strerror(errno)), kExitUsage};
}

}  // namespace

Result<std::optional<SearchLog>> SearchLog::open() {
  const char* path = getenv("RADDLE_SEARCH_LOG");
  if (path == nullptr || *path == '\0') return std::optional<SearchLog>();
  std::ofstream file(path);
  if (!file) return cannot_write(path);
  file << "schedules,seconds,nodes,bytes,done_bytes,fringe\n";
  return std::optional<SearchLog>(SearchLog(path, std::move(file)));
}

void SearchLog::add(std::uint64_t runs, double seconds, const facts::SearchSize& size) {
  constexpr std::uint64_t kLinesToDouble = 200;
  next_ = runs + std::max<std::uint64_t>(1, runs / kLinesToDouble);
  file_ << fmt::format("{},{:.6f},{},{},{},{}\n", runs, seconds, size.nodes, size.tree_bytes,
                       size.set_bytes, size.open);
}

Status SearchLog::close() {
  errno = 0;
  file_.close();
  if (!file_) return cannot_write(path_);
  return Done{};
}

}  // namespace raddle::campaign
