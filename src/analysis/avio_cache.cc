// SPDX-License-Identifier: Apache-2.0
//
// See avio_cache.h. Engine side.
#include "analysis/avio_cache.h"

#include <algorithm>

#include "analysis/avio.h"
#include "base/rng.h"

namespace raddle::analysis {
namespace {

constexpr unsigned kLineShift = static_cast<unsigned>(Granularity::line);

}  // namespace

AvioCache::AvioCache(const CacheParameters& parameters) {
  auto make = [](std::size_t bytes, std::size_t ways) {
    std::size_t lines = bytes >> kLineShift;
    return Cache{lines / ways, ways, std::vector<Line>(lines)};
  };
  for (unsigned core = 0; core < parameters.cores; ++core)
    l1_.push_back(make(parameters.l1_bytes, parameters.l1_ways));
  l2_ = make(parameters.l2_bytes, parameters.l2_ways);
}

void AvioCache::begin() {
  for (Cache& cache : l1_) std::ranges::fill(cache.lines, Line{});
  std::ranges::fill(l2_.lines, Line{});
  clock_ = 0;
  index_ = 0;
  known_.clear();
  reports_.clear();
  counts_ = {};
}

void AvioCache::on_event(const wire::Event& event) {
  if (std::uint8_t bits = access_bits(event); bits != 0) {
    auto core = static_cast<unsigned>(event.thread % l1_.size());
    std::uint64_t begin = event.where.offset;
    std::uint64_t last = begin + std::max<std::uint16_t>(event.size, 1) - 1;
    for (std::uint64_t at = begin >> kLineShift; at <= last >> kLineShift; ++at) {
      std::uint64_t name = (std::uint64_t{event.where.region_id} << 32) + at + 1;
      ++counts_.accesses;
      if ((bits & kReads) != 0) read(core, name, event.site);
      if ((bits & kWrites) != 0) write(core, name, event.site);
    }
  }
  ++index_;
}

std::vector<AvioCache::Line>::iterator AvioCache::set_of(Cache& cache, std::uint64_t name) {
  std::size_t set = (mix64(name >> 32) + name) & (cache.sets - 1);
  return cache.lines.begin() + static_cast<std::ptrdiff_t>(set * cache.ways);
}

AvioCache::Line* AvioCache::find(Cache& cache, std::uint64_t name) {
  auto first = set_of(cache, name);
  auto end = first + static_cast<std::ptrdiff_t>(cache.ways);
  auto found = std::find_if(first, end, [name](const Line& line) { return line.name == name; });
  return found == end ? nullptr : &*found;
}

// Takes the place of the line that has not been used for longest. Requires: the line is not there.
AvioCache::Line& AvioCache::place(Cache& cache, std::uint64_t name, Line& displaced) {
  auto first = set_of(cache, name);
  auto oldest = std::min_element(first, first + static_cast<std::ptrdiff_t>(cache.ways),
                                 [](const Line& a, const Line& b) { return a.used < b.used; });
  displaced = *oldest;
  *oldest = Line{};
  oldest->name = name;
  return *oldest;
}

void AvioCache::touch_l2(std::uint64_t name) {
  ++counts_.l1_misses;
  Line* line = find(l2_, name);
  if (line == nullptr) {
    ++counts_.l2_misses;
    Line displaced;
    line = &place(l2_, name, displaced);
    // What is not in the second level is in no first one.
    for (Cache& cache : l1_)
      if (Line* gone = displaced.name == 0 ? nullptr : find(cache, displaced.name)) {
        *gone = Line{};
        ++counts_.displaced;
      }
  }
  line->used = ++clock_;
}

AvioCache::Line& AvioCache::fetch(unsigned core, std::uint64_t name) {
  touch_l2(name);
  if (Line* line = find(l1_[core], name)) return *line;
  Line displaced;
  Line& line = place(l1_[core], name, displaced);
  if (displaced.name != 0) ++counts_.displaced;
  return line;
}

void AvioCache::read(unsigned core, std::uint64_t name, SiteId site) {
  Line* line = find(l1_[core], name);
  if (line == nullptr || line->state == State::invalid) {
    if (line != nullptr && line->invalidated)
      report(site, case_number(!line->last_read, true, false));
    bool others = false;
    for (std::size_t other = 0; other < l1_.size(); ++other) {
      Line* theirs = other == core ? nullptr : find(l1_[other], name);
      if (theirs == nullptr || theirs->state == State::invalid) continue;
      if (theirs->state == State::modified) theirs->downgraded = true;
      theirs->state = State::shared;
      others = true;
    }
    line = &fetch(core, name);
    line->state = others ? State::shared : State::exclusive;
  }
  line->used = ++clock_;
  line->last_read = true;
  line->downgraded = line->invalidated = false;
}

void AvioCache::write(unsigned core, std::uint64_t name, SiteId site) {
  Line* line = find(l1_[core], name);
  bool owned = line != nullptr && line->state >= State::exclusive;
  if (!owned) {
    if (line != nullptr && line->last_read && line->invalidated)
      report(site, case_number(false, true, true));
    if (line != nullptr && line->name != 0 && !line->last_read && line->downgraded)
      report(site, case_number(true, false, true));
    for (std::size_t other = 0; other < l1_.size(); ++other) {
      Line* theirs = other == core ? nullptr : find(l1_[other], name);
      if (theirs == nullptr) continue;
      theirs->state = State::invalid;
      theirs->invalidated = true;
    }
    line = &fetch(core, name);
  }
  line->state = State::modified;
  line->used = ++clock_;
  line->last_read = line->downgraded = line->invalidated = false;
}

void AvioCache::report(SiteId site, unsigned number) {
  std::uint32_t& known = known_[(std::uint64_t{site} << 3) | number];
  if (known == 0) {
    reports_.push_back({site, static_cast<std::uint8_t>(number), index_, 1, index_});
    known = static_cast<std::uint32_t>(reports_.size());
  } else if (reports_[known - 1].last_index != index_) {
    ++reports_[known - 1].count;
    reports_[known - 1].last_index = index_;
  }
}

}  // namespace raddle::analysis
