// SPDX-License-Identifier: Apache-2.0
//
// See idiom_pairs.h. Engine side.
#include "analysis/idiom_pairs.h"

#include <algorithm>

#include "base/rng.h"

namespace raddle::analysis {
namespace {

constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix64(seed * 0x9e3779b97f4a7c15ull + value);
}

constexpr std::uint64_t site_key(const SharedAccess& access) {
  return (std::uint64_t{access.site} << 8) | static_cast<std::uint8_t>(access.kind);
}

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15ull;  // of the hash of sequences; odd

constexpr std::uint64_t power(std::uint64_t base, unsigned exponent) {
  std::uint64_t result = 1;
  for (unsigned i = 0; i < exponent; ++i) result *= base;
  return result;
}

}  // namespace

void IdiomPairs::begin() {
  forget();
  locksets_.clear();
  lockset_index_.clear();
  sequences_.clear();
  work_ = 0;
  truncated_ = false;
}

void IdiomPairs::forget() {
  accesses_.clear();
  access_index_.clear();
  threads_.clear();
  pairs_.clear();
  pair_index_.clear();
  variants_.clear();
  relations_.clear();
  relation_index_.clear();
  sequences_.clear();
}

std::uint32_t IdiomPairs::intern(const Lockset& lockset) {
  std::uint64_t hash = lockset.size();
  for (const NotedLock& lock : lockset)
    hash = combine(combine(hash, lock.key),
                   (lock.read ? 4u : 0u) | (lock.before ? 2u : 0u) | (lock.write_before ? 1u : 0u));
  std::uint32_t& index = lockset_index_[hash];
  if (index == 0) {
    locksets_.push_back(lockset);
    index = static_cast<std::uint32_t>(locksets_.size());
  }
  return index - 1;
}

std::uint32_t IdiomPairs::intern(const SharedAccess& access, const Lockset& lockset) {
  std::uint32_t locks = intern(lockset);
  std::uint64_t hash = combine(site_key(access), key(access.variable, locks));
  hash =
      combine(hash, (std::uint64_t{access.thread} << 8) | static_cast<std::uint8_t>(access.role));
  std::uint32_t& index = access_index_[hash];
  if (index == 0) {
    if (accesses_.size() == kAccessesMax) {
      truncated_ = true;
      return kNone;
    }
    accesses_.push_back({access, locks, access.op});
    index = static_cast<std::uint32_t>(accesses_.size());
  }
  return index - 1;
}

std::uint32_t IdiomPairs::clone(std::uint32_t access, std::uint32_t variable) {
  PredictedAccess copy = accesses_[access];
  Lockset locks = locksets_[copy.lockset];
  copy.first.variable = variable;
  std::uint32_t made = intern(copy.first, locks);
  if (made != kNone) accesses_[made].last_op = std::max(accesses_[made].last_op, copy.last_op);
  return made;
}

void IdiomPairs::made(std::uint32_t access, const SharedAccess& instance, std::uint32_t previous,
                      std::uint32_t& slot, const std::vector<AccessStream::Held>& held) {
  accesses_[access].last_op = instance.op;
  if (instance.thread >= threads_.size()) threads_.resize(std::size_t{instance.thread} + 1);
  Thread& self = threads_[instance.thread];
  Recent now{
      access, instance.variable, instance.op, site_key(instance), is_lock_role(instance.role),
      false};
  // Sites enter the hash at one end of the ring and leave it at the other.
  constexpr std::uint64_t kLeaving = power(kBase, kPairWindowMax);
  Recent& oldest = self.recent[self.count % kPairWindowMax];
  self.sequence = self.sequence * kBase + mix64(now.site) -
                  (self.count >= kPairWindowMax ? mix64(oldest.site) * kLeaving : 0);
  if (sequences_.size() > kSequencesMax) sequences_.clear();
  std::uint8_t& seen = sequences_[combine(self.sequence, instance.thread)];
  if (seen < kPairVariants) {
    ++seen;
    look_back(self, now, previous, held);
  }
  if (slot != kNone && self.count - slot <= kPairWindowMax)
    self.recent[slot % kPairWindowMax].over = true;
  slot = self.count++;
  oldest = now;
}

