// SPDX-License-Identifier: Apache-2.0
//
// Comparing a failing run with passing ones. Engine side; pure.
#include "analysis/postmortem.h"

#include <algorithm>
#include <tuple>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

constexpr std::size_t kNearest = 3;      // that should all disagree for a reversed pair
constexpr std::size_t kReversedMax = 8;  // pairs

std::size_t difference(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::size_t common = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j)
      ++common, ++i, ++j;
    else if (*i < *j)
      ++i;
    else
      ++j;
  }
  return a.size() + b.size() - 2 * common;
}

// Smaller is more likely. A use after the end or before the beginning is rarely meant; that some
// value was written over another is as a rule a consequence of what came before.
int weight(const Cause& cause) {
  switch (cause.reason) {
    case Reason::lock_cycle:
    case Reason::race:
      return 0;
    case Reason::interleaved:
      return cause.invariant ? 1 : 2;
    case Reason::windows:
      return 3;
    case Reason::reversed:
      return 5;
    case Reason::pair:
      break;
  }
  switch (cause.pair.kind) {
    case Dependence::use_after_end:
    case Dependence::initial_use:
    case Dependence::early_signal:
      return 1;
    case Dependence::use:
    case Dependence::own_use:
      return 2;
    case Dependence::overwrite:
    case Dependence::end:
      return 4;
  }
  return 5;
}

template <class Map, class Key>
std::size_t count_with(const std::vector<Traits>& runs, Map Traits::*member, const Key& key) {
  return static_cast<std::size_t>(
      std::ranges::count_if(runs, [&](const Traits& run) { return (run.*member).contains(key); }));
}

}  // namespace

Traits TraitReader::read(std::span<const wire::Event> events, std::span<const SiteId> places) {
  avio_.begin();
  def_uses_.begin();
  conflicts_.begin();
  Traits traits;
  for (std::size_t i = 0; i < events.size(); ++i) {
    wire::Event event = events[i];
    def_uses_.on_event(event, places[i]);
    conflicts_.on_event(event, places[i]);
    event.site = places[i];
    avio_.on_event(event);
    if (wire::op_class(event.kind) != wire::OpClass::mark) traits.places.insert(places[i]);
  }
  traits.interleavings = avio_.interleavings();
  traits.pairs = def_uses_.pairs();
  traits.windows = conflicts_.windows();
  traits.orders = conflicts_.orders();
  traits.edge_events = conflicts_.edges();
  for (std::size_t i = 0; i < events.size(); ++i) {
    traits.identities.push_back(conflicts_.identity(i));
    traits.position.try_emplace(conflicts_.identity(i), static_cast<std::uint32_t>(i));
  }
  for (const ConflictEdge& edge : traits.edge_events)
    traits.edges.push_back(
        mix64(conflicts_.identity(edge.from) * 3 + conflicts_.identity(edge.to)));
  std::ranges::sort(traits.edges);
  return traits;
}

std::size_t distance(const Traits& a, const Traits& b) { return difference(a.edges, b.edges); }

Postmortem::Postmortem(std::span<const wire::Event> events, std::span<const SiteId> places,
                       const Traits& failing, const Neighbourhood& others,
                       std::function<bool(SiteId)> is_user)
    : events_(events),
      places_(places),
      failing_(failing),
      others_(others),
      is_user_(std::move(is_user)) {
  for (const Traits& run : others.passing) {
    orders_.insert(run.orders.begin(), run.orders.end());
    reached_.insert(run.places.begin(), run.places.end());
  }
}

std::vector<std::size_t> Postmortem::nearest() const {
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (std::size_t i = 0; i < others_.passing.size(); ++i)
    runs.push_back({distance(failing_, others_.passing[i]), i});
  std::ranges::sort(runs);
  std::vector<std::size_t> order;
  for (const auto& run : runs) order.push_back(run.second);
  return order;
}

void Postmortem::finish(Cause& cause, std::size_t failing) const {
  cause.failing = failing;
  cause.in_library = std::ranges::none_of(
      cause.events, [this](std::size_t index) { return is_user_(places_[index]); });
  cause.only_here = std::ranges::any_of(
      cause.events, [this](std::size_t index) { return !reached_.contains(places_[index]); });
}

