// SPDX-License-Identifier: Apache-2.0
//
// A set of threads as a bitset with a high-water mark. Both sides; no allocation. Every operation
// touches only the words below the mark, so that small programs pay for one word and the limit can
// still be kMaxThreads.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace raddle {

class ThreadSet {
 public:
  void add(ThreadId id) {
    unsigned word = id / 64u;
    while (used_ <= word) words_[used_++] = 0;
    size_ += (words_[word] & bit(id)) == 0;
    words_[word] |= bit(id);
  }
  void remove(ThreadId id) {
    if (!contains(id)) return;
    words_[id / 64u] &= ~bit(id);
    --size_;
  }
  bool contains(ThreadId id) const {
    if (id < 64) return (words_[0] >> id & 1) != 0;
    return id / 64u < used_ && (words_[id / 64u] & bit(id)) != 0;
  }
  void clear() {
    used_ = size_ = 0;
    words_[0] = 0;
  }

  // The members below 64, as bits.
  std::uint64_t first_word() const { return words_[0]; }

  unsigned size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // The smallest member, or kNoThread.
  ThreadId first() const { return next_from(0); }
  // The smallest member not below id, or kNoThread.
  ThreadId next_from(unsigned id) const {
    if (used_ > kMaxThreads / 64) __builtin_unreachable();  // tells the compiler, costs nothing
    unsigned word = id / 64u;
    if (word >= used_) return kNoThread;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (id % 64u));
    while (bits == 0) {
      if (++word >= used_) return kNoThread;
      bits = words_[word];
    }
    return static_cast<ThreadId>(word * 64u + static_cast<unsigned>(__builtin_ctzll(bits)));
  }
  // The member with exactly `rank` smaller members. Requires: rank < size().
  ThreadId nth(unsigned rank) const {
    for (unsigned w = 0;; ++w) {
      unsigned here = popcount(w);
      if (rank < here) {
        std::uint64_t bits = words_[w];
        while (rank-- > 0) bits &= bits - 1;
        return static_cast<ThreadId>(w * 64u + static_cast<unsigned>(__builtin_ctzll(bits)));
      }
      rank -= here;
    }
  }

  // Copies only the words in use.
  ThreadSet& operator=(const ThreadSet& other) {
    used_ = other.used_;
    size_ = other.size_;
    words_[0] = other.words_[0];
    for (unsigned w = 1; w < used_; ++w) words_[w] = other.words_[w];
    return *this;
  }
  ThreadSet() = default;
  ThreadSet(const ThreadSet& other) { *this = other; }

  template <class Visit>
  void for_each(Visit visit) const {
    for (unsigned w = 0; w < used_; ++w)
      for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
        visit(static_cast<ThreadId>(w * 64u + static_cast<unsigned>(__builtin_ctzll(bits))));
  }

 private:
  static std::uint64_t bit(ThreadId id) { return std::uint64_t{1} << (id % 64u); }
  unsigned popcount(unsigned word) const {
    return static_cast<unsigned>(__builtin_popcountll(words_[word]));
  }

  // invariant: words at and above used_ are not read before add() has cleared them, but for the
  // first one, which is always right.
  std::uint32_t used_ = 0;
  std::uint32_t size_ = 0;  // members
  // Zeroed only so that a static set needs no constructor at run time.
  std::uint64_t words_[kMaxThreads / 64] = {};
};

}  // namespace raddle
