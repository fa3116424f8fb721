// SPDX-License-Identifier: Apache-2.0
//
// Following definitions byte by byte. Engine side.
#include "analysis/def_use.h"

#include "analysis/touched.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpClass;
using wire::OpKind;

constexpr std::uint32_t kNone = 0xffffffff;

bool reads(const Event& event) {
  OpClass cls = wire::op_class(event.kind);
  return cls == OpClass::read || cls == OpClass::load || cls == OpClass::rmw;
}

// A compare-exchange that lost has written nothing.
bool writes(const Event& event) {
  if (event.kind == OpKind::atomic_cas && (event.flags & wire::kEventFailed) != 0) return false;
  return wire::writes_memory(event.kind);
}

}  // namespace

void DefUses::begin() {
  index_ = 0;
  granule_of_.clear();
  granules_.clear();
  signals_.clear();
  pairs_.clear();
}

void DefUses::on_event(const Event& event, SiteId place) {
  ++index_;
  if (wire::is_memory_access(event.kind))
    access(event, place);
  else
    signal(event, place);
}

void DefUses::access(const Event& event, SiteId place) {
  Access self{static_cast<std::uint32_t>(index_), place, event.thread,
              event.kind == OpKind::memory_free};
  for_each_touched(event, [&](std::uint64_t key, std::uint8_t mask) {
    std::uint32_t& number = granule_of_[key];
    if (number == 0) {
      if (granules_.size() == kGranulesMax) return;
      granules_.emplace_back();
      number = static_cast<std::uint32_t>(granules_.size());
    }
    Granule& granule = granules_[number - 1];
    if (reads(event)) read(granule, mask, self);
    if (writes(event)) write(granule, mask, self);
  });
}

void DefUses::read(Granule& granule, std::uint8_t mask, const Access& self) {
  std::uint32_t last = kNone;
  for (unsigned byte = 0; byte < 8; ++byte) {
    if ((mask >> byte & 1) == 0) continue;
    const Access& from = granule.write[byte];
    if (last == from.index) continue;  // as a rule, all bytes but the first
    last = from.index;
    Dependence kind = from.index == 0              ? Dependence::initial_use
                      : from.freed                 ? Dependence::use_after_end
                      : from.thread == self.thread ? Dependence::own_use
                                                   : Dependence::use;
    add(kind, from, self);
  }
  granule.read = self;
  granule.read_mask = mask;
}

void DefUses::write(Granule& granule, std::uint8_t mask, const Access& self) {
  bool read_before = (granule.read_mask & mask) != 0 && granule.read.thread != self.thread;
  if (self.freed && read_before) add(Dependence::end, granule.read, self);
  std::uint32_t last = kNone;
  for (unsigned byte = 0; byte < 8; ++byte) {
    if ((mask >> byte & 1) == 0) continue;
    const Access before = granule.write[byte];
    granule.write[byte] = self;
    if (before.index == 0 || before.index == last) continue;
    last = before.index;
    if (before.freed)
      add(Dependence::use_after_end, before, self);
    else if (before.thread != self.thread)
      add(self.freed ? Dependence::end : Dependence::overwrite, before, self);
  }
}

void DefUses::signal(const Event& event, SiteId place) {
  bool nobody = (event.flags & wire::kEventFailed) != 0;
  Access self{static_cast<std::uint32_t>(index_), place, event.thread, false};
  if (event.kind == OpKind::cond_signal || event.kind == OpKind::cond_broadcast)
    signals_[event.where.key()] = nobody ? self : Access{};
  if (event.kind != OpKind::cond_wait) return;
  const Access& lost = signals_[event.where.key()];
  if (lost.index != 0 && lost.thread != event.thread) add(Dependence::early_signal, lost, self);
}

void DefUses::add(Dependence kind, const Access& first, const Access& second) {
  SiteId from = kind == Dependence::initial_use ? 0 : first.place;
  if (pairs_.size() >= kPairsMax) return;
  pairs_.try_emplace({kind, from, second.place},
                     Instance{first.index == 0 ? kNoEvent : first.index - 1, second.index - 1});
}

}  // namespace raddle::analysis
