// SPDX-License-Identifier: Apache-2.0
//
// See access_trace.h. Engine side. Two or three look-ups an access: this runs for every event of a
// campaign.
#include "analysis/access_trace.h"

#include <algorithm>

#include "base/rng.h"

namespace raddle::analysis {

void AccessTrace::begin() {
  accesses_.clear();
  variables_.clear();
  variable_at_.clear();
  executions_.clear();
  slot_of_.clear();
  first_.clear();
  event_ = 0;
  slots_ = 0;
  truncated_ = false;
}

void AccessTrace::on_event(const wire::Event& event) {
  std::uint32_t index = event_++;
  if (!wire::is_memory_access(event.kind)) return;
  if (accesses_.size() >= kTracedMax) {
    truncated_ = true;
    return;
  }
  wire::OpClass is = wire::op_class(event.kind);
  bool failed = (event.flags & wire::kEventFailed) != 0;
  Access access;
  access.site = event.site;
  access.thread = event.thread;
  access.event = index;
  access.kind = event.kind;
  access.reads = is == wire::OpClass::read || is == wire::OpClass::load || is == wire::OpClass::rmw;
  access.writes = !access.reads || (is == wire::OpClass::rmw && !failed);
  std::uint64_t executed_as = (std::uint64_t{event.thread} << 32) | event.site;
  std::uint32_t& executions = executions_[executed_as];
  executions = std::min<std::uint32_t>(executions + 1, kNthMax);
  access.nth = static_cast<std::uint16_t>(executions);
  access.name =
      mix64((executed_as << 16) + (std::uint64_t{access.nth} << 8) + static_cast<unsigned>(is));

  wire::Location where = event.where;
  add(access, where);
  access.further = true;
  std::uint64_t end = std::uint64_t{where.offset} + event.size;
  std::uint64_t next = (std::uint64_t{where.offset} | 7) + 1;
  for (std::uint32_t piece = 1; next < end && piece < kPiecesMax; ++piece, next += 8) {
    where.offset = static_cast<std::uint32_t>(next);
    add(access, where);
  }
}

void AccessTrace::add(Access access, wire::Location where) {
  std::uint32_t& number = variable_at_[where.key()];
  if (number == 0) {
    variables_.push_back({access.thread, false, 0});
    number = static_cast<std::uint32_t>(variables_.size());
  }
  access.variable = number - 1;
  Variable& variable = variables_[access.variable];
  if (variable.thread != access.thread) variable.shared = true;
  ++variable.count;
  access.where = where;
  accesses_.push_back(access);
}

void AccessTrace::drop_unshared() {
  // The remaining variables are numbered anew: number + 1, or 0 for those that go.
  std::uint32_t kept = 0;
  next_.assign(variables_.size(), 0);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (!variables_[i].shared) continue;
    variables_[kept] = variables_[i];
    next_[i] = ++kept;
  }
  variables_.resize(kept);
  // What remains of an access whose first piece is dropped begins with the next one.
  std::uint32_t counted = UINT32_MAX;
  std::erase_if(accesses_, [&](Access& access) {
    std::uint32_t number = next_[access.variable];
    if (number == 0) return true;
    access.variable = number - 1;
    access.further = access.event == counted;
    counted = access.event;
    return false;
  });
}

void AccessTrace::finish() {
  drop_unshared();
  first_.assign(variables_.size() + 1, 0);
  for (std::size_t i = 0; i < variables_.size(); ++i)
    first_[i + 1] = first_[i] + variables_[i].count;
  next_.assign(first_.begin(), first_.end());
  by_variable_.resize(accesses_.size());
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    Access& access = accesses_[i];
    std::uint16_t& slot = slot_of_[access.thread];
    if (slot == 0) slot = ++slots_;
    access.slot = static_cast<std::uint16_t>(slot - 1);
    by_variable_[next_[access.variable]++] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace raddle::analysis
