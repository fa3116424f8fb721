// SPDX-License-Identifier: Apache-2.0
//
// See event_dump.h. Engine side.
#include "cli/event_dump.h"

#include <errno.h>
#include <fmt/core.h>
#include <string.h>

namespace raddle::cli {

Result<EventDump> EventDump::open(const std::string& path) {
  EventDump dump;
  if (path.empty()) return dump;
  FILE* file = fopen(path.c_str(), "ae");
  if (file == nullptr)
    return Error{fmt::format("cannot write {}: {}", path, strerror(errno)), kExitUsage};
  dump.file_ = std::shared_ptr<FILE>(file, fclose);
  return dump;
}

void EventDump::add(const facts::Run& run) {
  if (!file_) return;
  std::uint64_t count = run.events.size();
  fwrite(&count, sizeof count, 1, file_.get());
  fwrite(run.events.data(), sizeof(wire::Event), run.events.size(), file_.get());
}

}  // namespace raddle::cli