// See the top of postmortem.h.
void Postmortem::judge_order(Cause& cause) const {
  SiteId p = places_[cause.events[0]], r = places_[cause.events[1]], i = places_[cause.events[2]];
  bool before = was_before(r, p) || was_before(r, i);
  bool after = was_before(p, r) || was_before(i, r);
  // Where one of the two sides can do without the other, it need not wait for it.
  auto without = [this](SiteId there, SiteId missing) {
    return std::ranges::any_of(others_.passing, [&](const Traits& run) {
      return run.places.contains(there) && !run.places.contains(missing);
    });
  };
  // Where the threads run the same code, either may be first.
  ThreadId remote = events_[cause.events[1]].thread;
  bool alike = r == p || r == i;
  for (std::size_t k = 0; k < events_.size() && !alike; ++k)
    alike = events_[k].thread == remote && (places_[k] == p || places_[k] == i);
  bool free = before == after || alike || (before ? without(i, r) : without(r, i));
  cause.usual_side = free ? Side::both : before ? Side::before : Side::after;
  cause.label = free ? Label::atomicity : Label::order;
}

void Postmortem::add_interleavings(std::vector<Cause>& causes) const {
  std::vector<std::vector<Interleaving>> passing;
  for (const Traits& run : others_.passing) passing.push_back(run.interleavings);
  for (const RankedInterleaving& ranked :
       rank_interleavings(passing, failing_.interleavings, events_.size())) {
    if (ranked.passing > 0) continue;
    Cause cause;
    cause.reason = Reason::interleaved;
    cause.number = ranked.what.number;
    cause.invariant = ranked.breaks_invariant();
    cause.events = {ranked.what.p_index, ranked.what.r_index, ranked.what.i_index};
    cause.orders = {{0, 1}, {1, 2}};
    judge_order(cause);
    auto has = [&](const Traits& run) {
      return std::ranges::find(run.interleavings, ranked.what.key(), &Interleaving::key) !=
             run.interleavings.end();
    };
    finish(cause, static_cast<std::size_t>(std::ranges::count_if(others_.failing, has)));
    causes.push_back(std::move(cause));
  }
}

// Whether the pair is nothing but a part of an interleaving that is told as a whole.
bool Postmortem::is_part_of(const DefUse& pair, const std::vector<Cause>& causes) const {
  return std::ranges::any_of(causes, [&](const Cause& cause) {
    if (cause.reason != Reason::interleaved) return false;
    SiteId p = places_[cause.events[0]], r = places_[cause.events[1]], i = places_[cause.events[2]];
    auto is = [&](SiteId first, SiteId second) {
      return pair.first == first && pair.second == second;
    };
    return is(p, r) || is(r, i);
  });
}

std::vector<SiteId> Postmortem::usual(const DefUse& pair) const {
  std::set<SiteId> found;
  for (const Traits& run : others_.passing)
    for (const auto& [other, instance] : run.pairs) {
      bool use = other.kind == Dependence::use || other.kind == Dependence::own_use ||
                 other.kind == Dependence::initial_use;
      if (use && other.second == pair.second) found.insert(other.first);
    }
  return {found.begin(), found.end()};
}

// The first event after the use at one of these places and of the same bytes; kNoEvent: none.
std::size_t Postmortem::definition_after(std::size_t use, const std::vector<SiteId>& at) const {
  std::uint64_t begin = events_[use].where.offset, end = begin + events_[use].size;
  for (std::size_t i = use + 1; i < events_.size(); ++i) {
    const wire::Event& event = events_[i];
    bool overlaps = event.where.region_id == events_[use].where.region_id &&
                    event.where.offset < end && begin < event.where.offset + event.size;
    if (overlaps && wire::writes_memory(event.kind) &&
        std::ranges::find(at, places_[i]) != at.end())
      return i;
  }
  return kNoEvent;
}