// Finds the local pairs whose second access is this one.
void IdiomPairs::look_back(const Thread& self, const Recent& now, std::uint32_t previous,
                           const std::vector<AccessStream::Held>& held) {
  std::uint32_t oldest = self.count > kPairWindowMax ? self.count - kPairWindowMax : 0;
  for (std::uint32_t i = self.count; i-- > oldest;) {
    const Recent& earlier = self.recent[i % kPairWindowMax];
    if (now.op - earlier.op >= window_ || earlier.op < previous) return;
    bool same = earlier.variable == now.variable;
    if (earlier.over || earlier.is_lock != now.is_lock || earlier.op == now.op) continue;
    if (!same && overlap(accesses_[earlier.access].first, accesses_[now.access].first)) continue;
    const Lockset& locks = locksets_[accesses_[earlier.access].lockset];
    std::uint8_t through = 0;
    for (std::size_t l = 0; l < locks.size(); ++l)
      for (const AccessStream::Held& lock : held)
        if (lock.key == locks[l].key && lock.op < earlier.op)
          through |= static_cast<std::uint8_t>(1u << l);
    add_pair(earlier.access, now.access, combine(earlier.site, now.site), through);
  }
}

void IdiomPairs::add_pair(std::uint32_t first, std::uint32_t second, std::uint64_t sites,
                          std::uint8_t through) {
  std::uint8_t& variants = variants_[combine(sites, accesses_[first].first.thread)];
  if (variants == kPairVariants) return;
  if (const std::uint32_t* known = pair_index_.find(key(first, second)); known != nullptr) {
    pairs_[*known - 1].through &= through;  // what is possible once is possible
    return;
  }
  if (pairs_.size() == kPairsMax) {
    truncated_ = true;
    return;
  }
  ++variants;
  pairs_.push_back({first, second, through});
  pair_index_[key(first, second)] = static_cast<std::uint32_t>(pairs_.size());
}

const IdiomPairs::Pair* IdiomPairs::pair(std::uint32_t first, std::uint32_t second) const {
  const std::uint32_t* index = pair_index_.find(key(first, second));
  return index == nullptr ? nullptr : &pairs_[*index - 1];
}

bool IdiomPairs::relate(std::uint32_t from, std::uint32_t to) {
  if (related(from, to)) return false;
  if (relations_.size() == kRelationsMax) {
    truncated_ = true;
    return false;
  }
  relation_index_[key(from, to)] = true;
  relations_.push_back({from, to});
  return true;
}

IdiomPairs::Ends IdiomPairs::ends(bool forward) const {
  Ends ends;
  ends.begin.assign(accesses_.size() + 2, 0);
  ends.items.resize(relations_.size());
  auto owner = [&](const Relation& r) { return forward ? r.from : r.to; };
  for (const Relation& r : relations_) ++ends.begin[owner(r) + 2];
  for (std::size_t i = 2; i < ends.begin.size(); ++i) ends.begin[i] += ends.begin[i - 1];
  for (const Relation& r : relations_)
    ends.items[ends.begin[owner(r) + 1]++] = forward ? r.to : r.from;
  return ends;
}

void IdiomPairs::correlate(const Concurrent& concurrent, IRootSet& found) {
  Ends to = ends(true), from = ends(false);
  for (const Pair& pair : pairs_) {
    crossing(pair, to, from, found);
    parallel(pair, to, found);
  }
  deadlocks(concurrent, found);
}

void IdiomPairs::crossing(const Pair& ad, const Ends& to, const Ends& from, IRootSet& found) {
  to.each(ad.first, [&](std::uint32_t b) {
    from.each(ad.second, [&](std::uint32_t c) {
      if (accesses_[b].first.thread == accesses_[c].first.thread && spend())
        crossing(ad, b, c, found);
    });
  });
}

void IdiomPairs::crossing(const Pair& ad, std::uint32_t b, std::uint32_t c, IRootSet& found) {
  std::uint32_t a = ad.first, d = ad.second;
  bool in_order = accesses_[b].first.op < accesses_[c].last_op;
  if (accesses_[a].first.variable == accesses_[d].first.variable) {
    if (b == c) predict(2, {a, b, d}, found);
    if (in_order) predict(3, {a, b, c, d}, found);
    return;
  }
  if (in_order && !kept_out(ad, b) && !kept_out(ad, c)) predict(4, {a, b, c, d}, found);
  const Pair* cb = pair(c, b);
  if (cb != nullptr && !both_throughout(ad, *cb)) predict(5, {a, b, c, d}, found);
}

