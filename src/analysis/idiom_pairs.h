// SPDX-License-Identifier: Apache-2.0
//
// Prediction of compound idioms: which accesses of a thread come near each other, and what follows
// from that and from the predicted dependencies (Maple, OOPSLA 2012, section 3.6). Engine side.
// idiom_predictor.h gives it accesses and dependencies.
//
// A predicted access stands for all by one thread and site to one variable with the same locks. A
// local pair are two of them that were A and D of idioms.h: in the window, their variables let
// alone in between. With A => B and C => D predicted:
//
//   2      [A, D] is a pair of one variable, B is C
//   3, 4   [A, D] is a pair, some B came before some C in the other thread, and for 4 neither holds
//          a lock that is held from A to D
//   5      [A, D] and [C, B] are pairs, and there is no lock that is held throughout both
//   6      [A, C] and [B, D] are pairs
//   5 as a deadlock: [A, D] and [C, B] are pairs of locks taken while the first is held, nothing
//          orders them, and no other lock keeps them apart
//
// Deviation: like Maple's program, 3 and 4 do not ask how far B and C are apart.
//
// Memory and time are bounded: kAccessesMax, kPairsMax, kRelationsMax; of pairs of the same thread
// and sites only the first kPairVariants are kept; a sequence of sites that was seen that often
// adds no more pairs, so that a loop costs one lookup an access.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/access_stream.h"
#include "analysis/epoch_map.h"
#include "analysis/iroot.h"

namespace raddle::analysis {

inline constexpr std::uint32_t kPairWindowMax = 64;
inline constexpr std::size_t kAccessesMax = 1u << 17;
inline constexpr std::size_t kPairsMax = 1u << 17;
inline constexpr std::size_t kRelationsMax = 1u << 18;
inline constexpr unsigned kPairVariants = 8;
inline constexpr unsigned kLocksNoted = 8;

struct NotedLock {
  std::uint64_t key;  // AccessStream::Held::key
  bool read;
  bool before, write_before;  // its section has such an access of the variable before this one
  friend bool operator==(const NotedLock&, const NotedLock&) = default;
};
using Lockset = std::vector<NotedLock>;

// Whether holding both keeps two threads apart.
constexpr bool excludes(const NotedLock& a, const NotedLock& b) {
  return a.key == b.key && !(a.read && b.read);
}

struct PredictedAccess {
  SharedAccess first;  // instance
  std::uint32_t lockset = 0;
  std::uint32_t last_op = 0;
};

class IdiomPairs {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;
  // Whether neither of two accesses happens before the other, for some instances.
  using Concurrent = std::function<bool(std::uint32_t, std::uint32_t)>;

  // Requires: 0 < window <= kPairWindowMax.
  explicit IdiomPairs(std::uint32_t window) : window_(window) {}

  void begin();
  // Variables have new numbers: what is known of accesses is no longer.
  void forget();

  // The access it is an instance of; kNone if there are too many.
  std::uint32_t intern(const SharedAccess& access, const Lockset& lockset);
  // The same access to another variable.
  std::uint32_t clone(std::uint32_t access, std::uint32_t variable);
  // An instance of the access was made. `previous` is the operation of the thread that accessed the
  // variable last, or 0, and `slot` what this has made of slot then, or kNone. `held` are the locks
  // that the thread has now.
  void made(std::uint32_t access, const SharedAccess& instance, std::uint32_t previous,
            std::uint32_t& slot, const std::vector<AccessStream::Held>& held);
  // False if it is known already.
  bool relate(std::uint32_t from, std::uint32_t to);
  bool related(std::uint32_t from, std::uint32_t to) const {
    return relation_index_.find(key(from, to)) != nullptr;
  }

  void correlate(const Concurrent& concurrent, IRootSet& found);

  const PredictedAccess& access(std::uint32_t id) const { return accesses_[id]; }
  const Lockset& lockset(std::uint32_t id) const { return locksets_[id]; }
  bool truncated() const { return truncated_; }
  std::size_t entries() const {
    return accesses_.size() + locksets_.size() + pairs_.size() + relations_.size();
  }

 private:
  struct Pair {
    std::uint32_t first, second;
    std::uint8_t through;  // locks of the first that are held until the second
  };
  struct Relation {
    std::uint32_t from, to;
  };
  struct Recent {
    std::uint32_t access = 0, variable = 0, op = 0;
    std::uint64_t site = 0;  // and kind
    bool is_lock = false;
    bool over = false;  // the thread has accessed the variable again
  };
  struct Thread {
    Recent recent[kPairWindowMax];  // a ring
    std::uint32_t count = 0;
    std::uint64_t sequence = 0;  // hash of the sites in the ring
  };
  // The other ends of the relations of each access, as two arrays: what leads on, and where from.
  struct Ends {
    std::vector<std::uint32_t> begin, items;
    template <class F>
    void each(std::uint32_t access, F visit) const {
      for (std::uint32_t i = begin[access]; i < begin[access + 1]; ++i) visit(items[i]);
    }
  };

  static constexpr std::uint64_t key(std::uint32_t a, std::uint32_t b) {
    return (std::uint64_t{a} << 32) | b;
  }
  std::uint32_t intern(const Lockset& lockset);
  void look_back(const Thread& self, const Recent& now, std::uint32_t previous,
                 const std::vector<AccessStream::Held>& held);
  void add_pair(std::uint32_t first, std::uint32_t second, std::uint64_t sites,
                std::uint8_t through);
  const Pair* pair(std::uint32_t first, std::uint32_t second) const;
  Ends ends(bool forward) const;
  bool spend() { return work_ < kWorkMax ? (++work_, true) : (truncated_ = true, false); }

  void crossing(const Pair& ad, const Ends& to, const Ends& from, IRootSet& found);
  void crossing(const Pair& ad, std::uint32_t b, std::uint32_t c, IRootSet& found);
  void parallel(const Pair& ac, const Ends& to, IRootSet& found);
  void deadlocks(const Concurrent& concurrent, IRootSet& found);
  bool is_deadlock(const Pair& ad, const Pair& cb) const;
  bool is_nested(const Pair& pair) const;
  bool kept_out(const Pair& pair, std::uint32_t other) const;
  bool both_throughout(const Pair& a, const Pair& b) const;
  void predict(std::uint8_t idiom, std::initializer_list<std::uint32_t> accesses, IRootSet& found);

  static constexpr std::size_t kWorkMax = 4'000'000;
  static constexpr std::size_t kSequencesMax = 1u << 15;

  std::uint32_t window_;
  std::vector<PredictedAccess> accesses_;
  EpochMap<std::uint32_t> access_index_;  // + 1
  std::vector<Lockset> locksets_;
  EpochMap<std::uint32_t> lockset_index_;  // + 1
  std::vector<Thread> threads_;
  EpochMap<std::uint8_t> sequences_;  // how often seen
  std::vector<Pair> pairs_;
  EpochMap<std::uint32_t> pair_index_;  // + 1
  EpochMap<std::uint8_t> variants_;
  std::vector<Relation> relations_;
  EpochMap<bool> relation_index_;
  std::size_t work_ = 0;
  bool truncated_ = false;
};

}  // namespace raddle::analysis