void Postmortem::add_pairs(std::vector<Cause>& causes) const {
  std::vector<Cause> added;
  for (const auto& [pair, instance] : failing_.pairs) {
    if (count_with(others_.passing, &Traits::pairs, pair) > 0 || is_part_of(pair, causes)) continue;
    Cause cause;
    cause.pair = pair;
    cause.usual = usual(pair);
    if (instance.first != kNoEvent) cause.events.push_back(instance.first);
    cause.events.push_back(instance.second);
    // Before its time: what sets it may still come.
    if (pair.kind == Dependence::initial_use) {
      std::size_t late = definition_after(instance.second, cause.usual);
      if (late != kNoEvent) cause.events.push_back(late);
    }
    if (cause.events.size() == 2) cause.orders = {{0, 1}};
    finish(cause, count_with(others_.failing, &Traits::pairs, pair));
    added.push_back(std::move(cause));
  }
  for (Cause& cause : added) causes.push_back(std::move(cause));
}

void Postmortem::add_windows(std::vector<Cause>& causes) const {
  for (const auto& [key, events] : failing_.windows) {
    // Each order alone has done no harm.
    if (!was_before(key[0], key[1]) || !was_before(key[2], key[3])) continue;
    if (count_with(others_.passing, &Traits::windows, key) > 0) continue;
    WindowKey turned = {key[2], key[3], key[0], key[1]};
    // The same, seen from the other thread: it is told from where it begins.
    auto other = failing_.windows.find(turned);
    if (other != failing_.windows.end() && other->second.front() < events.front()) continue;
    Cause cause;
    cause.label = Label::multi_variable;
    cause.reason = Reason::windows;
    cause.events.assign(events.begin(), events.end());
    cause.orders = {{0, 1}, {2, 3}};
    finish(cause, count_with(others_.failing, &Traits::windows, key));
    causes.push_back(std::move(cause));
  }
}

void Postmortem::add_reversed(std::span<const std::size_t> near, std::vector<Cause>& causes) const {
  for (const ConflictEdge& edge : failing_.edge_events) {
    auto is_reversed = [&](std::size_t run) {
      const auto& position = others_.passing[run].position;
      auto from = position.find(failing_.identities[edge.from]);
      auto to = position.find(failing_.identities[edge.to]);
      return from != position.end() && to != position.end() && to->second < from->second;
    };
    if (!std::ranges::all_of(near, is_reversed)) continue;
    Cause cause;
    cause.reason = Reason::reversed;
    cause.runs = near.size();
    cause.events = {edge.from, edge.to};
    cause.orders = {{0, 1}};
    finish(cause, 0);
    causes.push_back(std::move(cause));
    if (causes.size() == kReversedMax) return;
  }
}

std::vector<Cause> Postmortem::causes(bool evident) const {
  std::vector<Cause> causes;
  if (others_.passing.empty()) return causes;
  add_interleavings(causes);
  add_pairs(causes);
  add_windows(causes);
  if (causes.empty() && !evident) {
    std::vector<std::size_t> runs = nearest();
    // A run that passes with the very same orders: they are not what makes the difference.
    if (distance(failing_, others_.passing[runs.front()]) == 0) return causes;
    std::span<const std::size_t> near = runs;
    add_reversed(near.first(std::min(kNearest, near.size())), causes);
    for (std::size_t i = 0; i < near.size() && causes.empty(); ++i)
      add_reversed(near.subspan(i, 1), causes);
  }
  auto rank = [this](const Cause& cause) {
    // What only some of the failures have is not the cause of all.
    bool some = cause.failing < others_.failing.size();
    std::size_t last = *std::ranges::max_element(cause.events);
    return std::tuple(cause.in_library, cause.only_here, some, weight(cause), last);
  };
  std::ranges::stable_sort(causes, {}, rank);
  // A read-modify-write uses and writes over at once: the same operations are told once.
  std::vector<Cause> told;
  for (Cause& cause : causes)
    if (std::ranges::find(told, cause.events, &Cause::events) == told.end())
      told.push_back(std::move(cause));
  return told;
}

}  // namespace raddle::analysis
