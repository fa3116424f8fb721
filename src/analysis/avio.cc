// SPDX-License-Identifier: Apache-2.0
//
// See avio.h. Engine side. A place counts its writes; a thread remembers the count of its last
// access, so that a difference tells of remote writes. Whether what a thread has written was read
// before anybody wrote again is noted at that thread's access by the reader.
#include "analysis/avio.h"

#include <algorithm>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

using wire::Event;
using wire::OpKind;

constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix64(seed + 0x9e3779b97f4a7c15ull + value);
}

}  // namespace

std::uint8_t access_bits(const Event& event) {
  bool lost = (event.flags & wire::kEventFailed) != 0;
  switch (wire::op_class(event.kind)) {
    case wire::OpClass::load:
    case wire::OpClass::read:
      return kReads;
    case wire::OpClass::store:
      return kWrites;
    case wire::OpClass::write:
      return event.kind == OpKind::memory_free ? 0 : kWrites;
    case wire::OpClass::rmw:
      return lost ? kReads : kReads | kWrites;
    default:
      return 0;
  }
}

unsigned unserializable(std::uint8_t p, std::uint8_t i, bool remote_write, bool first_reads) {
  bool p_writes = (p & kWrites) != 0;
  if ((i & kReads) != 0 && remote_write) return case_number(p_writes, true, false);
  if ((i & kWrites) != 0 && (p & kReads) != 0 && remote_write)
    return case_number(false, true, true);
  if ((i & kWrites) != 0 && p_writes && first_reads) return case_number(true, false, true);
  return 0;
}

std::uint64_t Interleaving::key() const {
  std::uint64_t hash = combine(p, r);
  return combine(combine(hash, i), number);
}

void Avio::begin() {
  index_ = 0;
  units_made_ = 0;
  units_.clear();
  mine_.clear();
  generations_.clear();
  candidates_.clear();
  candidate_sites_.clear();
  waiting_.clear();
  known_.clear();
  found_.clear();
}

void Avio::on_event(const Event& event) {
  if (event.kind == OpKind::memory_free) {
    ++generations_[event.where.region_id];
  } else if (std::uint8_t bits = access_bits(event); bits != 0) {
    std::uint64_t begin = event.where.offset;
    std::uint64_t last = begin + std::max<std::uint16_t>(event.size, 1) - 1;
    std::uint64_t region = std::uint64_t{event.where.region_id} << 32;
    for (std::uint64_t at = begin >> shift_; at <= last >> shift_; ++at)
      access(event, region + at, bits);
  }
  ++index_;
}

Avio::Unit& Avio::unit_of(const Event& event, std::uint64_t key) {
  std::uint32_t generation = 0;
  if (event.where.region() == wire::Region::heap && generations_.size() != 0)
    generation = generations_[event.where.region_id];
  Unit* unit = &units_[key];
  if (unit->id != 0 && unit->generation == generation) return *unit;
  if (units_made_ == kUnitsMax) {
    units_made_ = 0;
    units_.clear();
    mine_.clear();
    waiting_.clear();
    unit = &units_[key];
  }
  *unit = {};
  unit->id = ++units_made_;
  unit->generation = generation;
  unit->writer = kNoThread;
  unit->first = event.thread;
  return *unit;
}

void Avio::access(const Event& event, std::uint64_t key, std::uint8_t bits) {
  Unit& unit = unit_of(event, key);
  if (!unit.shared && unit.first != event.thread) share(unit);
  Mine* me = &mine(unit, event.thread);
  if (me->bits != 0) {
    note_candidate(unit, event.site);
    judge(event, unit, *me, bits);
  }
  if ((bits & kReads) != 0 && unit.writer != event.thread && unit.writer != kNoThread) {
    Mine& theirs = mine(unit, unit.writer);
    // What it wrote and has not looked at since: later it would be P no more.
    if ((theirs.bits & kWrites) != 0 && !theirs.seen) {
      theirs.seen = true;
      theirs.reader_index = index_;
      theirs.reader_site = event.site;
    }
    me = &mine(unit, event.thread);
  }
  if ((bits & kWrites) != 0) {
    unit.writer = event.thread;
    unit.writer_index = index_;
    unit.writer_site = event.site;
    ++unit.version;
  }
  *me = {index_, event.site, unit.version, 0, 0, bits, false};
}

void Avio::judge(const Event& event, const Unit& unit, const Mine& me, std::uint8_t bits) {
  unsigned number = unserializable(me.bits, bits, unit.version != me.version, me.seen);
  if (number == 0) return;
  bool by_reader = number == 5;
  Interleaving found;
  found.p = me.site;
  found.r = by_reader ? me.reader_site : unit.writer_site;
  found.i = event.site;
  found.number = static_cast<std::uint8_t>(number);
  found.p_index = me.index;
  found.r_index = by_reader ? me.reader_index : unit.writer_index;
  found.i_index = found.last_i_index = index_;
  found.count = 1;
  report(found);
}

void Avio::report(Interleaving found) {
  std::uint32_t& known = known_[found.key()];
  if (known != 0) {
    Interleaving& first = found_[known - 1];
    if (first.last_i_index == index_) return;  // another part of the same bytes
    first.last_i_index = index_;
    ++first.count;
  } else if (found_.size() < kInterleavingsMax) {
    found_.push_back(found);
    known = static_cast<std::uint32_t>(found_.size());
  }
}

void Avio::note_candidate(Unit& unit, SiteId site) {
  if (unit.shared) {
    bool& known = candidates_[site];
    if (!known) candidate_sites_.push_back(site);
    known = true;
    return;
  }
  for (std::uint32_t at = unit.waiting; at != 0; at = waiting_[at - 1].next)
    if (waiting_[at - 1].site == site) return;
  waiting_.push_back({site, unit.waiting});
  unit.waiting = static_cast<std::uint32_t>(waiting_.size());
}

void Avio::share(Unit& unit) {
  unit.shared = true;
  for (std::uint32_t at = unit.waiting; at != 0; at = waiting_[at - 1].next)
    note_candidate(unit, waiting_[at - 1].site);
  unit.waiting = 0;
}

std::vector<SiteId> Avio::candidates() const {
  std::vector<SiteId> sites = candidate_sites_;
  std::ranges::sort(sites);
  return sites;
}

void Avio::finish(const facts::Run& run, Findings& findings) {
  if (!invariant_) return;
  for (const Interleaving& found : found_) {
    if (found.i_index >= run.events.size() || !invariant_(found.i)) continue;
    Evidence evidence;
    evidence.kind = facts::FindingKind::atomicity_violation;
    evidence.thread = run.events[found.i_index].thread;
    evidence.events = {run.events[found.p_index], run.events[found.r_index],
                       run.events[found.i_index]};
    evidence.first_index = found.i_index;
    findings.push_back(std::move(evidence));
  }
}

}  // namespace raddle::analysis
