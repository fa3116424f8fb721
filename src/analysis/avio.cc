// SPDX-License-Identifier: Apache-2.0
//
// See avio.h. Engine side. A place counts its writes; a thread remembers the count of its last
// access, so that a difference tells of remote writes. Whether what a thread has written was read
// before anybody wrote again is noted at that thread's access by the reader.
//
// Of what a thread does while nobody else comes, the events hold the last write and the last reads.
// So the kind of P is known, but its site may be that of an earlier access of the same kind
// (wire::kEventVague), and of such a phase not every I becomes a candidate: less is learned than
// could be.
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
  sites_.clear();
  unit_index_.clear();
  units_.clear();
  others_.clear();
  generations_.clear();
  candidates_.clear();
  candidate_sites_.clear();
  waiting_.clear();
  known_.clear();
  found_.clear();
}

void Avio::on_event(const Event& event) {
  sites_.push_back(event.site);
  if (event.kind == OpKind::memory_free) {
    ++generations_[event.where.region_id];
  } else if (std::uint8_t bits = access_bits(event); bits != 0) {
    std::uint64_t begin = event.where.offset;
    std::uint64_t last = begin + std::max<std::uint16_t>(event.size, 1) - 1;
    std::uint64_t region = std::uint64_t{event.where.region_id} << 32;
    for (std::uint64_t at = begin >> shift_; at <= last >> shift_; ++at)
      access(event, region + at, bits);
  }
}

std::uint32_t Avio::unit_of(const Event& event, std::uint64_t key) {
  std::uint32_t generation = 0;
  if (event.where.region() == wire::Region::heap && generations_.size() != 0)
    generation = generations_[event.where.region_id];
  std::uint32_t* index = &unit_index_[key];
  if (*index != 0 && units_[*index - 1].generation == generation) return *index - 1;
  if (units_.size() == kUnitsMax) {
    unit_index_.clear();
    units_.clear();
    others_.clear();
    waiting_.clear();
    index = &unit_index_[key];
  }
  Unit unit = {};
  unit.generation = generation;
  unit.writer = kNoThread;
  unit.first = event.thread;
  unit.mine[0].thread = unit.mine[1].thread = kNoThread;
  units_.push_back(unit);
  *index = static_cast<std::uint32_t>(units_.size());
  return *index - 1;
}

Avio::Mine& Avio::mine(std::uint32_t unit, ThreadId thread) {
  for (Mine& mine : units_[unit].mine) {
    if (mine.thread == kNoThread) mine.thread = thread;
    if (mine.thread == thread) return mine;
  }
  return others_[(std::uint64_t{unit} << 16) | thread];
}

void Avio::access(const Event& event, std::uint64_t key, std::uint8_t bits) {
  std::uint32_t number = unit_of(event, key);
  Unit& unit = units_[number];
  auto index = static_cast<std::uint32_t>(sites_.size() - 1);
  if (!unit.shared && unit.first != event.thread) share(unit);
  // A remembered access is told late. On the same bytes nobody has come between it and P, or it
  // would have been told at once; on others of the unit somebody may only seem to have.
  bool late = (event.flags & wire::kEventRemembered) != 0;
  if (const Mine& me = mine(number, event.thread); me.bits != 0) {
    note_candidate(unit, event.site);
    if (!late) judge(unit, me, bits);
  }
  if ((bits & kReads) != 0 && unit.writer != event.thread && unit.writer != kNoThread) {
    Mine& theirs = mine(number, unit.writer);
    // What it wrote and has not looked at since: later it would be P no more.
    if ((theirs.bits & kWrites) != 0 && !theirs.seen) {
      theirs.seen = true;
      theirs.reader = index;
    }
  }
  if ((bits & kWrites) != 0) {
    // A write that is told late came before what is known of others, or it would have been told
    // at once: to them it is no remote write. The last one it is if that is why it is told, as
    // somebody comes to its bytes now.
    bool is_last = !late || (event.flags & wire::kEventConflict) != 0 || unit.writer == kNoThread ||
                   unit.writer == event.thread;
    if (is_last) {
      unit.writer = event.thread;
      unit.writer_index = index;
    }
    if (!late) ++unit.version;
  }
  mine(number, event.thread) = {index, unit.version, 0, event.thread, bits, false};
}

void Avio::judge(const Unit& unit, const Mine& me, std::uint8_t bits) {
  unsigned number = unserializable(me.bits, bits, unit.version != me.version, me.seen);
  if (number == 0) return;
  Interleaving found;
  found.number = static_cast<std::uint8_t>(number);
  found.p_index = me.index;
  found.r_index = number == 5 ? me.reader : unit.writer_index;
  found.i_index = found.last_i_index = static_cast<std::uint32_t>(sites_.size() - 1);
  found.p = sites_[found.p_index];
  found.r = sites_[found.r_index];
  found.i = sites_[found.i_index];
  found.count = 1;
  report(found);
}

void Avio::report(const Interleaving& found) {
  // When there is no room, what is known is still counted.
  if (found_.size() == kInterleavingsMax && known_.size() >= 2 * kInterleavingsMax) return;
  std::uint32_t& known = known_[found.key()];
  if (known != 0) {
    Interleaving& first = found_[known - 1];
    if (first.last_i_index == found.i_index) return;  // another part of the same bytes
    first.last_i_index = found.i_index;
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
  std::vector<SiteId> invariants = candidates();
  std::erase_if(invariants, [this](SiteId site) { return !invariant_(site); });
  for (const Interleaving& found : found_) {
    if (found.i_index >= run.events.size() || !std::ranges::binary_search(invariants, found.i))
      continue;
    Evidence evidence;
    evidence.thread = run.events[found.i_index].thread;
    evidence.events = {run.events[found.p_index], run.events[found.r_index],
                       run.events[found.i_index]};
    evidence.first_index = found.i_index;
    findings.push_back(std::move(evidence));
  }
}

}  // namespace raddle::analysis