void IdiomPairs::parallel(const Pair& ac, const Ends& to, IRootSet& found) {
  if (accesses_[ac.first].first.variable == accesses_[ac.second].first.variable) return;
  to.each(ac.first, [&](std::uint32_t b) {
    to.each(ac.second, [&](std::uint32_t d) {
      if (accesses_[b].first.thread == accesses_[d].first.thread && spend() &&
          pair(b, d) != nullptr)
        predict(6, {ac.first, b, ac.second, d}, found);
    });
  });
}

// The other access needs a lock that is held throughout the pair.
bool IdiomPairs::kept_out(const Pair& pair, std::uint32_t other) const {
  const Lockset& mine = locksets_[accesses_[pair.first].lockset];
  for (std::size_t l = 0; l < mine.size(); ++l)
    for (const NotedLock& lock : locksets_[accesses_[other].lockset])
      if ((pair.through & (1u << l)) != 0 && excludes(mine[l], lock)) return true;
  return false;
}

bool IdiomPairs::both_throughout(const Pair& a, const Pair& b) const {
  const Lockset& mine = locksets_[accesses_[a.first].lockset];
  const Lockset& theirs = locksets_[accesses_[b.first].lockset];
  for (std::size_t i = 0; i < mine.size(); ++i)
    for (std::size_t j = 0; j < theirs.size(); ++j)
      if ((a.through & (1u << i)) != 0 && (b.through & (1u << j)) != 0 &&
          excludes(mine[i], theirs[j]))
        return true;
  return false;
}

// Two locks, the second taken while the first is held.
bool IdiomPairs::is_nested(const Pair& pair) const {
  const SharedAccess& first = accesses_[pair.first].first;
  const SharedAccess& second = accesses_[pair.second].first;
  auto takes = [](const SharedAccess& access) {
    return access.role == AccessRole::lock || access.role == AccessRole::read_lock;
  };
  if (!takes(first) || !takes(second) || first.variable == second.variable) return false;
  const Lockset& held = locksets_[accesses_[pair.second].lockset];
  return std::any_of(held.begin(), held.end(), [&](const NotedLock& lock) {
    return lock.key == AccessStream::lock_key(first.where);
  });
}

bool IdiomPairs::is_deadlock(const Pair& ad, const Pair& cb) const {
  const SharedAccess& a = accesses_[ad.first].first;
  const SharedAccess& d = accesses_[ad.second].first;
  const SharedAccess& c = accesses_[cb.first].first;
  const SharedAccess& b = accesses_[cb.second].first;
  auto shared = [](const SharedAccess& x, const SharedAccess& y) {
    return x.role == AccessRole::read_lock && y.role == AccessRole::read_lock;
  };
  if (a.thread == c.thread || a.variable != b.variable || c.variable != d.variable ||
      shared(a, b) || shared(c, d))
    return false;
  for (const NotedLock& mine : locksets_[accesses_[ad.first].lockset])
    for (const NotedLock& theirs : locksets_[accesses_[cb.first].lockset])
      if (excludes(mine, theirs)) return false;
  return true;
}

void IdiomPairs::deadlocks(const Concurrent& concurrent, IRootSet& found) {
  std::vector<const Pair*> nested;
  for (const Pair& pair : pairs_)
    if (is_nested(pair)) nested.push_back(&pair);
  for (std::size_t i = 0; i < nested.size(); ++i)
    for (std::size_t j = i + 1; j < nested.size() && spend(); ++j) {
      const Pair &ad = *nested[i], &cb = *nested[j];
      if (is_deadlock(ad, cb) && concurrent(ad.second, cb.second))
        predict(5, {ad.first, cb.second, cb.first, ad.second}, found);
    }
}

void IdiomPairs::predict(std::uint8_t idiom, std::initializer_list<std::uint32_t> accesses,
                         IRootSet& found) {
  IRoot root;
  root.idiom = idiom;
  for (std::uint32_t access : accesses) root.add(accesses_[access].first);
  found.add(root);
}

}  // namespace raddle::analysis
